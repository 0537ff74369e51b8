import { finishAuthorization } from '@portico/oauth';
import type { FetchLike } from '@portico/spec';
import type { Environment, Page } from './environment.ts';
import { createAccountStore, findPlace } from './sign-in/account-store.ts';
import { reopenAccount } from './sign-in/account.ts';
import type { Account } from './sign-in/account.ts';
import { LEFT_PAGE, createFlowRecords, flowName } from './sign-in/flow-records.ts';
import type { FlowRecord, Outcome } from './sign-in/flow-records.ts';
import { toSignInFailure } from './sign-in/sign-in-failure.ts';
import { openTabMessages } from './sign-in/tab-messages.ts';
import type { TabMessage } from './sign-in/tab-messages.ts';

/** Characters of a `state` that is looked for. */
const MAX_STATE_LENGTH = 200;
/** What servers add to the address; all else in its query is the application's. */
const ADDED = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'scope', 'session_state'];

/** What became of somebody who came back. */
export interface CallbackReport {
  /** `nothing` when nobody did, or when that was dealt with before; `unknown` when it is nobody's sign-in here. */
  readonly outcome: 'nothing' | 'signed_in' | 'refused' | 'unknown';
  /** For people: plain text, in which a server's words may be. */
  readonly text: string;
  /** The page is being left for the one where the sign-in began. */
  readonly leaves: boolean;
}

export interface FinishCallbackOptions {
  readonly environment: Environment;
  /** Makes the fetch that goes to authorization servers by such a proxy, or without one. */
  readonly oauthFetch: (oauthProxyUrl: string | undefined) => FetchLike;
}

/** A flow that somebody came back to. */
interface Found {
  readonly account: Account;
  readonly state: string;
  readonly record: FlowRecord;
}

const TEXTS = {
  nothing: '',
  signed_in: 'You are signed in. This window can be closed.',
  unknown:
    'This sign-in is not known here: it was used already, took too long, or began somewhere else. Please start it again.',
} as const;

/**
 * Ends the sign-in that the page's present address comes back from, however often it is called: the address
 * loses what the server added, so that the code is used once. Whoever waits in another tab learns of it by
 * the storage. Source: R69, R70; never rejects over what a server did.
 *
 * @throws what the storage throws
 */
export async function finishCallback(options: FinishCallbackOptions): Promise<CallbackReport> {
  const { environment } = options;
  const { page, locks } = environment;
  const params = page === undefined ? undefined : callbackOf(page);
  if (page === undefined || params === undefined) return report('nothing');
  return locks.run(`callback ${params.get('state') ?? ''}`, async () => {
    // Whoever was called first has dealt with it.
    const now = callbackOf(page);
    if (now === undefined) return report('nothing');
    let left: string | undefined;
    try {
      const found = await find(options, now.get('state'));
      if (found === undefined) return report('unknown');
      left = wayBack(page, found.record.returnTo);
      return await finish(found, { environment, params: now, leaves: left !== undefined });
    } finally {
      page.replaceAddress(cleaned(page));
      tell(environment, { type: 'callback-done' });
      if (left !== undefined) page.navigate(left);
    }
  });
}

function report(outcome: CallbackReport['outcome'] & keyof typeof TEXTS): CallbackReport {
  return { outcome, text: TEXTS[outcome], leaves: false };
}

function callbackOf({ href }: Page): URLSearchParams | undefined {
  const params = new URL(href).searchParams;
  return params.has('code') || params.has('error') ? params : undefined;
}

function cleaned({ href }: Page): string {
  const url = new URL(href);
  for (const name of ADDED) url.searchParams.delete(name);
  return url.href;
}

function tell(environment: Environment, message: TabMessage): void {
  const messages = openTabMessages(environment);
  messages.post(message);
  messages.close();
}

async function find(
  { environment, oauthFetch }: FinishCallbackOptions,
  state: string | null,
): Promise<Found | undefined> {
  if (state === null || state === '' || state.length > MAX_STATE_LENGTH) return undefined;
  const place = await findPlace(environment.storage, flowName(state));
  if (place === undefined) return undefined;
  const store = createAccountStore(environment.storage, place);
  const record = await createFlowRecords(store, environment.clock).find(state);
  if (record === undefined) return undefined;
  return { account: reopenAccount(environment, place, oauthFetch(record.oauthProxyUrl)), state, record };
}

async function finish(
  { account, state, record }: Found,
  context: { readonly environment: Environment; readonly params: URLSearchParams; readonly leaves: boolean },
): Promise<CallbackReport> {
  const { environment, params, leaves } = context;
  const outcome = await exchange(account, params);
  const { failure } = outcome;
  if (!leaves) await account.records.saveOutcome(record.id, outcome);
  else if (failure !== undefined) await account.records.saveOutcome(LEFT_PAGE, outcome);
  await account.records.drop(state, account.provider());
  if (!leaves) tell(environment, { type: 'flow-ended', id: record.id });
  return failure === undefined
    ? { outcome: 'signed_in', text: TEXTS.signed_in, leaves }
    : { outcome: 'refused', text: failure.message, leaves };
}

/** The tokens are stored while nobody renews or removes any: the exchange sees to that. */
async function exchange(account: Account, params: URLSearchParams): Promise<Outcome> {
  try {
    await finishAuthorization(account.provider(), params, account.authOptions());
    return {};
  } catch (error) {
    return { failure: toSignInFailure(error) };
  }
}

/** The page that was left, if it is one of ours. Source: R167. */
function wayBack(page: Page, returnTo: string | undefined): string | undefined {
  if (returnTo === undefined || !URL.canParse(returnTo)) return undefined;
  return new URL(returnTo).origin === new URL(page.href).origin ? returnTo : undefined;
}
