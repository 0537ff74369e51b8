import type { ClientIdentity, ConnectorAuth, SignInAttempt, SignInResult } from '@portico/api';
import type { AuthProvider, LeaseStore } from '@portico/oauth';
import type { Log } from '../host-options.ts';
import type { Clock } from '../ports/clock.ts';
import type { ResealReport, SecretBox } from '../ports/secrets.ts';
import type { ConnectorRecord, GrantStore, SignInStore } from '../ports/stores.ts';
import { createAccountTokens } from './account-tokens.ts';
import { createAccountViews } from './account-views.ts';
import { createAccounts } from './accounts.ts';
import { createPendingSignIns } from './pending-sign-ins.ts';
import type { SignInBrowser } from './pending-sign-ins.ts';
import { createSealedGrants } from './sealed-grants.ts';
import { accountOf, beginSignIn, endGrant, finishSignIn, lookAhead } from './sign-in-flow.ts';
import type { SignInRooms } from './sign-in-flow.ts';
import { createSignInLog } from './sign-in-log.ts';

export interface SignInServiceOptions {
  readonly grants: GrantStore;
  readonly signIns: SignInStore;
  readonly leases: LeaseStore;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly log: Log;
  /** Where a document on the web describes this client, for servers that read such. */
  readonly clientMetadataUrl: string | undefined;
  /** Where browsers come back to. */
  redirectUrl(): string;
  /** Told when what pages know of an account has changed. */
  changed(connectorId: string): void;
  /** Told when an account has new tokens from a person's sign-in. */
  granted(connectorId: string): void;
}

/** Signing in to connectors, for the person and for the channels to their servers. */
export interface SignInService {
  /** Reads what is known of an account, so that `view` can answer. */
  load(record: ConnectorRecord): Promise<void>;
  /** Undefined for connectors that are not reached over HTTP. */
  view(record: ConnectorRecord): ConnectorAuth | undefined;
  /** Tokens for the channel; undefined for connectors that are not reached over HTTP. */
  tokensFor(record: ConnectorRecord): AuthProvider | undefined;
  /**
   * Begins an attempt and answers where the person has to go. Throws ApiRefusal `upstream_failed` when
   * it ended at once; the log says why.
   */
  begin(record: ConnectorRecord, browser: SignInBrowser): Promise<URL>;
  /** Where a callback has to go on, by its `state`: the origin that its sign-in began at. */
  originOf(query: string): string | undefined;
  /**
   * Ends an attempt with the query that the browser came back with. Throws ApiRefusal `not_allowed` for
   * a state that is unknown, was used, is too old or belongs to another browser (K52).
   */
  finish(query: string, session: string): Promise<SignInResult>;
  cancel(connectorId: string): void;
  /** Gives the tokens back and forgets them, whatever the server says (K51). */
  signOut(record: ConnectorRecord): Promise<void>;
  setIdentity(record: ConnectorRecord, identity: ClientIdentity | undefined): Promise<void>;
  attempts(connectorId: string): Promise<readonly SignInAttempt[]>;
  forget(connectorId: string): Promise<void>;
  reseal(): Promise<ResealReport>;
  close(): Promise<void>;
}

export function createSignInService(options: SignInServiceOptions): SignInService {
  const { clock, log } = options;
  const grants = createSealedGrants({ store: options.grants, secrets: options.secrets });
  const { leases, clientMetadataUrl } = options;
  const accounts = createAccounts({
    grants,
    leases,
    clock,
    clientMetadataUrl,
    redirectUrl: () => options.redirectUrl(),
  });
  const views = createAccountViews({
    accounts,
    redirectUrl: () => options.redirectUrl(),
    changed: (id) => options.changed(id),
  });
  const onChange = (attempt: SignInAttempt): void => views.attempted(attempt);
  const rooms: SignInRooms = {
    accounts,
    views,
    attempts: createSignInLog({ store: options.signIns, clock, log, onChange }),
    pending: createPendingSignIns(clock),
    challenges: new Map(),
    records: new Map(),
  };
  const { pending, attempts, challenges, records } = rooms;
  return {
    load: (record) => load(rooms, record),
    view: (record) => views.of(record),
    tokensFor: (record) => tokensFor(rooms, record, clock),
    begin: (record, browser) => beginSignIn(rooms, record, browser),
    originOf: (query) => pending.originOf(new URLSearchParams(query).get('state') ?? ''),
    async finish(query, session) {
      const result = await finishSignIn(rooms, query, session);
      if (result.attempt.status === 'done') options.granted(result.attempt.connectorId);
      return result;
    },
    cancel: (connectorId) => pending.cancel(connectorId),
    signOut: (record) => endGrant(rooms, record),
    async setIdentity(record, identity) {
      await accountOf(rooms, record).setIdentity(identity);
      views.settled(record.id);
      await views.load(record);
    },
    attempts: (connectorId) => attempts.list(connectorId),
    async forget(connectorId) {
      pending.cancel(connectorId);
      challenges.delete(connectorId);
      records.delete(connectorId);
      views.forget(connectorId);
      await accounts.forget(connectorId);
    },
    reseal: () => grants.reseal(),
    async close() {
      pending.close();
      await accounts.close();
    },
  };
}

async function load(
  { records, pending, challenges, views }: SignInRooms,
  record: ConnectorRecord,
): Promise<void> {
  const before = records.get(record.id);
  records.set(record.id, record);
  if (before !== undefined && addressOf(before) !== addressOf(record)) {
    // What the server before said, and the sign-ins that wait there, are of no use to another one.
    pending.cancel(record.id);
    challenges.delete(record.id);
    views.forget(record.id);
  }
  await views.load(record);
}

function tokensFor(rooms: SignInRooms, record: ConnectorRecord, clock: Clock): AuthProvider | undefined {
  const account = rooms.accounts.of(record);
  if (account === undefined) return undefined;
  return createAccountTokens(account, clock, {
    challenged(challenge) {
      rooms.challenges.set(record.id, challenge);
      void lookAhead(rooms, record, account);
    },
    changed: () => void rooms.views.load(record),
  });
}

function addressOf({ transport }: ConnectorRecord): string | undefined {
  return transport.kind === 'http' ? transport.url : undefined;
}
