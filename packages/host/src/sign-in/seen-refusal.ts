import { extractWWWAuthenticateParams, readChallenge } from '@portico/oauth';
import type { ChallengeParams } from '@portico/oauth';
import type { CallToolResult } from '@portico/spec';

/** Longest reason of a server that is kept, in UTF-16 units. */
const MAX_REASON = 300;
/** Longest list of scopes that is kept, in UTF-16 units, and most scopes of it. */
const MAX_SCOPE = 4_000;
const MAX_SCOPES = 50;
/** Where a result of a tool says what a 401 would say in its header. */
const RESULT_CHALLENGE = 'mcp/www_authenticate';
/** Most challenges of a result that are read. */
const MAX_CHALLENGES = 8;

/** What a server said when it refused a request for want of a sign-in, or of more of one. */
export interface SeenRefusal {
  readonly status: number;
  /** Scopes that it wants, separated by spaces. */
  readonly scope?: string;
  readonly resourceMetadataUrl?: URL;
  /** Its own words why; untrusted, without control and invisible characters. */
  readonly reason?: string;
  /** It takes the sign-in as such, but that is for too little. */
  readonly lacksScope: boolean;
  /** Nobody was signed in. */
  readonly wasOpen: boolean;
}

/** @param token what the refused request carried */
export function seenRefusal(response: Response, token: string | undefined): SeenRefusal {
  const params = extractWWWAuthenticateParams(response);
  return {
    status: response.status,
    ...wishesIn(params),
    lacksScope: response.status === 403 && params.error === 'insufficient_scope',
    wasOpen: token === undefined,
  };
}

/**
 * What a tool says that ran into the lack of a sign-in: servers whose door is open tell it by a challenge
 * in the result, and the request itself is answered as any other. Undefined for every other result.
 *
 * @param signedIn whether the call was made by somebody; then the sign-in is good for too little
 */
export function refusalInResult(
  { isError, _meta }: CallToolResult,
  signedIn: boolean,
): SeenRefusal | undefined {
  const said: unknown = _meta?.[RESULT_CHALLENGE];
  const lines = (Array.isArray(said) ? said.slice(0, MAX_CHALLENGES) : [said]).filter(isText);
  // A tool that did its work did not miss anything.
  if (isError !== true || lines.length === 0) return undefined;
  const wishes = wishesIn(readChallenge(lines.join(', ')));
  return { status: 401, ...wishes, lacksScope: signedIn, wasOpen: !signedIn };
}

function wishesIn({ scope, resourceMetadataUrl, errorDescription }: ChallengeParams) {
  return {
    ...(scope === undefined || scope.length > MAX_SCOPE ? {} : { scope }),
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    ...(errorDescription === undefined ? {} : { reason: plain(errorDescription) }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Single scopes of a list, as far as they can be shown. */
export function scopesIn(scope: string | undefined): readonly string[] {
  const scopes = (scope ?? '').split(/\s+/).map(plain);
  return [...new Set(scopes)].filter((name) => name !== '').slice(0, MAX_SCOPES);
}

function plain(text: string): string {
  return text
    .slice(0, MAX_REASON)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ')
    .trim();
}
