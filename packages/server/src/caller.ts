import {
  type ClientCapabilities,
  type ServerCodec,
  type Implementation,
  LOGGING_LEVELS,
  type LoggingLevel,
  type RequestEnvelope,
} from '@portico/spec';
import type { ResourceWatches } from './resource-watches.ts';

/**
 * Who asks, and in which revision. On a legacy connection it is what `initialize` said; a modern
 * request brings its own, and nothing of an earlier one counts.
 */
export interface Caller {
  readonly codec: ServerCodec;
  readonly info: Implementation | undefined;
  readonly capabilities: ClientCapabilities | undefined;
  /** The least severe level that may be sent; undefined: all on legacy, none on modern. */
  readonly logLevel: LoggingLevel | undefined;
  /** What a modern request said of its sender. */
  readonly envelope: RequestEnvelope | undefined;
}

/** What a legacy client has set up so far; each connection or exchange has one of its own. */
export interface LegacySession {
  caller: Caller;
  /** Whether the client has confirmed the handshake. */
  initialized: boolean;
  /** URIs whose changes this client asked for. */
  subscriptions?: Set<string>;
  /** Where the server's author is told of those; only for sessions that last. */
  readonly watches?: ResourceWatches | undefined;
  /** Told the version that `initialize` agreed on. */
  readonly onnegotiated?: (version: string) => void;
}

/** URIs one legacy client may subscribe to. */
export const MAX_LEGACY_SUBSCRIPTIONS = 10_000;

/** The caller of a modern request. */
export function modernCaller(codec: ServerCodec, envelope: RequestEnvelope): Caller {
  return {
    codec,
    info: envelope.clientInfo,
    capabilities: envelope.clientCapabilities,
    logLevel: envelope.logLevel,
    envelope,
  };
}

/** A legacy caller of whom nothing is known yet. */
export function unknownCaller(codec: ServerCodec): Caller {
  return {
    codec,
    info: undefined,
    capabilities: undefined,
    logLevel: undefined,
    envelope: undefined,
  };
}

/** Whether a message of this level goes to this caller. */
export function wantsLog(caller: Caller, level: LoggingLevel): boolean {
  if (caller.logLevel === undefined) return caller.codec.era === 'legacy';
  return LOGGING_LEVELS.indexOf(level) >= LOGGING_LEVELS.indexOf(caller.logLevel);
}
