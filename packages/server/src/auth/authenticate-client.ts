import type { Clock } from '@portico/rpc';
import { type OAuthClientInformationFull, OAuthErrorCode, sha256 } from '@portico/oauth/resource';
import { refuse } from './oauth-answers.ts';
import type { OAuthRegisteredClientsStore } from './provider.ts';
import { needed, type Params } from './request-params.ts';

/**
 * Finds out which client asks, by a secret in the form or in the `Authorization` header, or by its id
 * alone where it has no secret.
 * @throws OAuthError `invalid_request`, `invalid_client`
 */
export async function authenticateClient(
  request: Request,
  params: Params,
  { store, clock }: { readonly store: OAuthRegisteredClientsStore; readonly clock: Clock },
): Promise<OAuthClientInformationFull> {
  const header = basicCredentials(request.headers.get('authorization'));
  if (header !== undefined && params.has('client_secret')) {
    refuse(OAuthErrorCode.InvalidRequest, 'The client authenticates itself in two ways.');
  }
  const id = header?.id ?? needed(params, 'client_id');
  if (header !== undefined && (params.get('client_id') ?? id) !== id) {
    refuse(OAuthErrorCode.InvalidRequest, 'Two clients are named.');
  }
  const client = await store.getClient(id);
  if (client === undefined) return refuse(OAuthErrorCode.InvalidClient, 'The client is not known.');
  await checkSecret(client, header?.secret ?? params.get('client_secret'), clock);
  return client;
}

async function checkSecret(
  { client_secret: known, client_secret_expires_at: endsAt = 0 }: OAuthClientInformationFull,
  given: string | undefined,
  clock: Clock,
): Promise<void> {
  if (known === undefined) return;
  // Digests are compared, so that how long it takes says nothing of the secret.
  const right = given !== undefined && (await sha256(given)) === (await sha256(known));
  if (!right) refuse(OAuthErrorCode.InvalidClient, 'The client must authenticate itself.');
  if (endsAt > 0 && endsAt * 1000 <= clock.now()) {
    refuse(OAuthErrorCode.InvalidClient, 'The secret of the client has expired.');
  }
}

/** @throws OAuthError `invalid_client` for a header that cannot be read */
function basicCredentials(
  header: string | null,
): { readonly id: string; readonly secret: string } | undefined {
  if (header === null) return undefined;
  const [, encoded = ''] = /^basic +([\w+/]+={0,2})$/i.exec(header) ?? [];
  try {
    const [id, ...secret] = atob(encoded).split(':');
    if (id !== undefined && id !== '' && secret.length > 0) {
      return { id: formDecoded(id), secret: formDecoded(secret.join(':')) };
    }
  } catch {
    // Falls through: what cannot be decoded proves nothing.
  }
  return refuse(OAuthErrorCode.InvalidClient, 'The Authorization header is not of the scheme Basic.');
}

function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
