import type { AuthInfo } from '@portico/server';

/** What a gate would hand on for a token of this client. */
export function authInfoFor(clientId: string, more: Partial<AuthInfo> = {}): AuthInfo {
  return { token: `token-of-${clientId}`, clientId, scopes: [], expiresAt: 4_000_000_000, ...more };
}
