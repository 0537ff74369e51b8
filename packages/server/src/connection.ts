import type { AuthInfo } from '@portico/oauth/resource';
import {
  type Clock,
  ErrorCode,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type Peer,
  type PeerRequestOptions,
  ProtocolError,
  type ReceiveLimits,
  type RequestContext,
  type Transport,
  createPeer,
} from '@portico/rpc';
import {
  ObservedTransport,
  type ObserverPort,
  type Result,
  type ServerCodec,
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  PROTOCOL_VERSION_HEADER,
  serverCodecFor,
  hasEnvelope,
  unsupportedProtocolVersionError,
} from '@portico/spec';
import { adoptHandshake, versionsOf } from './built-in-methods.ts';
import { type LegacySession, unknownCaller, wantsLog } from './caller.ts';
import {
  type HttpDetails,
  type RequestChannel,
  type SubscriptionSlots,
  createSubscriptionSlots,
} from './channel.ts';
import type { Dispatcher } from './dispatcher.ts';
import { ServerError } from './errors.ts';
import { readModernRequest } from './era.ts';
import { ResourceWatches, type WatchResource } from './resource-watches.ts';
import { type ServerEvent, type ServerEventBus, notificationOf } from './server-events.ts';
import { methodNotFound, protocolError } from './wire-error.ts';

/** How one connection is served. */
export interface ConnectionOptions {
  /** `reject` answers legacy openings with the revisions that are served. Default `serve`. */
  readonly legacy?: 'serve' | 'reject';
  /** Open subscriptions allowed at once. Default 1024. */
  readonly maxSubscriptions?: number;
  /** Whether this is the server's only client, so that what the server itself sends goes to it. */
  readonly sole?: boolean;
}

/** What a connection needs of its server. */
export interface ConnectionPort {
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly observing: ObserverPort | undefined;
  readonly limits: Partial<ReceiveLimits> | undefined;
  readonly requestTimeoutMs: number | undefined;
  readonly maxReportsPerSecond: number | undefined;
  readonly supportedVersions: readonly string[];
  readonly events: ServerEventBus;
  readonly watchResource: WatchResource | undefined;
  onNotification(notification: JSONRPCNotification, connection: ServerConnection): unknown;
  onInitialized(): void;
  onClose(connection: ServerConnection): void;
  readonly report: (error: Error) => void;
}

/** Sessions subscribe by other means. */
const NO_SLOTS: SubscriptionSlots = { open: () => undefined, endAll: () => undefined };

/** What may be sent before the client has confirmed the handshake. */
const EARLY_METHODS: ReadonlySet<string> = new Set(['ping', 'notifications/message']);

/** What a handler may say more often than anybody wants to hear. */
const REPORT_METHODS: readonly string[] = ['notifications/message'];

/**
 * One client on one transport. How it opens decides its era: `initialize` makes it a legacy
 * session, a request with a modern envelope (other than the probe) a modern pipe.
 */
export class ServerConnection {
  readonly session: LegacySession;
  readonly peer: Peer;
  readonly #port: ConnectionPort;
  readonly #transport: Transport;
  readonly #observed: ObservedTransport | undefined;
  readonly #legacy: 'serve' | 'reject';
  readonly #maxSubscriptions: number | undefined;
  readonly #unsubscribe: () => void;
  #slotsInUse: SubscriptionSlots | undefined;
  #listening: Set<Promise<unknown>> | undefined;
  #era: 'legacy' | 'modern' | undefined;

  constructor(port: ConnectionPort, transport: Transport, options: ConnectionOptions = {}) {
    this.#port = port;
    this.#transport = transport;
    const [newestLegacy] = versionsOf('legacy', port.supportedVersions);
    const codec = serverCodecFor(newestLegacy ?? port.supportedVersions[0] ?? '');
    if (codec === undefined) throw methodNotFound('initialize');
    this.#legacy = newestLegacy === undefined ? 'reject' : (options.legacy ?? 'serve');
    this.#maxSubscriptions = options.maxSubscriptions;
    transport.setSupportedProtocolVersions?.([...port.supportedVersions]);
    this.session = {
      caller: unknownCaller(codec),
      initialized: false,
      watches: port.watchResource && new ResourceWatches(port.watchResource),
      onnegotiated: (version) => transport.setProtocolVersion?.(version),
    };
    const measured = transport.handsOverObjects !== true;
    this.#observed = port.observing && new ObservedTransport(transport, port.observing, measured);
    this.peer = createPeer({
      transport: this.#observed ?? transport,
      clock: port.clock,
      ...(port.limits === undefined ? {} : { limits: port.limits }),
      ...(port.requestTimeoutMs === undefined ? {} : { defaultTimeoutMs: port.requestTimeoutMs }),
      ...(port.maxReportsPerSecond === undefined ? {} : { maxReportsPerSecond: port.maxReportsPerSecond }),
      reportMethods: REPORT_METHODS,
      onRequest: (request, context) => this.#onRequest(request, context),
      onNotification: (notification) => this.#onNotification(notification),
    });
    this.peer.onerror = (error) => port.report(error);
    this.#unsubscribe = port.events.subscribe((event) => this.#forward(event));
    this.peer.onclose = () => {
      this.#unsubscribe();
      this.session.watches?.endAll();
      port.onClose(this);
    };
  }

