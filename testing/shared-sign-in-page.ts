// What tests load into a page whose tabs share a sign-in, as `portico`.
import { Client, StreamableHTTPClientTransport } from '../packages/client/src/index.ts';
import { createIndexedDbLeases } from '../packages/oauth/src/client/indexed-db-leases.ts';
import { createIndexedDbTokenStore } from '../packages/oauth/src/client/indexed-db-token-store.ts';
import { createLeaseLocks } from '../packages/oauth/src/client/lease-locks.ts';
import type { Locks } from '../packages/oauth/src/client/locks.ts';
import { createOAuthProvider } from '../packages/oauth/src/client/stored-provider.ts';
import { createTabLocks } from '../packages/oauth/src/client/tab-locks.ts';

declare global {
  interface Window {
    /** Told when this tab asks for a lock, or finds a lease taken. */
    waits(): Promise<void>;
  }
}

export interface TabInput {
  readonly url: string;
  /** By Web Locks, or as where they are missing. */
  readonly kind: 'web' | 'lease';
  readonly leaseMs?: number;
}

export interface SharedSignIn {
  fill(values: Record<string, unknown>): Promise<void>;
  connect(input: TabInput): Promise<string>;
}

function webLocks(): Locks {
  const { locks } = navigator;
  const manager = {
    async request<T>(name: string, work: () => Promise<T>): Promise<T> {
      const result = locks.request(name, work);
      void window.waits();
      return (await result) as T;
    },
  };
  return createTabLocks({ manager, factory: indexedDB });
}

function leaseLocks(leaseMs: number | undefined): Locks {
  // Without a manager this is what pages get; here each wait is told.
  if (leaseMs === undefined) void createTabLocks({ manager: undefined, factory: indexedDB });
  const leases = createIndexedDbLeases({ factory: indexedDB });
  let told = false;
  return createLeaseLocks({
    leases: {
      ...leases,
      async take(lease) {
        const taken = await leases.take(lease);
        if (!taken && !told) {
          told = true;
          void window.waits();
        }
        return taken;
      },
    },
    ...(leaseMs === undefined ? {} : { leaseMs }),
  });
}

/** Keeps what a sign-in left behind for all tabs. */
export async function fill(values: Record<string, unknown>): Promise<void> {
  const store = createIndexedDbTokenStore(indexedDB);
  for (const [name, value] of Object.entries(values)) await store.set(name, value);
}

/** Connects with what is stored and calls a tool; @returns what it answers */
export async function connect({ url, kind, leaseMs }: TabInput): Promise<string> {
  const authProvider = createOAuthProvider({
    store: createIndexedDbTokenStore(indexedDB),
    redirectUrl: 'http://127.0.0.1/callback',
    locks: kind === 'web' ? webLocks() : leaseLocks(leaseMs),
    clientMetadata: { client_name: 'test' },
    openUrl: () => {
      throw new TypeError('a person was sent to sign in');
    },
  });
  const client = new Client({ name: 'tab', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider }));
  const { content } = await client.callTool({ name: 'whoami' });
  await client.close();
  const [block] = content;
  return block?.type === 'text' ? block.text : '';
}
