import type {
  AuthorizationServerMetadata,
  OAuthClientMetadata,
  OAuthProtectedResourceMetadata,
} from '../documents.ts';

const OFFLINE = 'offline_access';

function scopesOf(scope: string | undefined): readonly string[] {
  return (scope ?? '').split(/\s+/).filter((token) => token !== '');
}

/**
 * All scopes of several lists, each once, in the order in which they first come; undefined when there is
 * none. Which scope holds another is for the server to know.
 */
export function computeScopeUnion(...scopes: readonly (string | undefined)[]): string | undefined {
  const union = new Set(scopes.flatMap(scopesOf));
  return union.size === 0 ? undefined : [...union].join(' ');
}

/** Whether a list asks for more than another holds, so that no refresh can grant it. Source: RFC 6749, section 6; W220. */
export function isStrictScopeSuperset(union: string | undefined, current: string | undefined): boolean {
  const held = new Set(scopesOf(current));
  return scopesOf(union).some((scope) => !held.has(scope));
}

/** Whether a list holds the scope for use while the user is away. */
export function asksOffline(scope: string | undefined): boolean {
  return scopesOf(scope).includes(OFFLINE);
}

/** Where scopes may come from. */
export interface ScopeSources {
  /** From the challenge, or from who calls. */
  readonly requested: string | undefined;
  readonly resourceMetadata: OAuthProtectedResourceMetadata | undefined;
  readonly serverMetadata: AuthorizationServerMetadata;
  /** As the provider has it, without defaults. */
  readonly clientMetadata: OAuthClientMetadata;
}

/**
 * What to ask for: the challenge's scopes, else the resource's, else the client's own, else nothing; with
 * `offline_access` where the server offers it and the client says that it refreshes. Source: Scope
 * Selection Strategy; W219.
 */
export function chooseScope(sources: ScopeSources): string | undefined {
  const { requested, resourceMetadata, serverMetadata, clientMetadata } = sources;
  const listed = computeScopeUnion(...(resourceMetadata?.scopes_supported ?? []));
  const scope = computeScopeUnion(requested) ?? listed ?? computeScopeUnion(clientMetadata.scope);
  const offline =
    scope !== undefined &&
    serverMetadata.scopes_supported?.includes(OFFLINE) === true &&
    clientMetadata.grant_types?.includes('refresh_token') === true;
  return offline ? computeScopeUnion(scope, OFFLINE) : scope;
}
