import type { OAuthClientProvider } from '@portico/oauth';
import type { AuthTokens } from '../server-parts.ts';

type Optional<T> = { -readonly [Name in keyof T]?: T[Name] | undefined };

function given<T extends object>(values: Optional<T>): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/**
 * What is stored of the newest tokens, as applications get it. Nothing is read out of the tokens
 * themselves, and what was found out of another issuer is left out. Source: R65, R66.
 */
export async function describeTokens(provider: OAuthClientProvider): Promise<AuthTokens | undefined> {
  const tokens = await provider.tokens();
  if (tokens === undefined) return undefined;
  const { issuer, expires_at: endMs } = tokens;
  const client = await provider.clientInformation(issuer === undefined ? undefined : { issuer });
  const discovery = await provider.discoveryState?.();
  const metadata = discovery?.authorizationServerMetadata;
  const isSame = issuer !== undefined && metadata?.issuer === issuer;
  return {
    access_token: tokens.access_token,
    token_type: tokens.token_type,
    ...given<AuthTokens>({
      expires_at: endMs === undefined ? undefined : Math.floor(endMs / 1_000),
      refresh_token: tokens.refresh_token,
      scope: tokens.scope,
      resource: isSame ? discovery?.resourceMetadata?.resource : undefined,
      token_endpoint: isSame ? metadata.token_endpoint : undefined,
      client_id: client?.client_id,
      client_secret: client?.client_secret,
    }),
  };
}
