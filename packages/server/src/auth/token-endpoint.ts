import type { Clock } from '@portico/rpc';
import {
  createExpiringMap,
  jsonAnswer,
  type OAuthClientInformationFull,
  OAuthErrorCode,
  type OAuthTokens,
  type PlainAnswer,
  scopeWords,
  sha256,
} from '@portico/oauth/resource';
import { authenticateClient } from './authenticate-client.ts';
import { ANY_ORIGIN, NO_STORE, refuse } from './oauth-answers.ts';
import type { OAuthServerProvider } from './provider.ts';
import { needed, type Params, readForm, resourceOf } from './request-params.ts';

/** Codes that were exchanged and are remembered, and for how long: longer than any code should live. */
const MAX_USED_CODES = 10_000;
const USED_CODE_MS = 600_000;
/** RFC 7636, section 4.1. */
const VERIFIER = /^[\w\-.~]{43,128}$/;

export interface TokenEndpointOptions {
  readonly provider: OAuthServerProvider;
  readonly clock: Clock;
}

/** Answers token requests, each code once. Rejects with what is answered as an error. */
export function createTokenEndpoint({
  provider,
  clock,
}: TokenEndpointOptions): (request: Request) => Promise<PlainAnswer> {
  const used = createExpiringMap<true>(clock, MAX_USED_CODES);
  const exchangeCode = async (client: OAuthClientInformationFull, params: Params): Promise<OAuthTokens> => {
    const code = needed(params, 'code');
    const verifier = needed(params, 'code_verifier');
    if (!VERIFIER.test(verifier)) refuse(OAuthErrorCode.InvalidGrant, 'The code_verifier is malformed.');
    const name = await sha256(`${client.client_id} ${code}`);
    const byUpstream = provider.skipLocalPkceValidation === true;
    if (!byUpstream) {
      const challenge = await provider.challengeForAuthorizationCode(client, code);
      if ((await sha256(verifier)) !== challenge) {
        refuse(OAuthErrorCode.InvalidGrant, 'The code_verifier does not fit the code.');
      }
    }
    // Taken before the exchange, so that of two requests at once one goes on.
    if (used.get(name) !== undefined) refuse(OAuthErrorCode.InvalidGrant, 'The code was used before.');
    used.set(name, true, clock.now() + USED_CODE_MS);
    const redirectUri = params.get('redirect_uri');
    return provider.exchangeAuthorizationCode(
      client,
      code,
      byUpstream ? verifier : undefined,
      redirectUri,
      resourceOf(params),
    );
  };
  return async (request) => {
    const params = await readForm(request);
    const client = await authenticateClient(request, params, { store: provider.clientsStore, clock });
    const grantType = needed(params, 'grant_type');
    assertAllowed(client, grantType);
    const tokens =
      grantType === 'authorization_code'
        ? await exchangeCode(client, params)
        : await provider.exchangeRefreshToken(
            client,
            needed(params, 'refresh_token'),
            params.has('scope') ? scopeWords(needed(params, 'scope')) : undefined,
            resourceOf(params),
          );
    return jsonAnswer(200, tokens, { ...NO_STORE, ...ANY_ORIGIN });
  };
}

/** @throws OAuthError `unsupported_grant_type`, `unauthorized_client` */
function assertAllowed({ grant_types: granted }: OAuthClientInformationFull, grantType: string): void {
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    refuse(OAuthErrorCode.UnsupportedGrantType, 'This grant type is not served.');
  }
  if (granted !== undefined && !granted.includes(grantType)) {
    refuse(OAuthErrorCode.UnauthorizedClient, 'The client did not register for this grant type.');
  }
}
