import type { SignInResult } from '@portico/api';
import {
  auth,
  computeScopeUnion,
  discoverOAuthServerInfo,
  finishAuthorization,
  signOut,
} from '@portico/oauth';
import type { AuthorizationEvent, OAuthClientProvider } from '@portico/oauth';
import { ApiRefusal } from '../api-refusal.ts';
import type { ConnectorRecord } from '../ports/stores.ts';
import type { AccountViews } from './account-views.ts';
import type { Account, Accounts } from './accounts.ts';
import type { PendingSignIns, SignInBrowser } from './pending-sign-ins.ts';
import type { RefusalRounds } from './refusal-rounds.ts';
import type { SeenRefusal } from './seen-refusal.ts';
import type { AttemptLog, SignInLog } from './sign-in-log.ts';
import { tellRequests } from './told-requests.ts';
import type { ToldRequests } from './told-requests.ts';
import type { UnseenFailure } from './unseen-failures.ts';

/** What the steps of a sign-in work on. */
export interface SignInRooms {
  readonly accounts: Accounts;
  readonly views: AccountViews;
  readonly attempts: SignInLog;
  readonly pending: PendingSignIns;
  /** What servers said last when they refused, by account. */
  readonly challenges: Map<string, SeenRefusal>;
  /** What sign-ins lead to. */
  readonly rounds: RefusalRounds;
  /** Servers that were asked whether they offer a sign-in, by account. */
  readonly offered: Map<string, string>;
  /** Accounts as they are stored now. */
  readonly records: Map<string, ConnectorRecord>;
  /** Connects an account anew that has new tokens. Must not reject. */
  granted(connectorId: string): Promise<void>;
}

/** Throws ApiRefusal `bad_request` for a connector that is not reached over HTTP. */
export function accountOf({ accounts }: SignInRooms, record: ConnectorRecord): Account {
  const account = accounts.of(record);
  if (account === undefined) throw new ApiRefusal('bad_request', 'Only servers on the web have a sign-in.');
  return account;
}

/** Finds out which site a sign-in would open, so that its button can name it; a failure shows when it is pressed. */
export async function lookAhead(
  rooms: SignInRooms,
  record: ConnectorRecord,
  account: Account,
): Promise<void> {
  const { fetchFn } = account.http;
  const resourceMetadataUrl = rooms.challenges.get(record.id)?.resourceMetadataUrl;
  try {
    const found = await discoverOAuthServerInfo(account.serverUrl, {
      ...(fetchFn === undefined ? {} : { fetchFn }),
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    });
    const endpoint = found.authorizationServerMetadata?.authorization_endpoint;
    if (endpoint !== undefined) rooms.views.wouldOpen(record.id, new URL(endpoint).host);
  } catch {
    // Every attempt finds out anew, and its log says why it cannot.
  }
}

/** Finds out where the person has to go, and waits for them to come back. */
export async function beginSignIn(
  rooms: SignInRooms,
  record: ConnectorRecord,
  browser: SignInBrowser,
): Promise<URL> {
  const account = accountOf(rooms, record);
  const attempt = rooms.attempts.begin(record.id);
  const requests = tellRequests(account.http, (step) => attempt.add(step));
  const opened: URL[] = [];
  try {
    const provider = await account.provider((url) => void opened.push(url));
    const challenge = rooms.challenges.get(record.id);
    if (challenge !== undefined) attempt.add(challengeStep(challenge));
    // Who is in charge may have changed since; and what was kept may be why the last attempt failed.
    await provider.invalidateCredentials?.('discovery');
    await auth(provider, {
      ...requests.http,
      serverUrl: account.serverUrl,
      forceReauthorization: true,
      ...(await scopeOf(provider, challenge)),
      ...(challenge?.resourceMetadataUrl === undefined
        ? {}
        : { resourceMetadataUrl: challenge.resourceMetadataUrl }),
    });
    const url = opened[0];
    if (url === undefined) throw new ApiRefusal('upstream_failed', 'The sign-in leads nowhere.');
    const { searchParams } = url;
    rooms.pending.add(searchParams.get('state') ?? '', { ...browser, connectorId: record.id, log: attempt });
    attempt.waiting(url.host);
    return url;
  } catch (error) {
    throw endAsFailed(attempt, error, requests);
  }
}

/** What the server said when it refused: the sign-in goes by it. */
function challengeStep({ scope, resourceMetadataUrl }: SeenRefusal): AuthorizationEvent {
  return {
    step: 'challenge',
    outcome: 'asked',
    detail: {
      ...(scope === undefined ? {} : { scope }),
      ...(resourceMetadataUrl === undefined
        ? {}
        : { resource_metadata: resourceMetadataUrl.origin + resourceMetadataUrl.pathname }),
    },
  };
}

