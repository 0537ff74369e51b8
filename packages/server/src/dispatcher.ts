import { ErrorCode, ProtocolError, isPromiseLike, isProtocolError } from '@portico/rpc';
import {
  type Codec,
  type Implementation,
  type MethodRule,
  type Result,
  type ResultStamp,
  type ServerCapabilities,
  hasCapability,
  isSpecMethod,
} from '@portico/spec';
import type { Caller } from './caller.ts';
import type { RequestChannel } from './channel.ts';
import { type ServerContext, createContext } from './context.ts';
import { isInputRequired } from './input-required.ts';
import { listen } from './listen.ts';
import type { CacheHint } from './cache-hint.ts';
import { type InputRequiredOptions, type VerifyRequestState, serveRounds } from './multi-round.ts';
import type { WatchResource } from './resource-watches.ts';
import type { ServerEventBus } from './server-events.ts';
import type { TaskService } from './tasks/task-service.ts';
import { asModernError, asOwnError, methodNotFound } from './wire-error.ts';

/** What a handler is called with: the method and the params without the reserved keys. */
export interface HandledRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Serves one method. What it returns is the result; what it throws is the error. */
export type ServerRequestHandler = (request: HandledRequest, context: ServerContext) => unknown;

/** A method every server has without registering it. */
export type BuiltInHandler = (request: {
  readonly params: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly channel: RequestChannel;
}) => object | Promise<object>;

export interface DispatcherOptions {
  /** The identity that modern results carry. */
  readonly stampedInfo: Implementation | undefined;
  readonly capabilities: () => ServerCapabilities;
  readonly cacheHints: Readonly<Record<string, CacheHint>>;
  readonly inputRequired: InputRequiredOptions;
  readonly verifyRequestState: VerifyRequestState | undefined;
  readonly events: ServerEventBus;
  readonly watchResource: WatchResource | undefined;
  readonly report: (error: Error) => void;
  /** The tasks extension, when the server has it. */
  readonly tasks: TaskService | undefined;
}

/** Routes requests to handlers and puts their results into the caller's revision. */
export class Dispatcher {
  /** Serves methods that nothing else serves. */
  fallback: ServerRequestHandler | undefined;
  readonly #options: DispatcherOptions;
  readonly #builtIn: ReadonlyMap<string, BuiltInHandler>;
  readonly #handlers = new Map<string, ServerRequestHandler>();
  readonly #stamps = new Map<string, ResultStamp>();

  constructor(options: DispatcherOptions, builtIn: ReadonlyMap<string, BuiltInHandler>) {
    this.#options = options;
    this.#builtIn = builtIn;
  }

  /** A handler for a built-in method replaces the built-in one. */
  set(method: string, handler: ServerRequestHandler): void {
    this.#handlers.set(method, handler);
  }

  delete(method: string): void {
    this.#handlers.delete(method);
  }

  handler(method: string): ServerRequestHandler | undefined {
    return this.#handlers.get(method);
  }

  has(method: string): boolean {
    return this.#handlers.has(method);
  }

  /**
   * Serves one request for one caller and answers the result as it goes on the wire: at once when the
   * handler did, since a promise costs more than the rest of such a call.
   * @throws ProtocolError -32601 for methods that this revision, or this server, does not have; what the
   *   handler failed with
   */
  serve(request: HandledRequest, caller: Caller, channel: RequestChannel): Result | Promise<Result> {
    const { method, params } = request;
    const { codec } = caller;
    const rule = this.#ruleFor(method, codec);
    if (rule?.longLived === true && !this.#handlers.has(method)) {
      return this.#listen(request, caller, channel);
    }
    const encode = (outcome: unknown): Result =>
      codec.encodeResult(method, asObject(outcome, method), this.#stamp(method, rule));
    try {
      const outcome = this.#run(rule, { method, params }, { caller, channel });
      return isPromiseLike(outcome) ? encodeLater(outcome, encode, codec) : encode(outcome);
    } catch (thrown) {
      throw errorFor(thrown, codec);
    }
  }

  /** Methods of other revisions do not exist; unknown ones may be a vendor's. */
  #ruleFor(method: string, codec: Codec): MethodRule | undefined {
    const rule = codec.method(method);
    if (rule === undefined) {
      if (isSpecMethod(method)) throw methodNotFound(method);
      return undefined;
    }
    const toServer = rule.kind === 'request' && rule.sender !== 'server';
    if (!toServer || !this.#offers(rule)) throw methodNotFound(method);
    return rule;
  }

  #offers({ serverCapability }: MethodRule): boolean {
    if (serverCapability === undefined) return true;
    return hasCapability(this.#options.capabilities(), serverCapability);
  }

  #run(
    rule: MethodRule | undefined,
    { method, params }: HandledRequest,
    { caller, channel }: { readonly caller: Caller; readonly channel: RequestChannel },
  ): unknown {
    const handler = this.#handlers.get(method);
    if (handler === undefined) {
      const builtIn = this.#builtIn.get(method);
      if (builtIn !== undefined) return builtIn({ params, caller, channel });
      if (this.fallback === undefined) throw methodNotFound(method);
    }
    const chosen = handler ?? this.fallback;
    if (chosen === undefined) throw methodNotFound(method);
    channel.onhandling?.();
    const meta = metaOf(params);
    if (!MULTI_ROUND_METHODS.has(method)) {
      const outcome = chosen({ method, params }, createContext({ method, caller, channel, meta }));
      if (!NOTED_METHODS.has(method)) return outcome;
      return this.#noted({ method, params }, { caller, channel }, outcome);
    }
    const { inputRequired, verifyRequestState: verify, report, tasks } = this.#options;
    return serveRounds({
      method,
      params,
      meta,
      caller,
      channel,
      handler: chosen,
      options: inputRequired,
      verify,
      report,
      tasks: method === 'tools/call' ? tasks : undefined,
    });
  }

