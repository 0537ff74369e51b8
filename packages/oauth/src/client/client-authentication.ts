import type { OAuthClientInformation, OAuthClientInformationMixed } from '../documents.ts';
import { OAuthClientFlowError } from '../flow-errors.ts';

/** How a client shows who it is with what a registration gives it. */
export type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'none';

const METHODS: readonly ClientAuthMethod[] = ['client_secret_basic', 'client_secret_post', 'none'];

function isKnown(method: string | undefined): method is ClientAuthMethod {
  return METHODS.some((known) => known === method);
}

function registeredMethod(client: OAuthClientInformationMixed): string | undefined {
  return 'token_endpoint_auth_method' in client ? client.token_endpoint_auth_method : undefined;
}

/**
 * The way to use, chosen from what the server supports: an empty list means that it does not say. The
 * registration's own comes first; without a common one the least that may work is named.
 */
export function selectClientAuthMethod(
  clientInformation: OAuthClientInformationMixed,
  supportedMethods: readonly string[],
): ClientAuthMethod {
  const registered = registeredMethod(clientInformation);
  const says = (method: string): boolean => supportedMethods.includes(method);
  if (isKnown(registered) && (supportedMethods.length === 0 || says(registered))) return registered;
  const hasSecret = clientInformation.client_secret !== undefined;
  // What servers have to support unless they say otherwise. Source: RFC 8414, section 2.
  if (supportedMethods.length === 0) return hasSecret ? 'client_secret_basic' : 'none';
  if (hasSecret && says('client_secret_basic')) return 'client_secret_basic';
  if (hasSecret && says('client_secret_post')) return 'client_secret_post';
  if (says('none')) return 'none';
  return hasSecret ? 'client_secret_post' : 'none';
}

/**
 * As {@link selectClientAuthMethod}, but the registration's answer is always obeyed, and what is not
 * supported is an error rather than a guess. Source: W214.
 *
 * @throws OAuthClientFlowError `client_auth_unsupported`
 */
export function requireClientAuthMethod(
  client: OAuthClientInformationMixed,
  supported: readonly string[] = [],
): ClientAuthMethod {
  const registered = registeredMethod(client);
  const method = isKnown(registered) ? registered : selectClientAuthMethod(client, supported);
  const agreed = registered === undefined && (supported.length === 0 || supported.includes(method));
  const armed = method === 'none' || client.client_secret !== undefined;
  if ((registered === method || agreed) && armed) return method;
  throw new OAuthClientFlowError('client_auth_unsupported', {
    data: { supported: registered === undefined ? supported : [registered] },
    step: 'token',
  });
}

/** A token request that is being made. */
export interface TokenRequestParts {
  readonly headers: Headers;
  readonly params: URLSearchParams;
}

/**
 * As forms are encoded, so that no character of a secret is taken for the colon or is lost. What forms
 * leave as it is stays, since servers that forget to decode know such ids only so. Source: RFC 6749,
 * section 2.3.1.
 */
function formEncoded(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}

/** Adds what shows who the client is. The secret must be there where the method needs one. */
export function applyClientAuthentication(
  method: ClientAuthMethod,
  client: OAuthClientInformation,
  { headers, params }: TokenRequestParts,
): void {
  const { client_id: id, client_secret: secret = '' } = client;
  if (method === 'client_secret_basic') {
    headers.set('authorization', `Basic ${btoa(`${formEncoded(id)}:${formEncoded(secret)}`)}`);
    return;
  }
  params.set('client_id', id);
  if (method === 'client_secret_post') params.set('client_secret', secret);
}
