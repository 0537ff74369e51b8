import type { VersionNegotiationOptions } from '@portico/client';
import type { ClientCapabilities } from '@portico/spec';
import { isProtocolError } from '@portico/rpc';
import type { ConnectionsOptions } from '../options.ts';
import type { ReconnectPolicy } from '../policy.ts';
import type { ResolvedConfig } from './resolve-config.ts';
import type { ServerEntry } from './server-entry.ts';

/** Longest wait between two tries of a lost connection, milliseconds. */
const MAX_DELAY_MS = 30_000;
/** After this long in service the first wait is the short one again, milliseconds. */
const STEADY_AFTER_MS = 60_000;
/** Share of the time for connecting that a silent answer to the question about the era may take. */
const PROBE_SHARE = 3;
const PROBE_LIMIT_MS = 5_000;

const VIEWS_EXTENSION = 'io.modelcontextprotocol/ui';
const VIEW_MEDIA_TYPE = 'text/html;profile=mcp-app';

/** How a managed server's connection comes back. Source: R31, R38, R42. */
export function reconnectPolicy({ reconnect, retryDelayMs, timeoutMs }: ResolvedConfig): ReconnectPolicy {
  return {
    firstDelayMs: reconnect.initialDelayMs,
    maxDelayMs: Math.max(MAX_DELAY_MS, reconnect.initialDelayMs),
    factor: 2,
    jitter: 0.2,
    steadyAfterMs: STEADY_AFTER_MS,
    connectTimeoutMs: timeoutMs,
    firstTries: retryDelayMs ?? 'none',
    comesBack: reconnect.isEnabled,
  };
}

function versionNegotiation({ resolved, roads }: ServerEntry): VersionNegotiationOptions {
  const { protocolNegotiation, timeoutMs } = resolved;
  const shareMs = timeoutMs < PROBE_LIMIT_MS * PROBE_SHARE ? timeoutMs / PROBE_SHARE : PROBE_LIMIT_MS;
  if (roads.isSilent && protocolNegotiation === 'auto') return { mode: 'legacy' };
  const mode = typeof protocolNegotiation === 'object' ? { ...protocolNegotiation } : protocolNegotiation;
  return { mode, probe: { timeoutMs: Math.max(1, Math.round(shareMs)) } };
}

/** What is offered to a server: what was given, the queues, and views where they are wanted. */
function offered(entry: ServerEntry): ClientCapabilities {
  const { views, ...given }: ClientCapabilities & { views?: boolean } =
    entry.resolved.clientOptions.capabilities ?? {};
  const { onSampling, onElicitation } = entry.port.callbacks(entry.id);
  const { hasQueues } = entry.port;
  const extensions =
    views === true
      ? { [VIEWS_EXTENSION]: { mimeTypes: [VIEW_MEDIA_TYPE] }, ...given.extensions }
      : given.extensions;
  return {
    ...(hasQueues || onSampling !== undefined ? { sampling: {} } : {}),
    ...(hasQueues || onElicitation !== undefined ? { elicitation: { form: {}, url: {} } } : {}),
    ...given,
    ...(extensions === undefined ? {} : { extensions }),
  };
}

/** How the connection of an entry works. What can change is asked for at each opening. */
export function connectionOptions(entry: ServerEntry): ConnectionsOptions {
  const { environment, eras } = entry.port;
  return {
    clock: environment.clock,
    get clientInfo() {
      return { ...entry.resolved.clientInfo };
    },
    get capabilities() {
      return offered(entry);
    },
    get clientOptions() {
      const { capabilities: _offered, ...rest } = entry.resolved.clientOptions;
      return { eraStore: eras, ...rest };
    },
    get versionNegotiation() {
      return versionNegotiation(entry);
    },
    handlers: entry.parts.handlers,
    templatesFollowResources: false,
    createTransport: () => entry.roads.first(),
    alternative: (_id, _definition, { error }) => entry.roads.next(error),
    holdWatch: () => entry.roads.holdStream(),
    onNotification: (_id, notification) => entry.parts.notified(notification),
    onListFailed: (_id, list, error) =>
      entry.parts.log('error', `the list of ${list} could not be read: ${textOf(error)}`),
    onReport: (_id, error) => entry.parts.log(isProtocolError(error) ? 'warn' : 'debug', textOf(error)),
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
