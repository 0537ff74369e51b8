import type { AuthorizationServerMetadata, OAuthClientInformationMixed, OAuthTokens } from '../documents.ts';
import { OAuthError, OAuthErrorCode } from '../errors.ts';
import { InsecureTokenEndpointError, OAuthClientFlowError } from '../flow-errors.ts';
import type { AuthorizationStep } from '../steps.ts';
import { applyClientAuthentication, requireClientAuthMethod } from './client-authentication.ts';
import type { DpopSession } from './dpop-session.ts';
import { failureDetail } from './failure-steps.ts';
import { parseDocument } from './json-document.ts';
import { errorFromText, errorOf, readTokens } from './oauth-answers.ts';
import type { AddClientAuthentication } from './provider.ts';
import { observe, send, shownUrl } from './requests.ts';
import type { AuthorizationAnswer, AuthorizationHttp } from './requests.ts';
import { isConfidential } from './url-filter.ts';

/**
 * Lets secrets go to https only, and to this machine. Source: W226.
 *
 * @throws InsecureTokenEndpointError
 */
export function assertSecureTokenEndpoint(tokenEndpoint: string | URL): URL {
  const url = new URL(tokenEndpoint);
  if (!isConfidential(url)) throw new InsecureTokenEndpointError(url.href);
  return url;
}

/** One request for tokens. */
export interface TokenRequest {
  readonly http: AuthorizationHttp;
  readonly step: AuthorizationStep;
  readonly metadata: AuthorizationServerMetadata;
  /** The grant; what belongs to the request is added to it. */
  readonly params: URLSearchParams;
  readonly client?: OAuthClientInformationMixed | undefined;
  readonly addClientAuthentication?: AddClientAuthentication | undefined;
  readonly resource?: string | undefined;
  readonly dpop?: DpopSession | undefined;
}

/** @throws OAuthClientFlowError `client_auth_unsupported` */
async function authenticate(request: TokenRequest, url: URL, headers: Headers): Promise<void> {
  const { metadata, params, client, addClientAuthentication } = request;
  if (addClientAuthentication !== undefined) {
    await addClientAuthentication(headers, params, url, metadata);
    return;
  }
  if (client === undefined) return;
  const method = requireClientAuthMethod(client, metadata.token_endpoint_auth_methods_supported);
  applyClientAuthentication(method, client, { headers, params });
}

/**
 * A server that lists algorithms takes no others. Source: RFC 9449, section 5.1.
 *
 * @throws OAuthClientFlowError `dpop_unsupported`
 */
function assertProvable({ metadata, dpop, step }: TokenRequest): void {
  const supported = metadata.dpop_signing_alg_values_supported;
  if (dpop === undefined || supported === undefined || supported.includes(dpop.alg)) return;
  throw new OAuthClientFlowError('dpop_unsupported', { data: { alg: dpop.alg, supported }, step });
}

/** Makes the request, and once more with the nonce that the server asks for. */
async function sendProved(request: TokenRequest, url: URL): Promise<AuthorizationAnswer> {
  const { http, step, params, dpop } = request;
  for (let proved = 0; ; proved++) {
    const headers = new Headers({
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    });
    // A signed assertion is good for one request, so it is made anew each time.
    await authenticate(request, url, headers);
    if (dpop !== undefined) headers.set('dpop', await dpop.buildProof({ htm: 'POST', htu: url }));
    const answer = await send(http, { step, url, headers, body: params });
    const nonce = answer.headers.get('dpop-nonce');
    if (dpop === undefined || nonce === null) return answer;
    dpop.rememberNonce(url, nonce);
    const isAskedFor = errorOf(parseDocument(answer.text))?.code === OAuthErrorCode.UseDpopNonce;
    if (!isAskedFor || proved > 0) return answer;
  }
}

/** @throws OAuthError what the server answers, in a 200 too */
function readAnswer({ step }: TokenRequest, { status, text, url }: AuthorizationAnswer): OAuthTokens {
  if (status < 200 || status > 299) throw errorFromText(text, status);
  const document = parseDocument(text);
  const tokens = readTokens(document);
  if (tokens !== undefined) return tokens;
  const error = errorOf(document);
  if (error !== undefined) throw error;
  const data = { url: shownUrl(url), status, reason: 'it holds no token' };
  throw new OAuthClientFlowError('answer_unusable', { data, step });
}

/**
 * Asks the token endpoint, and nobody else: redirects are not followed, since the request holds secrets.
 *
 * @throws OAuthError what the server answers
 * @throws InsecureTokenEndpointError
 * @throws OAuthClientFlowError `client_auth_unsupported`, `answer_unusable`, `network`, `answer_timeout`,
 *   `answer_too_large`, `url_refused`
 */
export async function requestTokens(request: TokenRequest): Promise<OAuthTokens> {
  const { http, step, params, metadata, resource } = request;
  assertProvable(request);
  const url = assertSecureTokenEndpoint(metadata.token_endpoint);
  if (resource !== undefined) params.set('resource', resource);
  const seen = { method: 'POST', url: shownUrl(url) };
  const grant = params.get('grant_type') ?? '';
  let answered: { readonly status?: number } = {};
  try {
    const answer = await sendProved(request, url);
    answered = { status: answer.status };
    const tokens = readAnswer(request, answer);
    const { scope } = tokens;
    const detail = { grant, ...(scope === undefined ? {} : { scope }) };
    observe(http, { step, request: seen, ...answered, outcome: 'granted', detail });
    return tokens;
  } catch (error) {
    const outcome = error instanceof OAuthError ? 'refused' : 'failed';
    observe(http, { step, request: seen, ...answered, outcome, detail: { grant, ...failureDetail(error) } });
    throw error;
  }
}
