import { SdkHttpError } from '@portico/client';
import { InsufficientScopeError, UnauthorizedError } from '@portico/oauth';
import type { SignInCause } from '@portico/api';
import type { CallToolResult } from '@portico/spec';
import { hasOwnAuthorization } from '../gateway/own-authorization.ts';
import type { Account } from './accounts.ts';
import type { ConnectorRecord } from '../ports/stores.ts';
import { MAX_ROUNDS } from './refusal-rounds.ts';
import { refusalInResult, scopesIn } from './seen-refusal.ts';
import type { SeenRefusal } from './seen-refusal.ts';
import { lookAhead } from './sign-in-flow.ts';
import type { SignInRooms } from './sign-in-flow.ts';

/**
 * Takes a refusal down, for the person and for the sign-in that answers it, and says what the request ends
 * with. A server that is not content after two sign-ins for the same thing is asked no more (K47).
 */
export function takeRefusal(
  rooms: SignInRooms,
  record: ConnectorRecord,
  [account, refusal]: readonly [Account, SeenRefusal],
): Error {
  const verdict = rooms.rounds.refused(record.id, needOf(refusal));
  if (verdict !== 'helps') {
    if (verdict === 'over') endForGood(rooms, record, refusal);
    return finalError(refusal);
  }
  rooms.challenges.set(record.id, refusal);
  rooms.views.asked(record.id, askOf(refusal));
  void lookAhead(rooms, record, account);
  return errorOf(refusal);
}

/**
 * Takes a tool's result for the refusal that it may be.
 *
 * @returns what the call ends with; undefined for a result as any other
 */
export function takeResult(
  rooms: SignInRooms,
  record: ConnectorRecord,
  result: CallToolResult,
): Error | undefined {
  const account = rooms.accounts.of(record);
  const view = rooms.views.of(record);
  if (account === undefined || view === undefined || hasOwnAuthorization(record)) return undefined;
  const refusal = refusalInResult(result, view.signedIn);
  return refusal === undefined ? undefined : takeRefusal(rooms, record, [account, refusal]);
}

/** Takes down that a grant is void. However often that happens, a sign-in helps. */
export function takeLoss(rooms: SignInRooms, record: ConnectorRecord, account: Account): Error {
  rooms.views.asked(record.id, undefined);
  void lookAhead(rooms, record, account);
  return new UnauthorizedError('The sign-in has ended.');
}

/** Whether the server publishes who signs people in to it. */
export async function offersSignIn(
  rooms: SignInRooms,
  record: ConnectorRecord,
  account: Account,
): Promise<boolean> {
  await lookAhead(rooms, record, account);
  return rooms.views.of(record)?.opens !== undefined;
}

/** Finds out once a server whether one could sign in to it, where nobody is. */
export function lookForOffer(rooms: SignInRooms, record: ConnectorRecord): void {
  const { accounts, views, offered } = rooms;
  const account = accounts.of(record);
  const view = views.of(record);
  if (account === undefined || view === undefined || view.signedIn || view.opens !== undefined) return;
  if (offered.get(record.id) === account.serverUrl || hasOwnAuthorization(record)) return;
  offered.set(record.id, account.serverUrl);
  void lookAhead(rooms, record, account);
}

/** What is refused, as one text: the same for the same refusal. */
function needOf({ lacksScope, scope }: SeenRefusal): string {
  return lacksScope ? `scope ${[...scopesIn(scope)].sort().join(' ')}` : 'sign-in';
}

/** What the person is asked for beside the sign-in as such. */
function askOf({ lacksScope, wasOpen, scope, reason }: SeenRefusal) {
  if (!lacksScope && !wasOpen) return undefined;
  return { scopes: [...scopesIn(scope)], ...(reason === undefined ? {} : { reason }) };
}

/** Whoever was open, or has too little, can go on with the rest of what the server offers. */
function errorOf({ lacksScope, wasOpen, scope, resourceMetadataUrl, reason }: SeenRefusal): Error {
  if (!lacksScope && !wasOpen) return new UnauthorizedError('The server asks for a sign-in.');
  return new InsufficientScopeError({
    ...(scope === undefined ? {} : { requiredScope: scope }),
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    ...(reason === undefined ? {} : { errorDescription: reason }),
  });
}

function finalError({ status, lacksScope, scope }: SeenRefusal): Error {
  // The number is what makes it another problem than a plain no.
  const data = { status, afterSignIns: MAX_ROUNDS };
  return new SdkHttpError('CLIENT_HTTP_FORBIDDEN', sentenceOf(lacksScope, scope), data);
}

function sentenceOf(lacksScope: boolean, scope: string | undefined): string {
  const what = lacksScope ? `wants ${scopesIn(scope).join(' ')}` : 'refuses';
  return `After two sign-ins the server still ${what}.`;
}

function endForGood(rooms: SignInRooms, record: ConnectorRecord, refusal: SeenRefusal): void {
  const { lacksScope, scope, status } = refusal;
  const cause: SignInCause = lacksScope ? 'scope_too_small' : 'still_refused';
  const attempt = rooms.attempts.begin(record.id);
  attempt.add({
    step: 'challenge',
    outcome: 'refused',
    status,
    ...(scope === undefined ? {} : { detail: { scope } }),
  });
  rooms.challenges.delete(record.id);
  rooms.views.asked(record.id, undefined);
  attempt.end({ status: 'failed', cause, message: sentenceOf(lacksScope, scope) });
}
