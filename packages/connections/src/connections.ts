import type { RequestOptions } from '@portico/client';
import type {
  CallToolRequestParams,
  CallToolResult,
  GetPromptResult,
  LoggingLevel,
  Prompt,
  ReadResourceResult,
  Resource,
  Result,
  Tool,
} from '@portico/spec';
import { ConnectionEntry } from './entry.ts';
import type { EntrySurroundings } from './entry.ts';
import { ConnectionsError } from './errors.ts';
import { DEFAULT_CONNECTION_LIMITS } from './options.ts';
import type { CallOptions, ConnectionsOptions } from './options.ts';
import { REMOTE_POLICY } from './policy.ts';
import type { ConnectionState } from './state.ts';

/** What is said of one call of a tool. */
export interface ToolCall {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
  /** Goes along as it is; progress is asked for by the options alone. */
  readonly _meta?: Record<string, unknown> | undefined;
  /** Answers to the questions of an interim result; see {@link CallOptions.answers}. */
  readonly inputResponses?: CallToolRequestParams['inputResponses'];
  /** The state of that result, as it was. */
  readonly requestState?: string | undefined;
}

/** Many servers' connections as one observable thing; `Definition` says where a server is. */
export interface Connections<Definition = unknown> {
  /** All states by id; the same object until something differs. */
  getSnapshot(): ReadonlyMap<string, ConnectionState>;
  /** Told of every change; @returns how to stop that. Listeners must not throw. */
  subscribe(listener: () => void): () => void;
  /** Told of changes of one connection only, also of its coming and going. */
  subscribeTo(id: string, listener: () => void): () => void;
  get(id: string): ConnectionState | undefined;
  /**
   * Adds a connection and, unless told otherwise, opens it.
   *
   * @param definition handed to `createTransport` as it is
   * @throws ConnectionsError `duplicate_connection`, `closed`
   */
  add(id: string, definition: Definition, options?: { readonly connect?: boolean }): void;
  /** Takes another definition; what is open is closed and opened anew with it, and its lists are void. */
  replace(id: string, definition: Definition): void;
  /** Closes and forgets a connection; resolves when nothing of it is left. */
  remove(id: string): Promise<void>;
  /** Opens a connection unless it is open; resolves with the outcome, never rejects for a failure. */
  connect(id: string): Promise<ConnectionState>;
  /** Closes a connection; `stopped` says that it is switched off. Resolves when it is gone. */
  disconnect(id: string, status?: 'idle' | 'stopped'): Promise<void>;
  /** Closes what is open and opens it at once; earlier failures no longer count. */
  reconnect(id: string): Promise<ConnectionState>;
  /** Closes everything for good. */
  close(): Promise<void>;
  /** @throws ConnectionsError every code but `duplicate_connection` */
  callTool(id: string, call: ToolCall, options?: CallOptions): Promise<CallToolResult>;
  /** @throws as `callTool` */
  readResource(id: string, uri: string, options?: CallOptions): Promise<ReadResourceResult>;
  /** @throws as `callTool` */
  getPrompt(
    id: string,
    prompt: { readonly name: string; readonly arguments?: Record<string, string> | undefined },
    options?: CallOptions,
  ): Promise<GetPromptResult>;
  /** Any request. @throws as `callTool` */
  request(id: string, method: string, params?: object, options?: CallOptions): Promise<Result>;
  /**
   * Has the server tell of changes of a resource, as `notifications/resources/updated`, in either era and
   * however often it is connected anew; after a gap that is told once by itself. Settles when the server
   * does; the answer ends it.
   *
   * @throws as `callTool`; ConnectionsError `not_supported` when the server does not watch it
   */
  watchResource(id: string, uri: string, options?: Pick<CallOptions, 'signal'>): Promise<() => void>;
  /**
   * Has a legacy server log what is at least as severe as this, or more where somebody else wants more;
   * the answer ends it. Modern servers are told with each request, in its `_meta`.
   *
   * @throws as `callTool`
   */
  wantLogs(id: string, level: LoggingLevel, options?: Pick<CallOptions, 'signal'>): Promise<() => void>;
  /** The list as it was last read. @throws ConnectionsError `unknown_connection` */
  listTools(id: string): readonly Tool[];
  /** The list as it was last read. @throws ConnectionsError `unknown_connection` */
  listResources(id: string): readonly Resource[];
  /** The list as it was last read. @throws ConnectionsError `unknown_connection` */
  listPrompts(id: string): readonly Prompt[];
}

/** Creates an empty set of connections. Nothing is opened before something is added. */
export function createConnections<Definition = unknown>(
  options: ConnectionsOptions<Definition>,
): Connections<Definition> {
  return new ConnectionSet(options);
}

type Listener = () => void;