  /** What a session asked for counts for what the server itself sends, whoever answers. */
  async #noted(
    { method, params }: HandledRequest,
    { caller, channel }: { readonly caller: Caller; readonly channel: RequestChannel },
    outcome: unknown,
  ): Promise<unknown> {
    const settled = await outcome;
    try {
      await this.#builtIn.get(method)?.({ params, caller, channel });
    } catch (error) {
      // What the author's handler took is not refused here; params that mean nothing to us change nothing.
      if (!isProtocolError(error) || error.code !== ErrorCode.InvalidParams) throw error;
    }
    return settled;
  }

  async #listen(
    { method, params }: HandledRequest,
    caller: Caller,
    channel: RequestChannel,
  ): Promise<Result> {
    const { capabilities, events, watchResource, report, stampedInfo, tasks } = this.#options;
    const result = await listen({
      params,
      caller,
      channel,
      capabilities: capabilities(),
      events: channel.events ?? events,
      watchResource,
      report,
      tasks,
    });
    return caller.codec.encodeResult(method, result, {
      ...identified(stampedInfo),
      subscriptionId: channel.id,
    });
  }

  #stamp(method: string, rule: MethodRule | undefined): ResultStamp {
    const known = this.#stamps.get(method);
    if (known !== undefined) return known;
    const { cacheHints, stampedInfo } = this.#options;
    const hint = Object.hasOwn(cacheHints, method) ? cacheHints[method] : undefined;
    const stamp: ResultStamp =
      rule?.cacheable === true
        ? {
            ...identified(stampedInfo),
            ttlMs: hint?.ttlMs ?? 0,
            cacheScope: hint?.cacheScope ?? 'private',
          }
        : identified(stampedInfo);
    if (rule !== undefined) this.#stamps.set(method, stamp);
    return stamp;
  }
}

async function encodeLater(
  outcome: PromiseLike<unknown>,
  encode: (outcome: unknown) => Result,
  codec: Codec,
): Promise<Result> {
  try {
    return encode(await outcome);
  } catch (thrown) {
    throw errorFor(thrown, codec);
  }
}

function errorFor(thrown: unknown, codec: Codec): unknown {
  const error = asOwnError(thrown);
  return codec.era === 'modern' ? asModernError(error) : error;
}

/** Only some methods may end in an interim result. */
function asObject(outcome: unknown, method: string): object {
  if (outcome === undefined || outcome === null) return {};
  if (typeof outcome !== 'object' || Array.isArray(outcome)) {
    throw new ProtocolError(ErrorCode.InternalError, `The handler of ${method} returned no result.`);
  }
  if (isInputRequired(outcome) && !MULTI_ROUND_METHODS.has(method)) {
    throw new ProtocolError(ErrorCode.InternalError, `${method} cannot ask for input.`);
  }
  if (method !== 'tools/call' && (outcome as { resultType?: unknown }).resultType === 'task') {
    throw new ProtocolError(ErrorCode.InternalError, `${method} cannot be answered with a task.`);
  }
  return outcome;
}

const identified = (serverInfo: Implementation | undefined): ResultStamp =>
  serverInfo === undefined ? {} : { serverInfo };

/** Built-in methods whose effect stays when a handler of the server's author answers them. */
const NOTED_METHODS: ReadonlySet<string> = new Set([
  'resources/subscribe',
  'resources/unsubscribe',
  'logging/setLevel',
]);

const MULTI_ROUND_METHODS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

function metaOf(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  const { _meta: meta } = params;
  return typeof meta === 'object' && meta !== null && !Array.isArray(meta)
    ? (meta as Record<string, unknown>)
    : undefined;
}
