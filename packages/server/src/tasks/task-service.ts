import type { AuthInfo } from '@portico/oauth/resource';
import { type Clock, ErrorCode, ProtocolError } from '@portico/rpc';
import {
  isTaskRequestParams,
  isUpdateTaskRequestParams,
  missingRequiredClientCapabilityError,
  type DetailedTask,
  type Result,
  type TaskHandleResult,
  TASKS_EXTENSION_ID,
} from '@portico/spec';
import type { Caller } from '../caller.ts';
import type { RequestChannel } from '../channel.ts';
import { storedPrincipal } from '../principal.ts';
import { methodNotFound, protocolError } from '../wire-error.ts';
import { ended, isoTime } from './task-changes.ts';
import { runTask, takeAnswers, type TaskWork } from './task-run.ts';
import { InMemoryTaskStore, type StoredTask, type TaskStore } from './task-store.ts';

/** How a server keeps tasks. Given at all, the server advertises the extension. */
export interface TaskOptions {
  /** Where tasks live. Default: in this process. Servers made for each request share one. */
  readonly store?: TaskStore;
  /** Milliseconds that a task is kept from its creation, null for ever. Default 3 600 000. */
  readonly ttlMs?: number | null;
  /** Milliseconds between two looks that clients are asked to keep. Default 1000. */
  readonly pollIntervalMs?: number;
  /**
   * Who a request's credentials stand for. Default: the client with issuer and subject, where the
   * gate names them, else a digest of the token.
   */
  readonly principalOf?: (authInfo: AuthInfo | undefined) => string | undefined;
}

/** What may differ from task to task. */
export interface TaskStartOptions {
  readonly ttlMs?: number | null;
  readonly pollIntervalMs?: number;
  readonly statusMessage?: string;
}

/** Lets a tool answer with a task. */
export interface TaskStarter {
  /** Whether this caller can be answered with a task. Others need the result at once. */
  readonly isSupported: boolean;
  /**
   * Creates a task, starts its work and answers the handle that the tool returns.
   * @throws ProtocolError -32021 when the caller did not declare the extension
   */
  start(work: TaskWork, options?: TaskStartOptions): Promise<TaskHandleResult>;
}

/** One request of the extension, and who sent it. */
interface TaskRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly channel: RequestChannel;
}

const DEFAULT_TTL_MS = 3_600_000;
const DEFAULT_POLL_INTERVAL_MS = 1000;

/** The tasks extension of one server: starting, reading, answering and cancelling tasks. */
export class TaskService {
  readonly #options: TaskOptions;
  readonly #store: TaskStore;
  readonly #clock: Clock;
  readonly #report: (error: Error) => void;

  constructor(options: TaskOptions, clock: Clock, report: (error: Error) => void) {
    this.#options = options;
    this.#clock = clock;
    this.#store = options.store ?? new InMemoryTaskStore(clock);
    this.#report = report;
  }

  /** @param finish makes what the work returned or threw into the call's result */
  starter(
    caller: Caller,
    channel: RequestChannel,
    finish: (work: () => Promise<object>) => Promise<Result>,
  ): TaskStarter {
    return {
      isSupported: declaresTasks(caller),
      start: async (work, options = {}) => {
        assertDeclared(caller);
        const state = this.#newState(options);
        const owner = await this.#ownerOf(channel);
        await this.#store.create({ state, owner, answers: {}, usedKeys: [] });
        const { taskId, ttlMs } = state;
        void runTask(work, {
          taskId,
          ttlMs,
          finish,
          store: this.#store,
          clock: this.#clock,
          capabilities: caller.capabilities,
          report: this.#report,
        });
        return { ...state, resultType: 'task' };
      },
    };
  }

  /** `tasks/get`. @throws ProtocolError -32602 unknown task, -32021 */
  async get(request: TaskRequest): Promise<object> {
    const { state } = await this.#find(request);
    return state;
  }

  /** `tasks/update`. @throws ProtocolError -32602 unknown task or malformed answers, -32021 */
  async update(request: TaskRequest): Promise<object> {
    const { params } = request;
    await this.#find(request);
    if (!isUpdateTaskRequestParams(params)) throw invalid('Answers are given by the keys of the questions.');
    const { taskId, inputResponses: given } = params;
    await takeAnswers(this.#store, taskId, { given, nowMs: this.#clock.now() });
    return {};
  }

  /** `tasks/cancel`: final at once; the work learns of it and its result no longer counts. */
  async cancel(request: TaskRequest): Promise<object> {
    const { state } = await this.#find(request);
    await this.#store.change(state.taskId, (task) => ended(task, { status: 'cancelled' }, this.#clock.now()));
    return {};
  }

  /** Of the tasks that a listener names, those it may hear of. @throws ProtocolError -32021 */
  async listenable(taskIds: readonly string[], caller: Caller, channel: RequestChannel): Promise<string[]> {
    assertDeclared(caller);
    const owner = await this.#ownerOf(channel);
    const found = await Promise.all(taskIds.map(async (taskId) => await this.#store.get(taskId)));
    return taskIds.filter((_, index) => found[index] !== undefined && found[index].owner === owner);
  }

  /** Tells of every later change of a task, in full. */
  watch(taskId: string, listener: (state: DetailedTask) => void): () => void {
    return this.#store.watch(taskId, ({ state }) => listener(state));
  }

  /** A task of someone else is as unknown as one that never was. */
  async #find({ params, caller, channel }: TaskRequest): Promise<StoredTask> {
    // The tasks of revision 2025-11-25 are another feature, which is not served.
    if (caller.codec.era === 'legacy') throw methodNotFound('tasks/*');
    assertDeclared(caller);
    if (!isTaskRequestParams(params)) throw invalid('The request needs the id of a task.');
    const task = await this.#store.get(params.taskId);
    if (task === undefined || task.owner !== (await this.#ownerOf(channel))) throw invalid('Task not found.');
    return task;
  }

  #newState(options: TaskStartOptions): DetailedTask {
    const now = isoTime(this.#clock.now());
    const { ttlMs = this.#options.ttlMs, pollIntervalMs = this.#options.pollIntervalMs } = options;
    return {
      taskId: crypto.randomUUID(),
      status: 'working',
      createdAt: now,
      lastUpdatedAt: now,
      ttlMs: ttlMs === undefined ? DEFAULT_TTL_MS : ttlMs,
      pollIntervalMs: pollIntervalMs ?? DEFAULT_POLL_INTERVAL_MS,
      ...(options.statusMessage === undefined ? {} : { statusMessage: options.statusMessage }),
    };
  }

  #ownerOf({ http }: RequestChannel): string | undefined | Promise<string | undefined> {
    return (this.#options.principalOf ?? storedPrincipal)(http?.authInfo);
  }
}

function declaresTasks({ codec, capabilities }: Caller): boolean {
  return codec.era === 'modern' && hasExtension(capabilities);
}

function hasExtension(capabilities: Caller['capabilities']): boolean {
  const { extensions } = capabilities ?? {};
  return extensions !== undefined && Object.hasOwn(extensions, TASKS_EXTENSION_ID);
}

function assertDeclared(caller: Caller): void {
  if (declaresTasks(caller)) return;
  throw protocolError(missingRequiredClientCapabilityError({ extensions: { [TASKS_EXTENSION_ID]: {} } }));
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, message);
}