  get #slots(): SubscriptionSlots {
    return (this.#slotsInUse ??= createSubscriptionSlots(this.#maxSubscriptions));
  }

  get #servedVersions(): readonly string[] {
    const { supportedVersions } = this.#port;
    return this.#legacy === 'reject' ? versionsOf('modern', supportedVersions) : supportedVersions;
  }

  /** Undefined until the client has opened. */
  get era(): 'legacy' | 'modern' | undefined {
    return this.#era;
  }

  get sessionId(): string | undefined {
    return this.#transport.sessionId;
  }

  /** The revision that is spoken; on a modern pipe, where each request has its own, the newest. */
  get codec(): ServerCodec {
    const [newest = ''] = this.#era === 'modern' ? versionsOf('modern', this.#servedVersions) : [];
    return serverCodecFor(newest) ?? this.session.caller.codec;
  }

  start(): Promise<void> {
    return this.peer.start();
  }

  /** Ends subscriptions gracefully, then the connection. */
  async close(): Promise<void> {
    this.#slotsInUse?.endAll();
    if (this.#listening !== undefined) await Promise.allSettled(this.#listening);
    await this.peer.close();
  }

  /** Sends a request to the client. @throws ServerError `NOT_INITIALIZED` */
  async request(method: string, params?: object, options?: PeerRequestOptions): Promise<unknown> {
    this.#assertMaySend(method);
    return this.#followed(() => this.peer.request(method, params, options));
  }

  /** An own request that ends without an answer leaves no trace on the transport. */
  #followed(send: () => Promise<unknown>): Promise<unknown> {
    const id = this.peer.nextRequestId;
    const answer = send();
    this.#observed?.follow(id, answer);
    return answer;
  }

  /** Sends a notification to the client. @throws ServerError `NOT_INITIALIZED` */
  async notify(method: string, params?: object): Promise<void> {
    this.#assertMaySend(method);
    await this.peer.notify(method, params);
  }

  /** Until a legacy client has confirmed the handshake it gets pings and log messages only. */
  #assertMaySend(method: string): void {
    if (this.session.initialized || this.#era === 'modern' || EARLY_METHODS.has(method)) return;
    throw new ServerError('NOT_INITIALIZED', { data: { method } });
  }

  /** Sends a log message to a legacy client that wants its level. */
  async log(params: { readonly level: Parameters<typeof wantsLog>[1] }): Promise<void> {
    if (this.#era !== 'legacy' || !wantsLog(this.session.caller, params.level)) return;
    await this.peer.notify('notifications/message', { ...params });
  }

  #onRequest(request: JSONRPCRequest, context: RequestContext): unknown {
    const { method, params } = request;
    const claims = hasEnvelope(params);
    if (this.#era !== 'legacy' && (claims || this.#era === 'modern')) {
      if (method === 'initialize' && !claims) throw this.#unsupported(params?.['protocolVersion']);
      return this.#serveModern(request, context);
    }
    if (this.#legacy === 'reject') throw this.#unsupported(params?.['protocolVersion']);
    this.#noteLegacyRequest(method, context.extra);
    const { caller } = this.session;
    const channel = new PeerChannel(context, {
      session: this.session,
      slots: NO_SLOTS,
      sessionId: this.sessionId,
      ask: (method, params, options) => this.#followed(() => context.request(method, params, options)),
    });
    const { dispatcher } = this.#port;
    const served = dispatcher.serve({ method, params: params ?? {} }, caller, channel);
    if (method !== 'initialize' || !dispatcher.has(method)) return served;
    return this.#adopting(params ?? {}, served);
  }

  async #adopting(
    params: Readonly<Record<string, unknown>>,
    served: Result | Promise<Result>,
  ): Promise<Result> {
    const result = await served;
    adoptHandshake(this.session, params, result);
    return result;
  }

  /** A client that goes on without confirming the handshake has confirmed it by that. */
  #noteLegacyRequest(method: string, extra: MessageExtraInfo | undefined): void {
    if (method === 'initialize') {
      if (this.#era === 'legacy') {
        throw new ProtocolError(ErrorCode.InvalidRequest, 'This session is initialized already.');
      }
      this.#era = 'legacy';
    } else if (method !== 'ping' && this.#era === 'legacy') {
      this.session.initialized = true;
    } else if (this.#era === undefined) {
      const codec = statedCodec(extra);
      if (codec !== undefined) this.session.caller = unknownCaller(codec);
    }
  }

  #serveModern({ method, params }: JSONRPCRequest, context: RequestContext): unknown {
    const request = readModernRequest(params, this.#servedVersions);
    if (method !== 'server/discover') this.#era = 'modern';
    const channel = new PeerChannel(context, {
      session: undefined,
      servedVersions: this.#servedVersions,
      slots: this.#slots,
      sessionId: undefined,
    });
    const { caller } = request;
    const served = this.#port.dispatcher.serve({ method, params: request.params }, caller, channel);
    if (served instanceof Promise && caller.codec.method(method)?.longLived === true) {
      this.#trackListening(served);
    }
    return served;
  }

  /** Closing waits for these, so that their last results are written first. */
  #trackListening(served: Promise<unknown>): void {
    const listening = (this.#listening ??= new Set());
    listening.add(served);
    const ended = (): void => void listening.delete(served);
    served.then(ended, ended);
  }

  #onNotification(notification: JSONRPCNotification): unknown {
    if (notification.method === 'notifications/initialized' && this.#era === 'legacy') {
      this.session.initialized = true;
      this.#port.onInitialized();
    }
    return this.#port.onNotification(notification, this);
  }

  /** Legacy clients hear of changes unasked, but for resources they subscribe to. */
  #forward(event: ServerEvent): void {
    if (this.#era !== 'legacy' || !this.session.initialized) return;
    if (event.kind === 'resource_updated' && this.session.subscriptions?.has(event.uri) !== true) return;
    const { method, params } = notificationOf(event);
    this.peer.notify(method, params).catch((error: unknown) => {
      this.#port.report(error instanceof Error ? error : new TypeError(String(error)));
    });
  }

  #unsupported(requested: unknown): Error {
    const asked = typeof requested === 'string' ? requested : 'legacy';
    return protocolError(unsupportedProtocolVersionError(asked, this.#servedVersions));
  }
}

