import type { Clock } from '@portico/rpc';
import {
  base64url,
  isScopeToken,
  jsonAnswer,
  type OAuthClientInformationFull,
  type OAuthClientMetadata,
  OAuthErrorCode,
  type PlainAnswer,
  scopeWords,
} from '@portico/oauth/resource';
import { ANY_ORIGIN, NO_STORE, refuse } from './oauth-answers.ts';
import type { OAuthRegisteredClientsStore } from './provider.ts';
import { isRedirectUri } from './redirect-uris.ts';
import { readJsonObject } from './request-params.ts';

/** How clients register. */
export interface ClientRegistrationOptions {
  /** Seconds that secrets live, 0 for ever. Default 30 days. */
  readonly clientSecretExpirySeconds?: number;
  /** Whether the router makes the ids; else the store does. Default true. */
  readonly clientIdGeneration?: boolean;
}

const DEFAULT_SECRET_SECONDS = 30 * 24 * 60 * 60;
const MAX_REDIRECT_URIS = 20;
const MAX_TEXT_LENGTH = 2048;
const AUTH_METHODS: readonly string[] = ['none', 'client_secret_post', 'client_secret_basic'];
const GRANT_TYPES: readonly string[] = ['authorization_code', 'refresh_token'];
const TEXTS = [
  'application_type',
  'client_name',
  'client_uri',
  'logo_uri',
  'tos_uri',
  'policy_uri',
  'software_id',
  'software_version',
] as const;

/** Answers a registration. Rejects with what is answered as an error. */
export async function registrationAnswer(
  request: Request,
  register: NonNullable<OAuthRegisteredClientsStore['registerClient']>,
  { clock, ...options }: ClientRegistrationOptions & { readonly clock: Clock },
): Promise<PlainAnswer> {
  const metadata = checkedMetadata(await readJsonObject(request));
  const now = Math.floor(clock.now() / 1000);
  const { clientSecretExpirySeconds: lifetime = DEFAULT_SECRET_SECONDS, clientIdGeneration = true } = options;
  const isPublic = metadata.token_endpoint_auth_method === 'none';
  const client = {
    ...metadata,
    ...(isPublic
      ? {}
      : { client_secret: randomText(), client_secret_expires_at: lifetime > 0 ? now + lifetime : 0 }),
    ...(clientIdGeneration ? { client_id: crypto.randomUUID(), client_id_issued_at: now } : {}),
  } as OAuthClientInformationFull;
  return jsonAnswer(201, await register(client), { ...NO_STORE, ...ANY_ORIGIN });
}

/** A secret of 256 bits. */
export function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

/** What is known of a client is kept, in bounds; everything else is dropped. */
function checkedMetadata(given: Readonly<Record<string, unknown>>): OAuthClientMetadata {
  const redirectUris = given['redirect_uris'];
  if (!isTextList(redirectUris) || redirectUris.length === 0 || redirectUris.length > MAX_REDIRECT_URIS) {
    return refuse(OAuthErrorCode.InvalidRedirectUri, 'A client needs 1 to 20 redirect_uris.');
  }
  if (!redirectUris.every((uri) => isRedirectUri(uri))) {
    refuse(OAuthErrorCode.InvalidRedirectUri, 'Each redirect_uri must be https, or http on loopback.');
  }
  const method = given['token_endpoint_auth_method'] ?? 'client_secret_basic';
  if (typeof method !== 'string' || !AUTH_METHODS.includes(method)) {
    return invalid('The token_endpoint_auth_method is not served.');
  }
  return {
    redirect_uris: redirectUris,
    token_endpoint_auth_method: method,
    grant_types: served(given['grant_types'], GRANT_TYPES, 'authorization_code'),
    response_types: served(given['response_types'], ['code'], 'code'),
    ...texts(given),
    ...(given['scope'] === undefined ? {} : { scope: checkedScope(given['scope']) }),
    ...(isTextList(given['contacts']) ? { contacts: given['contacts'].slice(0, MAX_REDIRECT_URIS) } : {}),
  };
}

/** Of what a client would like, what is served here; nothing of it would leave it without a use. */
function served(given: unknown, known: readonly string[], fallback: string): string[] {
  if (given === undefined) return [fallback];
  const kept = isTextList(given) ? known.filter((each) => given.includes(each)) : [];
  return kept.includes(fallback) ? kept : invalid(`The client cannot do without ${fallback}.`);
}

function texts(given: Readonly<Record<string, unknown>>): Partial<OAuthClientMetadata> {
  const found = TEXTS.filter((name) => given[name] !== undefined).map((name): [string, string] => {
    const value = given[name];
    if (typeof value !== 'string' || value.length > MAX_TEXT_LENGTH)
      return invalid(`The ${name} is no text.`);
    // Such addresses are shown as links.
    if (name.endsWith('_uri') && !/^https?:/i.test(value)) invalid(`The ${name} is no web address.`);
    return [name, value];
  });
  return Object.fromEntries(found);
}

function checkedScope(scope: unknown): string {
  const words = typeof scope === 'string' && scope.length <= MAX_TEXT_LENGTH ? scopeWords(scope) : [];
  return words.length > 0 && words.every((word) => isScopeToken(word))
    ? words.join(' ')
    : invalid('The scope is malformed.');
}

function isTextList(value: unknown): value is string[] {
  return (
    Array.isArray(value) && value.every((each) => typeof each === 'string' && each.length <= MAX_TEXT_LENGTH)
  );
}

function invalid(message: string): never {
  return refuse(OAuthErrorCode.InvalidClientMetadata, message);
}
