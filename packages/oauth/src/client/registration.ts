import type { FetchLike } from '@portico/spec';
import type {
  AuthorizationServerMetadata,
  OAuthClientInformationFull,
  OAuthClientMetadata,
} from '../documents.ts';
import { OAuthClientFlowError, RegistrationRejectedError } from '../flow-errors.ts';
import { failureDetail } from './failure-steps.ts';
import { parseDocument } from './json-document.ts';
import { errorFromText } from './oauth-answers.ts';
import { observe, send, shownUrl } from './requests.ts';
import type { AuthorizationHttp } from './requests.ts';

/** Characters of a refusal that are kept. */
const KEPT_LENGTH = 4_096;

/** One registration. */
export interface RegistrationRequest {
  readonly http: AuthorizationHttp;
  /** Where to register. */
  readonly endpoint: string;
  readonly clientMetadata: OAuthClientMetadata;
  /** Replaces the scope of the metadata. */
  readonly scope?: string | undefined;
}

function unusable(url: string, status: number): OAuthClientFlowError {
  const data = { url, status, reason: 'it holds no client id' };
  return new OAuthClientFlowError('answer_unusable', { data, step: 'registration' });
}

/** Registers a client. @throws as {@link registerClient} */
export async function requestRegistration(request: RegistrationRequest): Promise<OAuthClientInformationFull> {
  const { http, clientMetadata, scope } = request;
  const submittedMetadata: OAuthClientMetadata = {
    ...clientMetadata,
    ...(scope === undefined ? {} : { scope }),
  };
  const url = new URL(request.endpoint);
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json' });
  const body = JSON.stringify(submittedMetadata);
  const asked = { step: 'registration', request: { method: 'POST', url: shownUrl(url) } } as const;
  const answer = send(http, { step: 'registration', url, headers, body });
  const { status, text } = await answer.catch((error: unknown) => {
    observe(http, { ...asked, outcome: 'failed', detail: failureDetail(error) });
    throw error;
  });
  const seen = { ...asked, status };
  if (status < 200 || status > 299) {
    observe(http, { ...seen, outcome: 'refused', detail: failureDetail(errorFromText(text, status)) });
    throw new RegistrationRejectedError({ status, body: text.slice(0, KEPT_LENGTH), submittedMetadata });
  }
  const document = parseDocument(text);
  const { client_id: id, client_secret: secret } = document ?? {};
  if (typeof id !== 'string' || id === '') {
    const error = unusable(seen.request.url, status);
    observe(http, { ...seen, outcome: 'failed', detail: failureDetail(error) });
    throw error;
  }
  observe(http, { ...seen, outcome: 'granted' });
  // Null means the same as leaving it out to servers that write it.
  const { client_secret: _secret, ...rest } = document as unknown as OAuthClientInformationFull;
  return typeof secret === 'string' ? { ...rest, client_secret: secret } : rest;
}

/**
 * Registers a client with an authorization server. Use `resolveClientMetadata` for the defaults that a
 * sign-in fills in.
 *
 * @deprecated the protocol prefers ids that are addresses of metadata documents
 * @throws RegistrationRejectedError what the server said, and what was sent
 * @throws OAuthClientFlowError `client_id_needed` when the server takes no registrations, `answer_unusable`,
 *   `url_refused`, `network`, `answer_timeout`, `answer_too_large`
 */
export async function registerClient(
  authorizationServerUrl: string | URL,
  options: {
    readonly metadata?: AuthorizationServerMetadata;
    readonly clientMetadata: OAuthClientMetadata;
    /** Replaces the scope of the metadata. */
    readonly scope?: string;
    readonly fetchFn?: FetchLike;
  },
): Promise<OAuthClientInformationFull> {
  const { metadata, clientMetadata, scope, fetchFn } = options;
  const guessed = metadata === undefined ? new URL('/register', authorizationServerUrl).href : undefined;
  const endpoint = metadata?.registration_endpoint ?? guessed;
  if (endpoint === undefined) {
    const data = { issuer: metadata?.issuer ?? String(authorizationServerUrl) };
    throw new OAuthClientFlowError('client_id_needed', { data, step: 'registration' });
  }
  return requestRegistration({ http: { fetchFn }, endpoint, clientMetadata, scope });
}
