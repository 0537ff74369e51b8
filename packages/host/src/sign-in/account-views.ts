import type { ClientIdentity, ConnectorAuth, SignInAttempt } from '@portico/api';
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
  /** What the newest attempt ended with has been seen to. */
  settled(connectorId: string): void;
  /** The server wants more than is granted; undefined when it no longer does. */
  asked(connectorId: string, ask: SignInAsk | undefined): void;
  /** It is known which site a sign-in opens. */
  wouldOpen(connectorId: string, site: string): void;
  forget(connectorId: string): void;
}

/** What a server wants, in its words. */
export type SignInAsk = NonNullable<ConnectorAuth['asks']>;

type Known = Omit<ConnectorAuth, 'attempt' | 'opens' | 'redirectUrl' | 'asks'>;

const NOTHING: Known = { signedIn: false, scopes: [], hasClientSecret: false };

export function createAccountViews({ accounts, redirectUrl, changed }: AccountViewOptions): AccountViews {
  const known = new Map<string, Known>();
  /** Sites that a sign-in would open. */
  const opens = new Map<string, string>();
  const asks = new Map<string, SignInAsk>();
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
      const facts = known.get(id) ?? NOTHING;
      const ask = asks.get(id);
      return {
        ...facts,
        ...(ask === undefined ? {} : { asks: { ...ask, scopes: newScopes(ask, facts) } }),
        redirectUrl: redirectUrl(),
        ...(site === undefined ? {} : { opens: site }),
        ...(attempt === undefined ? {} : { attempt }),
      };
    },
    attempted({ steps, ...attempt }) {
      const { connectorId, id, status } = attempt;
      const before = newest.get(connectorId);
      // One that worked needs no telling: that the account is signed in says it.
      if (status === 'done') newest.delete(connectorId);
      // Whatever becomes of one that a newer one took the place of is told in the list of attempts.
      else if (before?.id !== id && steps.length > 0) return;
      else newest.set(connectorId, { ...attempt, stepCount: steps.length });
      changed(connectorId);
    },
    settled(connectorId) {
      if (newest.get(connectorId)?.endedAtMs !== undefined) newest.delete(connectorId);
    },
    asked(connectorId, ask) {
      if (asks.get(connectorId) === ask) return;
      if (ask === undefined) asks.delete(connectorId);
      else asks.set(connectorId, ask);
      changed(connectorId);
    },
    wouldOpen(connectorId, site) {
      if (opens.get(connectorId) === site) return;
      opens.set(connectorId, site);
      changed(connectorId);
    },
    forget(connectorId) {
      opens.delete(connectorId);
      asks.delete(connectorId);
      known.delete(connectorId);
      newest.delete(connectorId);
    },
  };
}

/** What is not granted yet. */
function newScopes({ scopes }: SignInAsk, { scopes: granted }: Known): string[] {
  return scopes.filter((scope) => !granted.includes(scope));
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
      hasPrivateKey: typeof identity?.privateKey === 'string',
      ...(identity === undefined ? {} : { actsAs: identity.grant }),
      ...applicationOf(identity),
    };
  } catch (error) {
    // Told where the connector fails to connect, with what to do about it.
    if (isHostError(error, 'secret_unreadable')) return NOTHING;
    throw error;
  }
}

function applicationOf(identity: ClientIdentity | undefined): Pick<Known, 'application'> {
  if (identity?.grant !== 'application') return {};
  const { proof, algorithm, scope } = identity;
  return { application: { proof, algorithm, scope } };
}