/** Old and new scopes together: a sign-in for the new ones alone would lose the old. */
async function scopeOf(
  provider: OAuthClientProvider,
  challenge: SeenRefusal | undefined,
): Promise<{ scope?: string }> {
  const scope = computeScopeUnion((await provider.tokens())?.scope, challenge?.scope);
  return scope === undefined ? {} : { scope };
}

/**
 * Ends an attempt with what the browser came back with.
 *
 * Throws ApiRefusal `not_allowed` for a state that is unknown, was used, is too old or belongs to another
 * browser; then nothing has changed.
 */
export async function finishSignIn(
  rooms: SignInRooms,
  query: string,
  session: string,
): Promise<SignInResult> {
  const params = new URLSearchParams(query);
  const found = rooms.pending.take(params.get('state') ?? '', session);
  const record = found === undefined ? undefined : rooms.records.get(found.connectorId);
  const account = record === undefined ? undefined : rooms.accounts.of(record);
  if (found === undefined || record === undefined || account === undefined) {
    for (const log of rooms.pending.inBrowser(session)) log.add(STRANGER);
    throw new ApiRefusal('not_allowed', 'This way back belongs to no sign-in that is open in this browser.', [
      'cause: unknown_state',
    ]);
  }
  const { log, mode, back } = found;
  const [code, state] = [params.get('code') ?? '', params.get('state') ?? ''];
  const requests = tellRequests(account.http, (step) => log.add(step), { code, state });
  try {
    const provider = await account.provider(() => undefined);
    await finishAuthorization(provider, params, {
      ...requests.http,
      serverUrl: account.serverUrl,
    });
    rooms.challenges.delete(record.id);
    rooms.rounds.granted(record.id);
  } catch (error) {
    endAsFailed(log, error, requests);
  }
  if (log.current().endedAtMs === undefined) await takeGrant(rooms, record, log);
  await log.stored();
  return { attempt: log.current(), mode, ...(back === undefined ? {} : { back }) };
}

/** It is connected anew before anything is said to be well, so that no page sees what was before as well. */
async function takeGrant(rooms: SignInRooms, record: ConnectorRecord, log: AttemptLog): Promise<void> {
  await rooms.granted(record.id);
  rooms.views.asked(record.id, undefined);
  await rooms.views.load(record);
  log.end({ status: 'done' });
}

/** What attempts are told that wait in a browser to which somebody else's way back came. */
const STRANGER: AuthorizationEvent = {
  step: 'callback',
  outcome: 'missed',
  detail: { reason: 'a way back with an unknown state came to this browser and was not taken' },
};

/** Gives the tokens back and forgets them here, whatever the server says. */
export async function endGrant(rooms: SignInRooms, record: ConnectorRecord): Promise<void> {
  const account = accountOf(rooms, record);
  const attempt = rooms.attempts.begin(record.id);
  const provider = await account.provider(() => undefined);
  const { access_token = '', refresh_token = '' } = (await provider.tokens()) ?? {};
  const requests = tellRequests(account.http, (step) => attempt.add(step), { access_token, refresh_token });
  const { error } = await signOut(provider, {
    ...requests.http,
    serverUrl: account.serverUrl,
  });
  rooms.pending.cancel(record.id);
  forgetRefusals(rooms, record);
  await rooms.views.load(record);
  // The tokens are gone here in any case; that the server did not take them back is worth knowing.
  if (error === undefined) attempt.end({ status: 'done' });
  else endAsFailed(attempt, error, requests);
  await attempt.stored();
}

/** What was refused before says nothing of who acts from now on. */
export function forgetRefusals({ rounds, challenges, views }: SignInRooms, { id }: ConnectorRecord): void {
  rounds.forget(id);
  challenges.delete(id);
  views.asked(id, undefined);
}

/** Takes down how it went when the host got no tokens although nobody was there (K42). */
export function tellFailure(
  rooms: SignInRooms,
  connectorId: string,
  { steps, cause, message }: UnseenFailure,
): void {
  const attempt = rooms.attempts.begin(connectorId);
  for (const step of steps) attempt.add(step);
  attempt.end({ status: 'failed', cause, message });
}

/** Ends an attempt with what it failed with, and answers the refusal that says so. */
function endAsFailed(attempt: AttemptLog, error: unknown, requests: ToldRequests): ApiRefusal {
  const { cause, message } = requests.failure(error);
  attempt.end({ status: 'failed', cause, message });
  return new ApiRefusal('upstream_failed', message, [`cause: ${cause}`]);
}
