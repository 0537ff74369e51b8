import type { FetchLike } from '@portico/spec';
import { DpopSession, isDpopNonceChallenge } from './dpop-session.ts';
import type { OAuthClientProvider } from './provider.ts';

/** Wraps a fetch function in another. */
type FetchMiddleware = (next: FetchLike) => FetchLike;

/** The token now; undefined leaves requests as they are. */
export type DpopTokenSource = () => string | undefined | Promise<string | undefined>;

/** A session, or where it comes from; undefined leaves requests as they are. */
export type DpopSessionSource =
  | DpopSession
  | (() => DpopSession | undefined | Promise<DpopSession | undefined>);

/**
 * Sends a bound token with each request, and a proof made for it; once more with the nonce that a server
 * asks for. Keep it innermost, so that it sees what is really sent. Source: RFC 9449, section 7.
 */
export function withDpop(session: DpopSessionSource, getToken: DpopTokenSource): FetchMiddleware {
  return (next) =>
    async (input, init = {}) => {
      const dpop = session instanceof DpopSession ? session : await session();
      const accessToken = dpop === undefined ? undefined : await getToken();
      if (dpop === undefined || accessToken === undefined) return next(input, init);
      const request = async (): Promise<Response> => {
        const headers = new Headers(init.headers);
        headers.set('authorization', `DPoP ${accessToken}`);
        headers.set('dpop', await dpop.buildProof({ htm: init.method ?? 'GET', htu: input, accessToken }));
        const response = await next(input, { ...init, headers });
        dpop.observeNonce(response, input);
        return response;
      };
      const response = await request();
      const isAsked = isDpopNonceChallenge(response) && response.headers.has('dpop-nonce');
      // A body that was a stream is spent.
      if (!isAsked || init.body instanceof ReadableStream) return response;
      await response.body?.cancel();
      return request();
    };
}

/** As {@link withDpop} with a provider's session and tokens; tokens that are not bound go as they are. */
export function withDpopFromProvider(provider: OAuthClientProvider): FetchMiddleware {
  return withDpop(
    () => provider.dpop?.(),
    async () => {
      const tokens = await provider.tokens();
      return tokens?.token_type.toLowerCase() === 'dpop' ? tokens.access_token : undefined;
    },
  );
}
