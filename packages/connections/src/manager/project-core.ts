import type { ConnectionState } from '../state.ts';
import { shownFailure } from './failure-codes.ts';
import type { ShownFailure } from './failure-codes.ts';
import type {
  AuthTokens,
  McpClient,
  McpServerState,
  ServerCore,
  ServerFailure,
  ServerInfo,
} from './server-parts.ts';

/** What a sign-in adds to a server's state. */
export interface SignInView {
  readonly flow: 'none' | 'running';
  readonly authUrl?: string | undefined;
  readonly tokens?: AuthTokens | undefined;
  readonly failure?: ShownFailure | undefined;
}

/** All that a server's state is put together from. */
export interface CoreParts {
  readonly connection: ConnectionState;
  readonly signIn: SignInView;
  /** Why the settings cannot be used, when they cannot. */
  readonly fault: ShownFailure | undefined;
  /** Whether somebody wants it connected. */
  readonly wanted: boolean;
  readonly client: McpClient | undefined;
  /** Whether one version was insisted on. */
  readonly isPinned: boolean;
  /** What was known of the server before it answers. */
  readonly cached: { readonly name: string; readonly serverInfo: ServerInfo } | undefined;
  readonly icon: string | undefined;
  readonly queues: Pick<ServerCore, 'pendingSamplingRequests' | 'pendingElicitationRequests'>;
}

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze({});

function stateOf({ connection, signIn, fault }: CoreParts): McpServerState {
  if (fault !== undefined) return 'failed';
  switch (connection.status) {
    case 'ready':
    case 'degraded':
      return 'ready';
    case 'failed':
    case 'stopped':
      return 'failed';
    case 'needs_sign_in':
      if (signIn.flow === 'running') return 'authenticating';
      return signIn.failure === undefined && connection.error?.code === 'auth_required'
        ? 'pending_auth'
        : 'failed';
    case 'idle':
    case 'connecting':
      return 'discovering';
  }
}

function failureOfServer({ connection, signIn, fault, isPinned }: CoreParts): ShownFailure | undefined {
  if (fault !== undefined) return fault;
  if (signIn.failure !== undefined) return signIn.failure;
  if (connection.error === undefined) return undefined;
  const failure = shownFailure(connection.error);
  // A server that answers the only question there is with an error does not speak that version.
  return isPinned && failure.code === 'server_error' ? { ...failure, code: 'version_unsupported' } : failure;
}

/**
 * The state of one server as its readers see it: a function of what its parts say.
 *
 * @param before what was seen until now; the same object comes back when nothing differs
 */
export function projectCore(parts: CoreParts, before: ServerCore | undefined): ServerCore {
  const next = composed(parts, before);
  if (before === undefined) return next;
  const names = Object.keys(next) as (keyof ServerCore)[];
  const same =
    names.length === Object.keys(before).length && names.every((name) => Object.is(next[name], before[name]));
  return same ? before : next;
}

function composed(parts: CoreParts, before: ServerCore | undefined): ServerCore {
  const { connection, signIn, wanted, client, queues } = parts;
  const state = stateOf(parts);
  const failure = state === 'failed' ? failureOfServer(parts) : undefined;
  // Until the first service nothing is shown of what is found out on the way there: it comes as one.
  const isKnown = state === 'ready' || (before?.client ?? null) !== null;
  const known = connection.server === undefined || !isKnown ? undefined : connection;
  const serverInfo = withIcon(known?.server ?? parts.cached?.serverInfo, parts.icon, before?.serverInfo);
  return Object.freeze({
    id: connection.id,
    state,
    idle: !wanted,
    name: known?.server?.name ?? parts.cached?.name ?? '',
    tools: connection.tools as ServerCore['tools'],
    resources: connection.resources as ServerCore['resources'],
    resourceTemplates: connection.resourceTemplates as ServerCore['resourceTemplates'],
    prompts: connection.prompts as ServerCore['prompts'],
    ...(connection.listErrors === undefined ? {} : { listErrors: connection.listErrors }),
    ...(connection.dropped.length === 0 ? {} : { droppedItems: connection.dropped }),
    client: (isKnown ? client : undefined) ?? null,
    extensions: known?.capabilities?.extensions ?? NOTHING,
    ...queues,
    ...(failure === undefined
      ? {}
      : { error: failure.message, failure: sameFailure(failure, before?.failure) }),
    ...(serverInfo === undefined ? {} : { serverInfo }),
    ...(known?.capabilities === undefined
      ? {}
      : { capabilities: known.capabilities as Readonly<Record<string, unknown>> }),
    ...(known?.instructions === undefined ? {} : { instructions: known.instructions }),
    ...(known?.era === undefined ? {} : { protocolEra: known.era }),
    ...(known?.protocolVersion === undefined ? {} : { protocolVersion: known.protocolVersion }),
    ...(signIn.authUrl === undefined ? {} : { authUrl: signIn.authUrl }),
    ...(state !== 'ready' || signIn.tokens === undefined ? {} : { authTokens: signIn.tokens }),
  });
}

function withIcon(
  info: ServerInfo | undefined,
  icon: string | undefined,
  before: ServerInfo | undefined,
): ServerInfo | undefined {
  if (info === undefined || icon === undefined) return info;
  const { icon: _icon, ...rest } = before ?? {};
  const names = Object.keys(info) as (keyof ServerInfo)[];
  const same =
    before?.icon === icon &&
    Object.keys(rest).length === names.length &&
    names.every((name) => Object.is(info[name], before[name]));
  return same ? before : { ...info, icon };
}

function sameFailure(
  { code, httpStatus, retryable }: ShownFailure,
  before: ServerFailure | undefined,
): ServerFailure {
  if (before?.code === code && before.httpStatus === httpStatus && before.retryable === retryable) {
    return before;
  }
  return Object.freeze({ code, retryable, ...(httpStatus === undefined ? {} : { httpStatus }) });
}
