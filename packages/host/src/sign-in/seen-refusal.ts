import { extractWWWAuthenticateParams } from '@portico/oauth';

/** Longest reason of a server that is kept, in UTF-16 units. */
const MAX_REASON = 300;
/** Longest list of scopes that is kept, in UTF-16 units, and most scopes of it. */
const MAX_SCOPE = 4_000;
const MAX_SCOPES = 50;

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
  const { scope, resourceMetadataUrl, error, errorDescription } = extractWWWAuthenticateParams(response);
  return {
    status: response.status,
    ...(scope === undefined || scope.length > MAX_SCOPE ? {} : { scope }),
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    ...(errorDescription === undefined ? {} : { reason: plain(errorDescription) }),
    lacksScope: response.status === 403 && error === 'insufficient_scope',
    wasOpen: token === undefined,
  };
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