interface PeerChannelDetails {
  readonly session: LegacySession | undefined;
  readonly servedVersions?: readonly string[];
  readonly slots: SubscriptionSlots;
  readonly sessionId: string | undefined;
  readonly ask?: NonNullable<RequestChannel['request']>;
}

/** The way back over a shared channel. */
class PeerChannel implements RequestChannel {
  readonly sessionId: string | undefined;
  readonly subscriptions: SubscriptionSlots;
  readonly session?: LegacySession;
  readonly servedVersions: readonly string[] | undefined;
  readonly request?: NonNullable<RequestChannel['request']>;
  readonly #context: RequestContext;

  constructor(context: RequestContext, details: PeerChannelDetails) {
    this.#context = context;
    this.sessionId = details.sessionId;
    this.subscriptions = details.slots;
    this.servedVersions = details.servedVersions;
    if (details.session !== undefined) this.session = details.session;
    if (details.ask !== undefined) this.request = details.ask;
  }

  get id(): RequestContext['id'] {
    return this.#context.id;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get http(): HttpDetails | undefined {
    return httpDetails(this.#context.extra);
  }

  get onhandling(): (() => void) | undefined {
    return this.#context.extra?.onhandling;
  }

  notify(method: string, params?: Readonly<Record<string, unknown>>): Promise<void> {
    return this.#context.notify(method, params);
  }

  progress(progress: { progress: number; total?: number; message?: string }): void {
    this.#context.progress(progress);
  }
}

/** What an HTTP transport attached to its message. */
function httpDetails(extra: MessageExtraInfo | undefined): HttpDetails | undefined {
  if (extra?.request === undefined) return undefined;
  const { request, authInfo, closeSSEStream, closeStandaloneSSEStream } = extra;
  return {
    req: request,
    // Transports carry it without looking at it.
    ...(authInfo === undefined ? {} : { authInfo: authInfo as AuthInfo }),
    ...(closeSSEStream === undefined ? {} : { closeSSE: closeSSEStream }),
    ...(closeStandaloneSSEStream === undefined ? {} : { closeStandaloneSSE: closeStandaloneSSEStream }),
  };
}

/** The revision that a request without a handshake is written in, where HTTP says it. */
function statedCodec(extra: MessageExtraInfo | undefined): ServerCodec | undefined {
  if (extra?.request === undefined) return undefined;
  const stated = extra.request.headers.get(PROTOCOL_VERSION_HEADER);
  const codec = serverCodecFor(stated ?? DEFAULT_NEGOTIATED_PROTOCOL_VERSION);
  return codec?.era === 'legacy' ? codec : undefined;
}
