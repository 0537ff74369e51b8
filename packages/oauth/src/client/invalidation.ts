import { OAuthError, OAuthErrorCode } from '../errors.ts';
import type { OAuthClientProvider } from './provider.ts';

/** What a refusal of the token endpoint makes void. */
const VOID: Readonly<Record<string, readonly ('client' | 'tokens')[]>> = {
  [OAuthErrorCode.InvalidClient]: ['client', 'tokens'],
  [OAuthErrorCode.UnauthorizedClient]: ['client', 'tokens'],
  [OAuthErrorCode.InvalidGrant]: ['tokens'],
};

/** Lets go of what a refusal makes void. @returns whether that is anything */
export async function invalidate(provider: OAuthClientProvider, error: unknown): Promise<boolean> {
  const parts = error instanceof OAuthError && Object.hasOwn(VOID, error.code) ? VOID[error.code] : undefined;
  for (const part of parts ?? []) await provider.invalidateCredentials?.(part);
  return parts !== undefined;
}
