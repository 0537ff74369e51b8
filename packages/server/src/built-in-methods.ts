import { ErrorCode, ProtocolError } from '@portico/rpc';
import {
  type ClientCapabilities,
  type ServerCodec,
  codecFor,
  serverCodecFor,
  type DiscoverResult,
  type Implementation,
  type InitializeResult,
  isLoggingLevel,
  isRecord,
  type ServerCapabilities,
} from '@portico/spec';
import { type LegacySession, MAX_LEGACY_SUBSCRIPTIONS } from './caller.ts';
import type { RequestChannel } from './channel.ts';
import type { BuiltInHandler } from './dispatcher.ts';
import type { TaskService } from './tasks/task-service.ts';
import { methodNotFound } from './wire-error.ts';

/** What the built-in methods tell about the server. */
export interface ServerIdentity {
  readonly info: Implementation;
  readonly instructions: string | undefined;
  /** Revisions served, newest first. */
  readonly supportedVersions: readonly string[];
  readonly capabilities: () => ServerCapabilities;
  /** The tasks extension, when the server has it. */
  readonly tasks: TaskService | undefined;
}

/** The revisions of one era among those served, newest first. */
export function versionsOf(era: 'legacy' | 'modern', versions: readonly string[]): string[] {
  return versions.filter((version) => codecFor(version)?.era === era);
}

/** `initialize`, `ping`, `server/discover`, `logging/setLevel` and the legacy subscriptions. */
export function builtInMethods(identity: ServerIdentity): ReadonlyMap<string, BuiltInHandler> {
  const { tasks } = identity;
  return new Map<string, BuiltInHandler>([
    ['initialize', ({ params, channel }) => initialize(params, channel, identity)],
    ['ping', () => ({})],
    ['server/discover', ({ channel }) => discover(channel, identity)],
    ['logging/setLevel', ({ params, channel }) => setLevel(params, channel)],
    ['resources/subscribe', ({ params, channel }) => subscribe(params, channel)],
    ['resources/unsubscribe', ({ params, channel }) => unsubscribe(params, channel)],
    ...(tasks === undefined ? [] : taskMethods(tasks)),
  ]);
}

function taskMethods(tasks: TaskService): [string, BuiltInHandler][] {
  return [
    ['tasks/get', (request) => tasks.get(request)],
    ['tasks/update', (request) => tasks.update(request)],
    ['tasks/cancel', (request) => tasks.cancel(request)],
  ];
}

/** An unknown version is answered with the newest legacy one, never with an error. */
function initialize(
  params: Readonly<Record<string, unknown>>,
  channel: RequestChannel,
  identity: ServerIdentity,
): InitializeResult {
  const session = sessionOf(channel, 'initialize');
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string' || !isRecord(capabilities) || !isRecord(clientInfo)) {
    throw new ProtocolError(
      ErrorCode.InvalidParams,
      'initialize needs protocolVersion, capabilities and clientInfo.',
    );
  }
  const served = versionsOf('legacy', identity.supportedVersions);
  const version = served.includes(protocolVersion) ? protocolVersion : served[0];
  const codec = version === undefined ? undefined : serverCodecFor(version);
  if (codec === undefined || version === undefined) throw methodNotFound('initialize');
  agree(session, params, codec);
  return {
    protocolVersion: version,
    capabilities: identity.capabilities(),
    serverInfo: identity.info,
    ...(identity.instructions === undefined ? {} : { instructions: identity.instructions }),
  };
}

/** The session speaks this revision from now on, with the client that the params tell of. */
function agree(session: LegacySession, params: Readonly<Record<string, unknown>>, codec: ServerCodec): void {
  const { capabilities, clientInfo } = params;
  session.caller = {
    codec,
    info: isRecord(clientInfo) ? (clientInfo as unknown as Implementation) : undefined,
    capabilities: isRecord(capabilities) ? (capabilities as ClientCapabilities) : undefined,
    logLevel: undefined,
    envelope: undefined,
  };
  session.onnegotiated?.(codec.version);
}

/** Takes over what a handler in place of the built-in handshake has answered. */
export function adoptHandshake(
  session: LegacySession,
  params: Readonly<Record<string, unknown>>,
  result: object,
): void {
  const version: unknown = Reflect.get(result, 'protocolVersion');
  const codec = typeof version === 'string' ? serverCodecFor(version) : undefined;
  if (codec?.hasHandshake === true) agree(session, params, codec);
}

/** Names the same versions as the refusal of a version that is not served: legacy ones, too. */
function discover(channel: RequestChannel, identity: ServerIdentity): DiscoverResult {
  return {
    supportedVersions: [...(channel.servedVersions ?? identity.supportedVersions)],
    capabilities: identity.capabilities(),
    ...(identity.instructions === undefined ? {} : { instructions: identity.instructions }),
  };
}

function setLevel(params: Readonly<Record<string, unknown>>, channel: RequestChannel): object {
  const session = sessionOf(channel, 'logging/setLevel');
  const { level } = params;
  if (!isLoggingLevel(level)) {
    throw new ProtocolError(ErrorCode.InvalidParams, `Unknown log level: ${String(level)}`);
  }
  session.caller = { ...session.caller, logLevel: level };
  return {};
}

function subscribe(
  params: Readonly<Record<string, unknown>>,
  channel: RequestChannel,
): object | Promise<object> {
  const session = sessionOf(channel, 'resources/subscribe');
  const subscriptions = (session.subscriptions ??= new Set());
  if (subscriptions.size >= MAX_LEGACY_SUBSCRIPTIONS) {
    throw new ProtocolError(ErrorCode.InternalError, 'Subscription limit reached');
  }
  const uri = uriOf(params);
  subscriptions.add(uri);
  return session.watches === undefined ? {} : watch(session, uri);
}

/** What cannot be watched is not subscribed to. */
async function watch({ watches, subscriptions }: LegacySession, uri: string): Promise<object> {
  try {
    await watches?.begin(uri);
    return {};
  } catch (error) {
    subscriptions?.delete(uri);
    throw error;
  }
}

function unsubscribe(params: Readonly<Record<string, unknown>>, channel: RequestChannel): object {
  const { subscriptions, watches } = sessionOf(channel, 'resources/unsubscribe');
  const uri = uriOf(params);
  subscriptions?.delete(uri);
  watches?.end(uri);
  return {};
}

function uriOf({ uri }: Readonly<Record<string, unknown>>): string {
  if (typeof uri === 'string') return uri;
  throw new ProtocolError(ErrorCode.InvalidParams, 'A subscription needs a URI.');
}

function sessionOf({ session }: RequestChannel, method: string): LegacySession {
  if (session === undefined) throw methodNotFound(method);
  return session;
}
