import type { FetchLike } from '@portico/spec';
import { extractWWWAuthenticateParams } from '../challenge.ts';
import { UnauthorizedError } from '../flow-errors.ts';
import { auth } from './auth.ts';
import type { OAuthClientProvider } from './provider.ts';
import { withDpopFromProvider } from './with-dpop.ts';

async function signIn(
  provider: OAuthClientProvider,
  response: Response,
  options: { readonly serverUrl: string | URL; readonly fetchFn: FetchLike },
): Promise<void> {
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  let result: string;
  try {
    result = await auth(provider, { ...options, resourceMetadataUrl, scope });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : 'the sign-in failed';
    throw new UnauthorizedError(message, { cause });
  }
  if (result === 'REDIRECT')
    throw new UnauthorizedError('Somebody was sent to sign in; ask again afterwards.');
}

/**
 * Sends a provider's token with each request, signs in when it is refused, and asks once more. The
 * transports of this package do that by themselves.
 *
 * The function rejects with UnauthorizedError: its cause says why the sign-in failed. Source: W227.
 *
 * @param baseUrl the server that is signed in to; the origin of each request by default
 */
export function withOAuth(
  provider: OAuthClientProvider,
  baseUrl?: string | URL,
): (next: FetchLike) => FetchLike {
  return (next) => {
    const proving = withDpopFromProvider(provider)(next);
    return async (input, init = {}) => {
      const request = async (): Promise<Response> => {
        const headers = new Headers(init.headers);
        const tokens = await provider.tokens();
        if (tokens !== undefined) headers.set('authorization', `Bearer ${tokens.access_token}`);
        return proving(input, { ...init, headers });
      };
      const response = await request();
      if (response.status !== 401) return response;
      await signIn(provider, response, { serverUrl: baseUrl ?? new URL(input).origin, fetchFn: next });
      await response.body?.cancel();
      const again = await request();
      if (again.status !== 401) return again;
      throw new UnauthorizedError(`The server refuses a fresh token, too: ${new URL(input).origin}`);
    };
  };
}
