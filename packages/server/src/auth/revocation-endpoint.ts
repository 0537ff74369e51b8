import type { Clock } from '@portico/rpc';
import { jsonAnswer, type PlainAnswer } from '@portico/oauth/resource';
import { authenticateClient } from './authenticate-client.ts';
import { ANY_ORIGIN, NO_STORE } from './oauth-answers.ts';
import type { OAuthServerProvider } from './provider.ts';
import { needed, readForm } from './request-params.ts';

/** Answers a request to take a token back (RFC 7009). Rejects with what is answered as an error. */
export async function revocationAnswer(
  request: Request,
  { provider, clock }: { readonly provider: OAuthServerProvider; readonly clock: Clock },
): Promise<PlainAnswer> {
  const params = await readForm(request);
  const client = await authenticateClient(request, params, { store: provider.clientsStore, clock });
  const hint = params.get('token_type_hint');
  const token = needed(params, 'token');
  await provider.revokeToken?.(client, { token, ...(hint === undefined ? {} : { token_type_hint: hint }) });
  return jsonAnswer(200, {}, { ...NO_STORE, ...ANY_ORIGIN });
}
