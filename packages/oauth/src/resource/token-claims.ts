import type { AuthInfo } from '../auth-info.ts';
import { scopeWords } from './scopes.ts';

/** What tokens and introspection say of a token, by the names that both share. */
export type TokenClaims = Readonly<Record<string, unknown>>;

/** Reads what handlers may know. The rest stays reachable as `extra.claims`. */
export function authInfoOf(token: string, claims: TokenClaims): AuthInfo {
  const { exp, sub, iss, aud } = claims;
  const audience = textsOf(aud);
  return {
    token,
    clientId: firstText(claims['client_id'], claims['azp'], sub) ?? '',
    scopes: scopesOf(claims),
    ...(typeof exp === 'number' ? { expiresAt: exp } : {}),
    ...(audience.length === 0 ? {} : { audience }),
    extra: {
      ...(typeof sub === 'string' ? { sub } : {}),
      ...(typeof iss === 'string' ? { iss } : {}),
      claims,
    },
  };
}

/** Servers write `scope` as one text; some write `scp`, as a text or a list. */
function scopesOf({ scope, scp }: TokenClaims): string[] {
  const said = scope ?? scp;
  return typeof said === 'string' ? scopeWords(said) : textsOf(said);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}
