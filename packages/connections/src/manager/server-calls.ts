import type { Client, RequestOptions } from '@portico/client';
import type { CallToolRequestParams } from '@portico/spec';
import { ConnectionsError } from '../errors.ts';
import type { ConnectionEntry } from '../entry.ts';
import { toServerCallError } from './failure-codes.ts';
import type { McpServerState, ServerActions, ServerCallOptions } from './server-parts.ts';

/** Milliseconds that a call may go without an answer unless it says otherwise. */
const CALL_TIMEOUT_MS = 60_000;
/** Milliseconds that progress can keep a call alive unless it says otherwise. */
const CALL_TOTAL_MS = 3_600_000;

export interface CallsPort {
  readonly id: string;
  readonly connection: ConnectionEntry;
  state(): McpServerState;
  /** A call is made; @returns what to do when it is over, with its error if it failed */
  begins(what: string): (error?: unknown) => void;
}

type Calls = Pick<ServerActions, 'callTool' | 'readResource' | 'getPrompt' | 'complete'>;

/** The calls of one server. They reject, and never throw. Source: R93–R103. */
export function createCalls(port: CallsPort): Calls {
  const call = async <T>(
    what: string,
    run: (client: Client) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    const state = port.state();
    if (state !== 'ready') throw notReady(port.id, state);
    signal?.throwIfAborted();
    const ends = port.begins(what);
    try {
      const result = await port.connection.callNow(run);
      ends();
      return result;
    } catch (error) {
      const shown = toServerCallError(port.id, error, signal);
      ends(shown);
      throw shown;
    }
  };
  return {
    callTool: (name, args = {}, options = {}) =>
      call(
        `tools/call ${name}`,
        (client) => client.callTool(callParams(name, args, options), requestOptions(options)),
        options.signal,
      ),
    readResource: (uri) =>
      call('resources/read', (client) => client.readResource({ uri }, { timeout: CALL_TIMEOUT_MS })),
    getPrompt: (name, args) =>
      call(`prompts/get ${name}`, (client) =>
        client.getPrompt(args === undefined ? { name } : { name, arguments: args }, {
          timeout: CALL_TIMEOUT_MS,
        }),
      ),
    complete: (params) =>
      call('completion/complete', (client) => client.complete(params, { timeout: CALL_TIMEOUT_MS })),
  };
}

function notReady(id: string, state: McpServerState): ConnectionsError {
  const message = `the server ${id} is not ready: it is ${state}`;
  return new ConnectionsError('not_ready', { id, status: state }, { message });
}

function callParams(
  name: string,
  args: Record<string, unknown>,
  { meta }: ServerCallOptions,
): CallToolRequestParams {
  return { name, arguments: args, ...(meta === undefined ? {} : { _meta: { ...meta } }) };
}

function requestOptions({
  timeout = CALL_TIMEOUT_MS,
  maxTotalTimeout = CALL_TOTAL_MS,
  resetTimeoutOnProgress = false,
  signal,
  onProgress,
}: ServerCallOptions): RequestOptions {
  return {
    timeout,
    maxTotalTimeout,
    resetTimeoutOnProgress,
    signal,
    // Progress is sent only to those who ask for it, and it may be what keeps the call alive.
    ...(resetTimeoutOnProgress || onProgress !== undefined
      ? { onprogress: onProgress ?? (() => undefined) }
      : {}),
  };
}
