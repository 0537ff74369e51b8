import type { AuthorizationServerMetadata, OAuthClientInformationMixed } from '../documents.ts';
import { applyClientAuthentication, requireClientAuthMethod } from './client-authentication.ts';
import { discover } from './discovery.ts';
import { watchFailures } from './failure-steps.ts';
import { errorFromText } from './oauth-answers.ts';
import type { AddClientAuthentication, OAuthClientProvider } from './provider.ts';
import { alone } from './refresh.ts';
import { observe, send, shownUrl } from './requests.ts';
import type { AuthorizationHttp } from './requests.ts';
import { isIssuer } from './server-metadata.ts';
import { assertSecureTokenEndpoint } from './token-endpoint.ts';

/** One token that is given back. */
export interface RevocationRequest {
  readonly http: AuthorizationHttp;
  readonly metadata: AuthorizationServerMetadata;
  readonly token: string;
  readonly hint: 'access_token' | 'refresh_token';
  readonly client?: OAuthClientInformationMixed | undefined;
  readonly addClientAuthentication?: AddClientAuthentication | undefined;
}

/**
 * Gives a token back to its server. Source: RFC 7009.
 *
 * @returns false where the server has no place for that
 * @throws OAuthError what the server answers
 * @throws OAuthClientFlowError `client_auth_unsupported`, `network`, `answer_timeout`, `answer_too_large`,
 *   `url_refused`, InsecureTokenEndpointError
 */
export async function revokeToken(request: RevocationRequest): Promise<boolean> {
  const { http, metadata, token, hint, client, addClientAuthentication } = request;
  const endpoint = metadata.revocation_endpoint;
  if (endpoint === undefined) return false;
  const url = assertSecureTokenEndpoint(endpoint);
  const params = new URLSearchParams({ token, token_type_hint: hint });
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
  if (addClientAuthentication !== undefined) await addClientAuthentication(headers, params, url, metadata);
  else if (client !== undefined) {
    const supported =
      metadata.revocation_endpoint_auth_methods_supported ?? metadata.token_endpoint_auth_methods_supported;
    applyClientAuthentication(requireClientAuthMethod(client, supported), client, { headers, params });
  }
  const answer = await send(http, { step: 'revocation', url, headers, body: params });
  const isDone = answer.status >= 200 && answer.status < 300;
  observe(http, {
    step: 'revocation',
    request: { method: 'POST', url: shownUrl(url) },
    status: answer.status,
    outcome: isDone ? 'granted' : 'refused',
    detail: { hint },
  });
  if (!isDone) throw errorFromText(answer.text, answer.status);
  return true;
}

/** What signing out is told. */
export interface SignOutOptions extends AuthorizationHttp {
  readonly serverUrl: string | URL;
}

/** What signing out came to. */
export interface SignOutReport {
  /** Whether the server took the tokens back; false where it has no place for that or refused. */
  readonly revoked: boolean;
  /** Why it did not; the tokens are gone here all the same. */
  readonly error?: unknown;
}

/**
 * Gives all tokens back, as far as the server takes them, and then forgets them whatever it said. The
 * registration stays, so that signing in again needs no new one.
 *
 * @throws what the provider throws while it forgets
 */
export async function signOut(
  provider: OAuthClientProvider,
  options: SignOutOptions,
): Promise<SignOutReport> {
  const watched = watchFailures(options);
  // Alone, so that a renewal under way cannot store new tokens behind this.
  return alone(provider, async () => {
    try {
      return await revokeAll(provider, watched.options);
    } catch (error) {
      watched.tellFailure(error);
      return { revoked: false, error };
    } finally {
      await provider.invalidateCredentials?.('tokens');
    }
  });
}

async function revokeAll(
  provider: OAuthClientProvider,
  { serverUrl, ...http }: SignOutOptions,
): Promise<SignOutReport> {
  const tokens = await provider.tokens();
  if (tokens === undefined) return { revoked: false };
  const known = await provider.discoveryState?.();
  const metadata =
    known?.authorizationServerMetadata ?? (await discover(serverUrl, { http })).authorizationServerMetadata;
  // Tokens of another issuer are none of this one's business.
  if (tokens.issuer !== undefined && !isIssuer(tokens.issuer, metadata.issuer)) return { revoked: false };
  const { addClientAuthentication } = provider;
  const client = await provider.clientInformation({ issuer: metadata.issuer });
  const common = { http, metadata, client, addClientAuthentication };
  // The refresh token first: with it goes the whole grant at most servers.
  const given: [string | undefined, RevocationRequest['hint']][] = [
    [tokens.refresh_token, 'refresh_token'],
    [tokens.access_token, 'access_token'],
  ];
  const errors: unknown[] = [];
  let revoked = false;
  for (const [token, hint] of given) {
    if (token === undefined) continue;
    try {
      revoked = await revokeToken({ ...common, token, hint });
    } catch (error) {
      // One that is not taken back says nothing of the other.
      errors.push(error);
    }
  }
  return errors.length === 0 ? { revoked } : { revoked: false, error: errors[0] };
}
