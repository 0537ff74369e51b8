import type { SignInCause } from '@portico/api';
import type { AuthorizationEvent, AuthorizationHttp } from '@portico/oauth';
import type { GuardedHttp } from './account-http.ts';
import { signInCause } from './sign-in-causes.ts';
import { watchRequests } from './watched-requests.ts';

/** Longest sentence of an error that is kept, in UTF-16 units. */
const MAX_MESSAGE = 300;

/** Why requests came to nothing, for the log. */
export interface ToldFailure {
  readonly cause: SignInCause;
  readonly message: string;
}

/** Requests whose steps are told, without the secrets that they carry. */
export interface ToldRequests {
  readonly http: AuthorizationHttp;
  failure(error: unknown): ToldFailure;
}

/**
 * @param tell hears each step
 * @param known secrets that came another way, by name
 */
export function tellRequests(
  http: GuardedHttp,
  tell: (event: AuthorizationEvent) => void,
  known: Readonly<Record<string, string>> = {},
): ToldRequests {
  const { http: watched, hide, skewMs } = watchRequests(http, known);
  const hidden = (value: string | number | boolean | readonly string[]) => {
    if (typeof value === 'string') return hide(value);
    return typeof value === 'object' ? value.map(hide) : value;
  };
  return {
    http: {
      ...watched,
      observer({ detail, ...event }) {
        const shown = Object.entries(detail ?? {}).map(([name, value]) => [name, hidden(value)] as const);
        tell(detail === undefined ? event : { ...event, detail: Object.fromEntries(shown) });
      },
    },
    failure(error) {
      const said = error instanceof Error ? error.message : 'The sign-in failed.';
      return { cause: signInCause(error, skewMs()), message: hide(said).slice(0, MAX_MESSAGE) };
    },
  };
}
