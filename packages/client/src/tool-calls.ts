import { isProtocolError } from '@portico/rpc';
import { ProtocolErrorCode } from '@portico/spec';
import type {
  CallToolRequestParams,
  CallToolResult,
  DecodedResult,
  Result,
  TaskState,
  Tool,
} from '@portico/spec';
import { SdkError } from './errors.ts';
import type { OpenedConnection } from './opening.ts';
import type { RequestOptions, WireRequestOptions } from './request-options.ts';
import type { RequestSender } from './request-sender.ts';
import { checkResult, isInterim } from './result-checks.ts';
import type { TaskOptions, TaskPort } from './task-run.ts';
import type { CatalogueEntry, ToolCatalogue } from './tool-catalogue.ts';

/** What can be said about one call of a tool. */
export interface CallToolRequestOptions extends RequestOptions, TaskOptions {
  /** The tool as the caller knows it, in place of what lists said: for its headers and its results. */
  readonly toolDefinition?: Tool | undefined;
  /** Hands the handle of a task to the caller (`resultType: 'task'`) instead of driving it. */
  readonly allowTask?: boolean | undefined;
}

/** What calling tools needs. */
export interface ToolCallPort {
  readonly sender: RequestSender;
  readonly catalogue: ToolCatalogue;
  /** @throws SdkError `NOT_CONNECTED` */
  opened(): OpenedConnection;
  /** Reads the list of tools anew. */
  relist(options: RequestOptions): Promise<unknown>;
  /** The result of an answer. @throws SdkError `UNSUPPORTED_RESULT_TYPE`, `INVALID_RESULT` */
  final(method: string, answer: DecodedResult): Result;
  readonly tasks: Pick<TaskPort, 'clock' | 'report' | 'ask' | 'answers'>;
}

const CALL = 'tools/call';

/** Calls tools: with the headers they ask for, as tasks where both sides want it, and checks what comes. */
export class ToolCalls {
  readonly #port: ToolCallPort;

  constructor(port: ToolCallPort) {
    this.#port = port;
  }

  async call(
    params: CallToolRequestParams,
    options: CallToolRequestOptions | undefined,
  ): Promise<CallToolResult> {
    const definition = options?.toolDefinition;
    const { catalogue } = this.#port;
    let entry = definition === undefined ? catalogue.entry(params.name) : catalogue.foreign(definition);
    this.#requireNoLegacyTask(params, entry);
    const preparing = entry?.prepare();
    if (preparing !== undefined) await preparing;
    let answer: DecodedResult;
    try {
      answer = await this.#send(params, entry, options);
    } catch (error) {
      if (definition !== undefined || !isHeaderMismatch(error)) throw error;
      // The tool asks for other headers than it did when it was listed.
      await this.#port.relist({ signal: options?.signal, timeout: options?.timeout });
      entry = catalogue.entry(params.name);
      await entry?.prepare();
      answer = await this.#send(params, entry, options);
    }
    return answer.kind === 'complete' ? verified(answer.result, entry) : this.#read(answer, entry, options);
  }

  /** Goes on with a call that became a task, from its id alone. */
  async resume(
    taskId: string,
    options: RequestOptions & TaskOptions,
    entry?: CatalogueEntry,
  ): Promise<CallToolResult> {
    return verified(await this.#drive({ taskId }, options), entry);
  }

  #send(
    params: CallToolRequestParams,
    entry: CatalogueEntry | undefined,
    options: CallToolRequestOptions | undefined,
  ): Promise<DecodedResult> {
    const { sender } = this.#port;
    if (entry === undefined || !this.#takesHeaders()) return sender.send(CALL, params, options, true);
    const send = (): Promise<DecodedResult> =>
      sender.send(CALL, params, withHeaders(entry.headersFor(params.arguments), options), true);
    return entry.prepareHeaders()?.then(send) ?? send();
  }

  /** What an answer comes to in the end. */
  async #read(
    answer: DecodedResult,
    entry: CatalogueEntry | undefined,
    options: CallToolRequestOptions | undefined,
  ): Promise<CallToolResult> {
    const result = this.#port.final(CALL, answer);
    if (answer.kind !== 'task') return verified(result, entry);
    if (options?.allowTask === true) return result as CallToolResult;
    const { result: first } = answer;
    return verified(await this.#drive({ taskId: first.taskId, first }, options ?? {}), entry);
  }

  #takesHeaders(): boolean {
    const { wire } = this.#port.opened();
    return wire.isPerRequest && wire.codec.era === 'modern';
  }

  async #drive(
    task: { readonly taskId: string; readonly first?: TaskState },
    options: RequestOptions & TaskOptions,
  ): Promise<Result> {
    const { wire } = this.#port.opened();
    const { runTask, taskPort } = await import('./task-run.ts');
    return runTask(task, taskPort(this.#port, wire), options);
  }

  /** The tasks of revision 2025-11-25 are not spoken here, so a tool that insists on them cannot be called. */
  #requireNoLegacyTask({ name, task }: CallToolRequestParams, entry: CatalogueEntry | undefined): void {
    const required = entry?.tool.execution?.taskSupport === 'required';
    if (task === undefined && !(required && this.#port.opened().wire.codec.era === 'legacy')) return;
    throw new SdkError('CAPABILITY_NOT_SUPPORTED', {
      message: `${name} cannot be called as a task of revision 2025-11-25; this client has none`,
      data: { capability: 'tasks', method: CALL },
    });
  }
}

function withHeaders(
  headers: Readonly<Record<string, string>> | undefined,
  options: CallToolRequestOptions | undefined,
): WireRequestOptions | undefined {
  return headers === undefined ? options : { ...options, headers: { ...options?.headers, ...headers } };
}

function isHeaderMismatch(error: unknown): boolean {
  return isProtocolError(error) && error.code === ProtocolErrorCode.HeaderMismatch;
}

/** Results of tools that only fill the structured part lack the list that the protocol asks for. */
function withContent(result: Result): Result {
  return result['content'] === undefined ? { ...result, content: [] } : result;
}

/** @throws SdkError `INVALID_RESULT` */
function verified(result: Result, entry: CatalogueEntry | undefined): CallToolResult {
  if (isInterim(result)) return result as CallToolResult;
  const complete = checkResult(CALL, withContent(result));
  entry?.verify(complete);
  return complete;
}
