import { isHostError } from '../errors.ts';
import type { ResealReport, SecretBox } from '../ports/secrets.ts';
import type { GrantStore } from '../ports/stores.ts';

export interface SealedGrantOptions {
  readonly store: GrantStore;
  readonly secrets: SecretBox;
}

/** Values of accounts, each sealed for its account and name (K34). They are JSON. */
export interface SealedGrants {
  /** Throws HostError `secret_unreadable` when the present key does not open it. */
  get(connectorId: string, name: string): Promise<unknown>;
  /** Stored when it resolves. */
  put(connectorId: string, name: string, value: unknown): Promise<void>;
  remove(connectorId: string, name: string): Promise<void>;
  /** Names of what an account has. */
  names(connectorId: string): Promise<readonly string[]>;
  /** Seals anew whatever an earlier key sealed (K35). */
  reseal(): Promise<ResealReport>;
}

export function createSealedGrants({ store, secrets }: SealedGrantOptions): SealedGrants {
  return {
    async get(connectorId, name) {
      const sealed = await store.get(connectorId, name);
      if (sealed === undefined) return undefined;
      return JSON.parse(secrets.open(sealed, placeOf(connectorId, name))) as unknown;
    },
    async put(connectorId, name, value) {
      const sealed = secrets.seal(JSON.stringify(value), placeOf(connectorId, name));
      await store.put({ connectorId, name, sealed });
    },
    remove: (connectorId, name) => store.remove(connectorId, name),
    names: async (connectorId) => (await store.list(connectorId)).map(({ name }) => name),
    async reseal() {
      let renewed = 0;
      let unreadable = 0;
      for (const { connectorId, name } of await store.list()) {
        // Read again: it may have been replaced since the list was made.
        const sealed = await store.get(connectorId, name);
        if (sealed === undefined || secrets.isCurrent(sealed)) continue;
        const place = placeOf(connectorId, name);
        try {
          await store.put({ connectorId, name, sealed: secrets.seal(secrets.open(sealed, place), place) });
          renewed += 1;
        } catch (error) {
          if (isHostError(error, 'secret_unreadable')) unreadable += 1;
          else if (!isHostError(error, 'missing_parent')) throw error;
        }
      }
      return { renewed, unreadable };
    },
  };
}

function placeOf(connectorId: string, name: string): string {
  return `connector:${connectorId}:grant:${name}`;
}
