import type { ConnectorAuth, SignInAttempt } from '@portico/api';
import { isHostError } from '../errors.ts';
import type { ConnectorRecord } from '../ports/stores.ts';
import type { Accounts } from './accounts.ts';

export interface AccountViewOptions {
  readonly accounts: Accounts;
  readonly redirectUrl: () => string;
  readonly changed: (connectorId: string) => void;
}

/** What pages know of how accounts sign in, kept at hand: never a token, never a secret. */
export interface AccountViews {
  load(record: ConnectorRecord): Promise<void>;
  of(record: ConnectorRecord): ConnectorAuth | undefined;
  /** An attempt of an account has begun, gone on or ended. */
  attempted(attempt: SignInAttempt): void;
  /** It is known which site a sign-in opens. */
  wouldOpen(connectorId: string, site: string): void;
  forget(connectorId: string): void;
}

type Known = Omit<ConnectorAuth, 'attempt' | 'opens' | 'redirectUrl'>;

const NOTHING: Known = { signedIn: false, scopes: [], hasClientSecret: false };

export function createAccountViews({ accounts, redirectUrl, changed }: AccountViewOptions): AccountViews {
  const known = new Map<string, Known>();
  /** Sites that a sign-in would open. */
  const opens = new Map<string, string>();
  const newest = new Map<string, NonNullable<ConnectorAuth['attempt']>>();
  return {
    async load(record) {
      const account = accounts.of(record);
      if (account === undefined) return;
      known.set(record.id, await readKnown(accounts, record));
      changed(record.id);
    },
    of({ id, transport }) {
      if (transport.kind !== 'http') return undefined;
      const attempt = newest.get(id);
      const site = opens.get(id);
      return {
        ...(known.get(id) ?? NOTHING),
        redirectUrl: redirectUrl(),
        ...(site === undefined ? {} : { opens: site }),
        ...(attempt === undefined ? {} : { attempt }),
      };
    },
    attempted({ steps: _steps, ...attempt }) {
      const before = newest.get(attempt.connectorId);
      // One that worked needs no telling: that the account is signed in says it.
      if (attempt.status === 'done') newest.delete(attempt.connectorId);
      else newest.set(attempt.connectorId, attempt);
      const isSame = before?.id === attempt.id && before.status === attempt.status;
      if (!isSame || before.opens !== attempt.opens) changed(attempt.connectorId);
    },
    wouldOpen(connectorId, site) {
      if (opens.get(connectorId) === site) return;
      opens.set(connectorId, site);
      changed(connectorId);
    },
    forget(connectorId) {
      opens.delete(connectorId);
      known.delete(connectorId);
      newest.delete(connectorId);
    },
  };
}

async function readKnown(accounts: Accounts, record: ConnectorRecord): Promise<Known> {
  try {
    const account = accounts.of(record);
    const provider = await account?.provider(() => undefined);
    const tokens = await provider?.tokens();
    const identity = await account?.identity();
    return {
      signedIn: tokens !== undefined,
      ...(tokens?.expires_at === undefined ? {} : { expiresAtMs: tokens.expires_at }),
      ...(tokens?.issuer === undefined ? {} : { issuer: tokens.issuer }),
      scopes: tokens?.scope === undefined ? [] : tokens.scope.split(' ').filter((scope) => scope !== ''),
      ...(identity === undefined ? {} : { clientId: identity.clientId }),
      hasClientSecret: typeof identity?.clientSecret === 'string',
    };
  } catch (error) {
    // Told where the connector fails to connect, with what to do about it.
    if (isHostError(error, 'secret_unreadable')) return NOTHING;
    throw error;
  }
}
