import type { AuthorizationEvent } from '@portico/oauth';
import type { Account } from './accounts.ts';
import { tellRequests } from './told-requests.ts';
import type { ToldFailure, ToldRequests } from './told-requests.ts';

/** How it went when tokens could not be got while nobody looked. */
export interface UnseenFailure extends ToldFailure {
  readonly steps: readonly AuthorizationEvent[];
}

/** Requests that nobody looks at: what they did is kept until they turn out to have failed. */
export interface UnseenRequests {
  readonly http: ToldRequests['http'];
  failure(error: unknown): UnseenFailure;
}

/** Makes requests of an account whose steps are worth telling only when they fail. */
export function unseenRequests(account: Account): UnseenRequests {
  const steps: AuthorizationEvent[] = [];
  const requests = tellRequests(account.http, (event) => steps.push(event));
  return { http: requests.http, failure: (error) => ({ ...requests.failure(error), steps }) };
}
