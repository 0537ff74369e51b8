import {
  isScopeToken,
  type OAuthClientInformationFull,
  OAuthError,
  OAuthErrorCode,
  type PlainAnswer,
  scopeWords,
} from '@portico/oauth/resource';
import { errorAnswer, NO_STORE, refuse, toOAuthError } from './oauth-answers.ts';
import type { AuthorizationParams, OAuthServerProvider } from './provider.ts';
import { AnswerRecorder } from './answer-recorder.ts';
import { isRedirectUri, redirectUriMatches } from './redirect-uris.ts';
import { needed, type Params, paramsOf, readForm, resourceOf } from './request-params.ts';

/** What the endpoint needs of its router. */
export interface AuthorizationEndpointOptions {
  readonly provider: OAuthServerProvider;
  readonly issuer: string;
  readonly scopesSupported: readonly string[] | undefined;
  readonly report: (error: Error) => void;
}

/** Pages of this endpoint are shown in no frame, and their addresses are told to nobody. */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...NO_STORE,
  'content-security-policy': "frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

/** SHA-256 in base64url is this long. */
const CHALLENGE = /^[\w-]{43}$/;

/**
 * Answers an authorization request. Until the client's own address is certain, errors are answered
 * here; only then do they go there.
 * @see W233
 */
export async function authorizationAnswer(
  request: Request,
  options: AuthorizationEndpointOptions,
): Promise<PlainAnswer> {
  const { provider, issuer, report } = options;
  let params: Params;
  let client: OAuthClientInformationFull;
  let redirectUri: string;
  try {
    params =
      request.method === 'POST' ? await readForm(request) : paramsOf(new URL(request.url).searchParams);
    client = await knownClient(needed(params, 'client_id'), provider);
    redirectUri = certainRedirect(params.get('redirect_uri'), client);
  } catch (error) {
    return errorAnswer(toOAuthError(error, report), PAGE_HEADERS);
  }
  const state = params.get('state');
  try {
    const asked: AuthorizationParams = {
      ...checkedParams(params, options),
      redirectUri,
      issuer,
      ...(state === undefined ? {} : { state }),
    };
    const withIssuer = provider.authorizationResponseIssParameterSupported !== false;
    const recorder = new AnswerRecorder(redirectUri, withIssuer ? issuer : undefined);
    await provider.authorize(client, asked, recorder);
    const { answer } = recorder;
    if (answer !== undefined) return { ...answer, headers: { ...PAGE_HEADERS, ...answer.headers } };
    throw new TypeError('The provider gave no answer to an authorization request.');
  } catch (error) {
    const { code, message, errorUri } = toOAuthError(error, report);
    const location = new URL(redirectUri);
    location.searchParams.set('error', code);
    location.searchParams.set('error_description', message);
    if (errorUri !== undefined) location.searchParams.set('error_uri', errorUri);
    if (state !== undefined) location.searchParams.set('state', state);
    location.searchParams.set('iss', issuer);
    return { status: 302, headers: { ...PAGE_HEADERS, location: location.href } };
  }
}

async function knownClient(
  id: string,
  { clientsStore }: OAuthServerProvider,
): Promise<OAuthClientInformationFull> {
  return (
    (await clientsStore.getClient(id)) ?? refuse(OAuthErrorCode.InvalidClient, 'The client is not known.')
  );
}

/** One of the addresses that the client registered, and one that codes may be sent to. */
function certainRedirect(
  requested: string | undefined,
  { redirect_uris: registered }: OAuthClientInformationFull,
): string {
  const [only, second] = registered;
  const uri = requested ?? (second === undefined ? only : undefined);
  if (uri === undefined) {
    return refuse(OAuthErrorCode.InvalidRequest, 'The client has several addresses and names none.');
  }
  if (!isRedirectUri(uri) || !registered.some((each) => redirectUriMatches(uri, each))) {
    refuse(OAuthErrorCode.InvalidRequest, 'The redirect_uri is not one that the client registered.');
  }
  return uri;
}

/** @throws OAuthError `unsupported_response_type`, `invalid_request`, `invalid_scope`, `invalid_target` */
function checkedParams(
  params: Params,
  { scopesSupported }: AuthorizationEndpointOptions,
): Omit<AuthorizationParams, 'redirectUri'> {
  if (needed(params, 'response_type') !== 'code') {
    throw new OAuthError(OAuthErrorCode.UnsupportedResponseType, 'Only codes are given out.');
  }
  const codeChallenge = needed(params, 'code_challenge');
  if (params.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(codeChallenge)) {
    refuse(OAuthErrorCode.InvalidRequest, 'PKCE is needed, with the method S256.');
  }
  const scopes = scopeWords(params.get('scope') ?? '');
  const known = (scope: string): boolean => scopesSupported?.includes(scope) ?? true;
  if (!scopes.every((scope) => isScopeToken(scope) && known(scope))) {
    refuse(OAuthErrorCode.InvalidScope, 'A scope is not known here.');
  }
  const resource = resourceOf(params);
  return { codeChallenge, scopes, ...(resource === undefined ? {} : { resource }) };
}
