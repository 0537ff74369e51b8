/** Which narrower scopes a scope includes, so that a wide scope satisfies what asks for a narrow one. */
export type ImpliedScopes = (scope: string) => readonly string[];

/** What a token may come to hold through {@link ImpliedScopes}. */
const MAX_SCOPES = 1000;

/** One word as the grammar of OAuth has it: printable ASCII without quotes and backslashes. */
export function isScopeToken(scope: unknown): scope is string {
  return typeof scope === 'string' && /^[\u0021\u0023-\u005B\u005D-\u007E]+$/.test(scope);
}

/** The words of a `scope` member. */
export function scopeWords(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

/** Whether every required scope was granted. */
export function hasAllScopes(granted: readonly string[], required: readonly string[]): boolean {
  return required.every((scope) => granted.includes(scope));
}

/** The granted scopes with everything they include, each once. */
export function withImplied(granted: readonly string[], implied: ImpliedScopes): string[] {
  const all = new Set(granted);
  // A set that grows while it is walked is walked to its end.
  for (const scope of all) {
    for (const narrower of implied(scope)) if (all.size < MAX_SCOPES) all.add(narrower);
  }
  return [...all];
}

/** Tokens to come back later are no business of the resource, so it neither lists nor asks for that scope. */
export function ofTheResource(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => scope !== 'offline_access');
}
