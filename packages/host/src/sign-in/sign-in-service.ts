import type { ClientIdentity, ConnectorAuth, SignInAttempt, SignInResult } from '@portico/api';
import type { AuthProvider, LeaseStore } from '@portico/oauth';
import type { CallToolResult } from '@portico/spec';
import type { Log } from '../host-options.ts';
import type { Clock } from '../ports/clock.ts';
import type { ResealReport, SecretBox } from '../ports/secrets.ts';
import type { ConnectorRecord, GrantStore, SignInStore } from '../ports/stores.ts';
import { createAccountTokens } from './account-tokens.ts';
import { createAccountViews } from './account-views.ts';
import { createAccounts } from './accounts.ts';
import { createPendingSignIns } from './pending-sign-ins.ts';
import type { SignInBrowser } from './pending-sign-ins.ts';
import { createRefusalRounds } from './refusal-rounds.ts';
import { lookForOffer, offersSignIn, takeLoss, takeRefusal, takeResult } from './refusals.ts';
import { createSealedGrants } from './sealed-grants.ts';
import {
  accountOf,
  beginSignIn,
  endGrant,
  finishSignIn,
  forgetRefusals,
  tellFailure,
} from './sign-in-flow.ts';
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
  /** Ends what an account has open, before its tokens are given back. */
  ending(connectorId: string): Promise<void>;
  /** Connects an account anew that has new tokens from a person's sign-in. Must not reject. */
  granted(connectorId: string): Promise<void>;
}

/** Signing in to connectors, for the person and for the channels to their servers. */
export interface SignInService {
  /** Reads what is known of an account, so that `view` can answer. */
  load(record: ConnectorRecord): Promise<void>;
  /** Undefined for connectors that are not reached over HTTP. */
  view(record: ConnectorRecord): ConnectorAuth | undefined;
  /**
   * The server of an account answers. Where nobody is signed in, it is found out whether somebody could
   * be, since servers may open their lists and close their calls (K48).
   */
  answered(record: ConnectorRecord): void;
  /**
   * A tool has answered. Where its result says that a sign-in is missing, that is taken down as a refused
   * request would be (K48), and what the call ends with is returned.
   */
  toolAnswered(record: ConnectorRecord, result: CallToolResult): Error | undefined;
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
  const rooms: SignInRooms = {
    accounts,
    views,
    attempts: createSignInLog({
      store: options.signIns,
      clock,
      log,
      onChange: (now) => views.attempted(now),
    }),
    pending: createPendingSignIns(clock),
    challenges: new Map(),
    rounds: createRefusalRounds(clock),
    offered: new Map(),
    records: new Map(),
    granted: (id) => options.granted(id),
  };
  const { pending, attempts } = rooms;
  return {
    load: (record) => load(rooms, record),
    view: (record) => views.of(record),
    answered: (record) => lookForOffer(rooms, record),
    toolAnswered: (record, result) => takeResult(rooms, record, result),
    tokensFor: (record) => tokensFor(rooms, record, clock),
    begin: (record, browser) => beginSignIn(rooms, record, browser),
    originOf: (query) => pending.originOf(new URLSearchParams(query).get('state') ?? ''),
    finish: (query, session) => finishSignIn(rooms, query, session),
    cancel: (connectorId) => pending.cancel(connectorId),
    // What is open ends first, since the server that takes tokens back may take its time.
    signOut: (record) => options.ending(record.id).then(() => endGrant(rooms, record)),
    setIdentity: (record, identity) => setIdentity(rooms, record, identity),
    attempts: (connectorId) => attempts.list(connectorId),
    forget: (connectorId) => forget(rooms, connectorId),
    reseal: () => grants.reseal(),
    async close() {
      pending.close();
      await accounts.close();
    },
  };
}

async function setIdentity(
  rooms: SignInRooms,
  record: ConnectorRecord,
  identity: ClientIdentity | undefined,
): Promise<void> {
  await accountOf(rooms, record).setIdentity(identity);
  forgetRefusals(rooms, record);
  rooms.views.settled(record.id);
  await rooms.views.load(record);
}

async function load(
  { records, pending, challenges, rounds, views }: SignInRooms,
  record: ConnectorRecord,
): Promise<void> {
  const before = records.get(record.id);
  records.set(record.id, record);
  if (before !== undefined && addressOf(before) !== addressOf(record)) {
    // What the server before said, and the sign-ins that wait there, are of no use to another one.
    pending.cancel(record.id);
    challenges.delete(record.id);
    rounds.forget(record.id);
    views.forget(record.id);
  }
  await views.load(record);
}

async function forget(rooms: SignInRooms, connectorId: string): Promise<void> {
  rooms.pending.cancel(connectorId);
  rooms.challenges.delete(connectorId);
  rooms.rounds.forget(connectorId);
  rooms.records.delete(connectorId);
  rooms.offered.delete(connectorId);
  rooms.views.forget(connectorId);
  await rooms.accounts.forget(connectorId);
}

function tokensFor(rooms: SignInRooms, record: ConnectorRecord, clock: Clock): AuthProvider | undefined {
  const account = rooms.accounts.of(record);
  if (account === undefined) return undefined;
  return createAccountTokens(account, clock, {
    refused: (refusal) => takeRefusal(rooms, record, [account, refusal]),
    lost: () => takeLoss(rooms, record, account),
    offersSignIn: () => offersSignIn(rooms, record, account),
    failed: (failure) => tellFailure(rooms, record.id, failure),
    changed: () => void rooms.views.load(record),
  });
}

function addressOf({ transport }: ConnectorRecord): string | undefined {
  return transport.kind === 'http' ? transport.url : undefined;
}
