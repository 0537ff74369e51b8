import type { RequestId } from '@portico/rpc';
import { createSendRequest, toPeerOptions } from '@portico/spec';
import type {
  ClientCapabilities,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  Implementation,
  LoggingLevel,
  ProtocolRequestOptions,
  RequestEnvelope,
  Result,
  SendRequest,
} from '@portico/spec';
import { askClient } from './client-request.ts';
import type { TaskService, TaskStarter } from './tasks/task-service.ts';
import { type Caller, wantsLog } from './caller.ts';
import type { HttpDetails, RequestChannel } from './channel.ts';
import { ServerError } from './errors.ts';

/** What the client said of itself, in either era. */
export interface ClientView {
  readonly era: 'legacy' | 'modern';
  readonly protocolVersion: string;
  readonly info: Implementation | undefined;
  /** Empty when nothing was declared, so that members can be asked for directly. */
  readonly capabilities: ClientCapabilities;
}

/** The request side of a handler's context. */
export interface ServerRequestScope {
  readonly id: RequestId;
  readonly method: string;
  /** The request's `_meta` without the reserved keys of the modern envelope. */
  readonly _meta: Readonly<Record<string, unknown>> | undefined;
  /** What a modern request says of its sender; undefined in a legacy session. */
  readonly envelope: RequestEnvelope | undefined;
  /** Answers to earlier input requests, by key. They come from the client: check them. */
  readonly inputResponses: Readonly<Record<string, unknown>> | undefined;
  /** Keys of answers that were passed over because they are none, so that they can be asked again. */
  readonly droppedInputResponseKeys: readonly string[] | undefined;
  /** Fires when the client gives the request up. Built at first use. */
  readonly signal: AbortSignal;
  /** What an earlier `inputRequired` of this handler stored, verified if the server verifies it. */
  requestState<State = unknown>(): State | undefined;
  /**
   * Sends a request to the client, within this one. Legacy connections only.
   * @throws ServerError `METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION`, `NOT_CONNECTED`
   */
  readonly send: SendRequest;
  notify(notification: {
    readonly method: string;
    readonly params?: Readonly<Record<string, unknown>>;
  }): Promise<void>;
  /** Reports progress, when the client asked for it; otherwise does nothing. */
  progress(progress: { progress: number; total?: number; message?: string }): void;
  /**
   * Sends a log message, when the client wants its level.
   *
   * @deprecated The specification deprecates logging over the protocol; it works unchanged.
   */
  log(level: LoggingLevel, data: unknown, logger?: string): Promise<void>;
  /**
   * Asks the person a question and waits. Legacy connections only: return `inputRequired(...)` to
   * serve both eras.
   * @throws ServerError `CAPABILITY_NOT_SUPPORTED`, `METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION`
   */
  elicitInput(params: ElicitRequestParams, options?: ProtocolRequestOptions): Promise<ElicitResult>;
  /**
   * Asks the client's model. Legacy connections only, as `elicitInput`.
   *
   * @deprecated The specification deprecates sampling; it works unchanged.
   */
  requestSampling(
    params: CreateMessageRequestParams,
    options?: ProtocolRequestOptions,
  ): Promise<CreateMessageResult>;
}

/** What a handler is given beside its arguments. */
export interface ServerContext {
  readonly sessionId: string | undefined;
  readonly mcpReq: ServerRequestScope;
  /** Present when the request came by HTTP. */
  readonly http: HttpDetails | undefined;
  /** The client, as this request knows it. */
  readonly client: ClientView;
  /** Lets a tool answer with a task. Undefined unless the server has the tasks extension. */
  readonly tasks: TaskStarter | undefined;
}

/** What a multi-round request brought along. */
export interface Round {
  readonly responses: Readonly<Record<string, unknown>> | undefined;
  readonly droppedKeys?: readonly string[] | undefined;
  readonly state: unknown;
}

const NO_ROUND: Round = { responses: undefined, state: undefined };

/** Everything one context is made of. */
export interface ContextParts {
  readonly method: string;
  readonly caller: Caller;
  readonly channel: RequestChannel;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly round?: Round;
  readonly tasks?: TaskService | undefined;
}

/** Makes of what the work of a task returned or threw the result of the call. */
export type FinishTask = (work: () => Promise<object>) => Promise<Result>;

