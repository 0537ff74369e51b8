import type {
  ClientContext,
  ClientOptions,
  IncomingNotification,
  IncomingRequest,
  VersionNegotiationOptions,
} from '@portico/client';
import type { Clock, Progress, ReceiveLimits, Transport } from '@portico/rpc';
import type { ClientCapabilities, Implementation } from '@portico/spec';
import type { ReconnectPolicy } from './policy.ts';
import type { ListName } from './state.ts';

/** Bounds on what one connection may take. */
export interface ConnectionLimits {
  /** Pages of one list walk; 200 by default. */
  readonly listMaxPages: number;
  /** Time of one list walk over all its pages, milliseconds; 60,000 by default. */
  readonly listMaxMs: number;
  /** Time of a call without progress, milliseconds; 300,000 by default. */
  readonly callTimeoutMs: number;
  /** Time of a call in all, milliseconds; 3,600,000 by default. */
  readonly callMaxTotalMs: number;
  /** Time between pings to a connection in use, milliseconds; 60,000 by default, 0 = none. */
  readonly pingEveryMs: number;
  /** Time a ping may take, milliseconds; 10,000 by default. */
  readonly pingTimeoutMs: number;
  /** Overrides of the receive limits of each client. */
  readonly receive: Partial<ReceiveLimits>;
}

export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  listMaxPages: 200,
  listMaxMs: 60_000,
  callTimeoutMs: 300_000,
  callMaxTotalMs: 3_600_000,
  pingEveryMs: 60_000,
  pingTimeoutMs: 10_000,
  receive: {},
};

/** A server's request to this side; the id tells whose it is. May throw a ProtocolError. */
export type ServerRequestHandler = (id: string, request: IncomingRequest, context: ClientContext) => unknown;

/** What servers may ask of this side; each is served only when its capability is declared, too. */
export interface ServerRequestHandlers {
  readonly sampling?: ServerRequestHandler;
  readonly elicitation?: ServerRequestHandler;
  readonly roots?: ServerRequestHandler;
}

/** What {@link createConnections} needs; `Definition` is whatever `createTransport` understands. */
export interface ConnectionsOptions<Definition = unknown> {
  readonly clock: Clock;
  readonly clientInfo: Implementation;
  /** What this side offers to servers; nothing by default. */
  readonly capabilities?: ClientCapabilities;
  readonly handlers?: ServerRequestHandlers;
  /** Makes the channel to a server; owned by the connection from then on. A throw fails the opening. */
  createTransport(id: string, definition: Definition): Transport | Promise<Transport>;
  /**
   * Another channel to try within the same opening, after one that failed; nothing by default.
   *
   * @param tried how many channels failed so far, 1 at first
   */
  alternative?(
    id: string,
    definition: Definition,
    failed: { readonly error: unknown; readonly tried: number },
  ): Transport | undefined | Promise<Transport | undefined>;
  /** How a connection comes back; as for remote servers by default. */
  policyFor?(id: string, definition: Definition): ReconnectPolicy;
  readonly versionNegotiation?: VersionNegotiationOptions;
  readonly limits?: Partial<ConnectionLimits>;
  /** Numbers from 0 (included) to 1 (excluded), for the jitter of waits. */
  readonly random?: () => number;
  /** What each client is made with beside what is said here; nothing by default. */
  readonly clientOptions?: Omit<ClientOptions, 'clock' | 'capabilities' | 'versionNegotiation'>;
  /** Whether templates are read anew with the resources; true by default. */
  readonly templatesFollowResources?: boolean;
  /**
   * Takes a place for listening to changes, which holds a request open; always there is one by default.
   * Must not reject.
   *
   * @returns how to give it back, or nothing when there is none
   */
  readonly holdWatch?: (id: string) => Promise<(() => void) | undefined>;
  /** Told of a list that could not be read. Must not throw. */
  readonly onListFailed?: (id: string, list: ListName, error: unknown) => void;
  /** Told of faults that change no state. Must not throw. */
  readonly onReport?: (id: string, error: Error) => void;
  /** Gets notifications beside list changes, such as log messages. Must not throw. */
  readonly onNotification?: (id: string, notification: IncomingNotification) => void;
}

/** What can be said about one call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds without progress. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds in all. */
  readonly maxTotalTimeoutMs?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Receives notifications that came on the answer to this call alone, which not every channel can tell.
   * True takes them: `onNotification` of the connections does not hear of them. Must not throw.
   */
  readonly onNotification?: ((notification: IncomingNotification) => boolean) | undefined;
  /**
   * Questions that the caller answers itself. A modern server is told that of this call; when it asks, its
   * interim result (`resultType: 'input_required'`) is what the call resolves with, and the caller goes on
   * with `inputResponses` and `requestState`. Servers of the other era are told nothing.
   */
  readonly answers?: Pick<ClientCapabilities, 'elicitation' | 'sampling'> | undefined;
}
