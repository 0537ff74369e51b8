import type { JSONRPCRequest, Transport } from '@portico/rpc';
import { type AuthInfo, isScopeToken, ResourceConfigError } from '@portico/oauth/resource';

/** Scopes that a client must ask for before its request is served. */
export interface ScopeChallenge {
  /** All that the operation needs, whatever the token holds already. */
  readonly scopes: readonly [string, ...string[]];
  /** A sentence for people: printable ASCII without quotes and backslashes. */
  readonly errorDescription?: string;
}

/**
 * Looks at one request and says which scopes it lacks; undefined lets it pass. May take its time.
 * What it throws is answered as an internal error.
 */
export type ScopeChallengeHandler = (context: {
  readonly request: JSONRPCRequest;
  /** What the gate found out; undefined where there is no gate. */
  readonly authInfo?: AuthInfo;
}) => ScopeChallenge | undefined | Promise<ScopeChallenge | undefined>;

/**
 * Requires every one of the scopes. Wider scopes count where the gate was told what they include
 * (`impliedScopes`). Requests without authorization pass: turning them away is the gate's business.
 *
 * @throws ResourceConfigError `scope_malformed`
 * @see W230
 */
export function requireScopes(...scopes: readonly [string, ...string[]]): ScopeChallengeHandler {
  const required = checkedScopes(scopes, 'requireScopes');
  return ({ authInfo }) =>
    authInfo === undefined || required.every((scope) => authInfo.scopes.includes(scope))
      ? undefined
      : { scopes: required };
}

/** Scopes by what is called: one list for all of a method, or lists by name with `*` for the rest. */
export type OperationScopes = Readonly<
  Record<string, readonly string[] | Readonly<Record<string, readonly string[]>>>
>;

/**
 * Requires scopes by method and name: `{ 'tools/call': { purge: ['notes:write'], '*': ['notes:read'] } }`.
 * The name is that of the tool or prompt, and the URI of a resource, as the `Mcp-Name` header repeats
 * it. What the table does not list needs none.
 *
 * @throws ResourceConfigError `scope_malformed`
 * @see W230
 */
export function requireOperationScopes(table: OperationScopes): ScopeChallengeHandler {
  const byMethod = new Map<string, ReadonlyMap<string, ScopeChallengeHandler | undefined>>();
  for (const [method, entry] of Object.entries(table)) {
    const lists = Array.isArray(entry) ? { '*': entry as readonly string[] } : entry;
    const handlers = Object.entries(lists).map(
      ([name, scopes]): [string, ScopeChallengeHandler | undefined] => [
        name,
        scopes.length === 0 ? undefined : requireScopes(...checkedScopes(scopes, `${method} ${name}`)),
      ],
    );
    byMethod.set(method, new Map(handlers));
  }
  return (context) => {
    const handlers = byMethod.get(context.request.method);
    if (handlers === undefined) return undefined;
    const name = operationName(context.request);
    const handler = name !== undefined && handlers.has(name) ? handlers.get(name) : handlers.get('*');
    return handler?.(context);
  };
}

function operationName({ method, params }: JSONRPCRequest): string | undefined {
  const name: unknown = params?.[method === 'tools/call' || method === 'prompts/get' ? 'name' : 'uri'];
  return typeof name === 'string' ? name : undefined;
}

function checkedScopes(scopes: readonly string[], place: string): [string, ...string[]] {
  const [first, ...rest] = scopes;
  if (first === undefined || !scopes.every((scope) => isScopeToken(scope))) {
    throw new ResourceConfigError('scope_malformed', { place });
  }
  return [first, ...rest];
}

/** Transports over HTTP can refuse a request before it is delivered. */
export function asksForScopes(
  transport: Transport,
): transport is Transport & { setScopeChallengeResolver(resolver: ScopeChallengeHandler): void } {
  return (
    'setScopeChallengeResolver' in transport && typeof transport.setScopeChallengeResolver === 'function'
  );
}