/** Builds a handler's context. Members that cost something are made when they are looked at. */
export function createContext(parts: ContextParts): ServerContext {
  return new HandlerContext(parts);
}

/** Says what becomes of the outcome of tasks that this handler starts. */
export function onTaskOutcome(context: ServerContext, finish: FinishTask): void {
  if (context instanceof HandlerContext) context.finishTask = finish;
}

class HandlerContext implements ServerContext {
  finishTask: FinishTask | undefined;
  readonly mcpReq: ServerRequestScope;
  readonly #parts: ContextParts;

  constructor(parts: ContextParts) {
    this.#parts = parts;
    this.mcpReq = new RequestScope(parts);
  }

  get sessionId(): string | undefined {
    return this.#parts.channel.sessionId;
  }

  get http(): HttpDetails | undefined {
    return this.#parts.channel.http;
  }

  get tasks(): TaskStarter | undefined {
    const { tasks, caller, channel } = this.#parts;
    return tasks?.starter(caller, channel, this.finishTask ?? ((work) => work() as Promise<Result>));
  }

  get client(): ClientView {
    const { codec, info, capabilities } = this.#parts.caller;
    return {
      era: codec.era,
      protocolVersion: codec.version,
      info,
      capabilities: capabilities ?? {},
    };
  }
}

/** Methods are arrow members so that handlers may take them off the object. */
class RequestScope implements ServerRequestScope {
  readonly #parts: ContextParts;
  readonly #round: Round;

  constructor(parts: ContextParts) {
    this.#parts = parts;
    this.#round = parts.round ?? NO_ROUND;
  }

  get id(): RequestId {
    return this.#parts.channel.id;
  }

  get method(): string {
    return this.#parts.method;
  }

  get _meta(): Readonly<Record<string, unknown>> | undefined {
    return this.#parts.meta;
  }

  get envelope(): RequestEnvelope | undefined {
    return this.#parts.caller.envelope;
  }

  get inputResponses(): Readonly<Record<string, unknown>> | undefined {
    return this.#round.responses;
  }

  get droppedInputResponseKeys(): readonly string[] | undefined {
    return this.#round.droppedKeys;
  }

  get signal(): AbortSignal {
    return this.#parts.channel.signal;
  }

  get requestState(): <State = unknown>() => State | undefined {
    const { state } = this.#round;
    return <State>() => state as State | undefined;
  }

  get send(): ServerRequestScope['send'] {
    return createSendRequest((method, params, options) => this.#ask(method, params, options));
  }

  get notify(): ServerRequestScope['notify'] {
    return ({ method, params }) => this.#parts.channel.notify(method, params);
  }

  get progress(): ServerRequestScope['progress'] {
    return (progress) => this.#parts.channel.progress(progress);
  }

  get log(): ServerRequestScope['log'] {
    return async (level, data, logger) => {
      if (!wantsLog(this.#parts.caller, level)) return;
      const params = logger === undefined ? { level, data } : { level, data, logger };
      await this.#parts.channel.notify('notifications/message', params);
    };
  }

  get elicitInput(): ServerRequestScope['elicitInput'] {
    return async (params, options) => {
      return (await this.#ask('elicitation/create', { ...params }, options)) as ElicitResult;
    };
  }

  get requestSampling(): ServerRequestScope['requestSampling'] {
    return async (params, options) => {
      return (await this.#ask('sampling/createMessage', { ...params }, options)) as CreateMessageResult;
    };
  }

  async #ask(
    method: string,
    params: Readonly<Record<string, unknown>> | undefined,
    options: ProtocolRequestOptions | undefined,
  ): Promise<unknown> {
    const { caller, channel } = this.#parts;
    if (caller.codec.era === 'modern') {
      throw new ServerError('METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION', {
        message: `${method} cannot be sent in this revision; return inputRequired(...) instead`,
        data: { method },
      });
    }
    if (channel.request === undefined) {
      throw new ServerError('NOT_CONNECTED', {
        message: `${method} cannot be sent: this request has no way back to the client`,
        data: { method },
      });
    }
    const { request } = channel;
    return askClient(caller, { method, params }, () => request(method, params, toPeerOptions(options)));
  }
}