class ConnectionSet implements Connections {
  readonly #options: ConnectionsOptions;
  readonly #limits;
  readonly #surroundings: EntrySurroundings;
  readonly #entries = new Map<string, ConnectionEntry>();
  readonly #listeners = new Set<Listener>();
  readonly #listenersById = new Map<string, Set<Listener>>();
  #snapshot: ReadonlyMap<string, ConnectionState> | undefined;
  #closed = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_CONNECTION_LIMITS, ...options.limits };
    this.#surroundings = {
      options,
      limits: this.#limits,
      random: options.random ?? Math.random,
      policyFor: (id, definition) => options.policyFor?.(id, definition) ?? REMOTE_POLICY,
      changed: (id) => this.#changed(id),
    };
  }

  getSnapshot(): ReadonlyMap<string, ConnectionState> {
    this.#snapshot ??= new Map([...this.#entries].map(([id, entry]) => [id, entry.state]));
    return this.#snapshot;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  subscribeTo(id: string, listener: Listener): () => void {
    const listeners = this.#listenersById.get(id) ?? new Set();
    this.#listenersById.set(id, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listenersById.get(id) === listeners) {
        this.#listenersById.delete(id);
      }
    };
  }

  get(id: string): ConnectionState | undefined {
    return this.#entries.get(id)?.state;
  }

  add(id: string, definition: unknown, options: { readonly connect?: boolean } = {}): void {
    if (this.#closed) throw new ConnectionsError('closed', undefined);
    if (this.#entries.has(id)) throw new ConnectionsError('duplicate_connection', { id });
    const entry = new ConnectionEntry(id, definition, this.#surroundings);
    this.#entries.set(id, entry);
    // One that is opened at once was never anything else to whoever watches.
    if (options.connect === false) this.#changed(id);
    else entry.dispatch({ type: 'connect' });
  }

  replace(id: string, definition: unknown): void {
    const entry = this.#entry(id);
    const { status } = entry.state;
    entry.redefine(definition);
    if (status !== 'idle' && status !== 'stopped') entry.dispatch({ type: 'replaced' });
  }

  async remove(id: string): Promise<void> {
    const entry = this.#entry(id);
    entry.dispatch({ type: 'disconnect', status: 'idle' });
    this.#entries.delete(id);
    this.#changed(id);
    await entry.whenClosed();
  }

  async connect(id: string): Promise<ConnectionState> {
    const entry = this.#entry(id);
    entry.dispatch({ type: 'connect' });
    return entry.settled();
  }

  async disconnect(id: string, status: 'idle' | 'stopped' = 'idle'): Promise<void> {
    const entry = this.#entry(id);
    entry.dispatch({ type: 'disconnect', status });
    await entry.whenClosed();
  }

  async reconnect(id: string): Promise<ConnectionState> {
    const entry = this.#entry(id);
    entry.dispatch({ type: 'reconnect' });
    return entry.settled();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#entries.keys()].map((id) => this.remove(id)));
  }

  async callTool(id: string, call: ToolCall, options: CallOptions = {}): Promise<CallToolResult> {
    const { name, arguments: given, _meta: meta, inputResponses, requestState } = call;
    const params = {
      name,
      ...(given === undefined ? {} : { arguments: given }),
      ...(meta === undefined ? {} : { _meta: meta }),
      ...(inputResponses === undefined ? {} : { inputResponses }),
      ...(requestState === undefined ? {} : { requestState }),
    };
    const limits = this.#callLimits(id, options);
    return this.#entry(id).call((client) => client.callTool(params, limits), options.signal);
  }

  async readResource(id: string, uri: string, options: CallOptions = {}): Promise<ReadResourceResult> {
    const limits = this.#callLimits(id, options);
    return this.#entry(id).call((client) => client.readResource({ uri }, limits), options.signal);
  }

  async getPrompt(
    id: string,
    prompt: { readonly name: string; readonly arguments?: Record<string, string> | undefined },
    options: CallOptions = {},
  ): Promise<GetPromptResult> {
    const { name, arguments: given } = prompt;
    const params = given === undefined ? { name } : { name, arguments: given };
    const limits = this.#callLimits(id, options);
    return this.#entry(id).call((client) => client.getPrompt(params, limits), options.signal);
  }

  // oxlint-disable-next-line max-params -- the published signature, the same as a client's `invoke`
  async request(id: string, method: string, params?: object, options: CallOptions = {}): Promise<Result> {
    const limits = this.#callLimits(id, options);
    return this.#entry(id).call((client) => client.invoke(method, params, limits), options.signal);
  }

  async watchResource(id: string, uri: string, { signal }: CallOptions = {}): Promise<() => void> {
    const entry = this.#entry(id);
    return entry.call(() => entry.watchResource(uri), signal);
  }

  async wantLogs(id: string, level: LoggingLevel, { signal }: CallOptions = {}): Promise<() => void> {
    const entry = this.#entry(id);
    return entry.call(() => entry.wantLogs(level), signal);
  }

  listTools(id: string): readonly Tool[] {
    return this.#entry(id).state.tools;
  }

  listResources(id: string): readonly Resource[] {
    return this.#entry(id).state.resources;
  }

  listPrompts(id: string): readonly Prompt[] {
    return this.#entry(id).state.prompts;
  }

  /** Progress extends the first limit but never the second (field-D37). */
  #callLimits(id: string, options: CallOptions): RequestOptions {
    const { onProgress, answers } = options;
    return {
      signal: options.signal,
      timeout: options.timeoutMs ?? this.#limits.callTimeoutMs,
      maxTotalTimeout: options.maxTotalTimeoutMs ?? this.#limits.callMaxTotalMs,
      resetTimeoutOnProgress: true,
      // Asked for even when nobody looks: it is what keeps a long call alive.
      onprogress: (progress) => {
        this.#entries.get(id)?.heard();
        onProgress?.(progress);
      },
      ...(answers === undefined
        ? {}
        : { allowInputRequired: true, capabilities: { ...this.#options.capabilities, ...answers } }),
      ...(options.onNotification === undefined ? {} : { onnotification: options.onNotification }),
    };
  }

  #entry(id: string): ConnectionEntry {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new ConnectionsError('unknown_connection', { id });
    return entry;
  }

  #changed(id: string): void {
    this.#snapshot = undefined;
    for (const listener of this.#listenersById.get(id) ?? []) this.#tell(id, listener);
    for (const listener of this.#listeners) this.#tell(id, listener);
  }

  #tell(id: string, listener: Listener): void {
    try {
      listener();
    } catch (error) {
      // One bad listener must not keep the others in the dark.
      if (error instanceof Error) this.#options.onReport?.(id, error);
    }
  }
}
