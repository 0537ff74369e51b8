import type { ScopeChallengeHandler } from './scope-challenge.ts';

/** A description with another need for scopes: undefined leaves it, null takes it away. */
export function withScopes<Config extends { readonly scopeChallenge?: ScopeChallengeHandler | undefined }>(
  config: Config,
  change: ScopeChallengeHandler | null | undefined,
): Config {
  if (change === undefined) return config;
  const { scopeChallenge: _before, ...rest } = config;
  return { ...rest, ...(change === null ? {} : { scopeChallenge: change }) } as Config;
}
