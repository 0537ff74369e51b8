import type { Clock } from '@portico/rpc';
import type { Tool } from '@portico/spec';
import type { ServerAnswer, ServerRequest } from './bridge/handlers.ts';
import { isRecord } from './records.ts';

/** The server behind a view, as far as views need it. May be replaced while a view is open. */
export interface ViewConnection {
  /** False while it cannot be asked, but may be later. */
  readonly isReady: boolean;
  /** The server's tools, where known. */
  readonly tools?: readonly Tool[] | undefined;
  /** The server's listing of a resource, where known. */
  listed?(uri: string): unknown;
  /** Rejects with whatever the server answered, or with why it could not. */
  request(
    request: ServerRequest,
    options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<unknown>;
}

const REQUEST_TIMED_OUT = -32001;
const INTERNAL_ERROR = -32603;
/** Limit of requests other than tool calls, in milliseconds. */
const OTHER_REQUEST_MS = 60_000;

function problemOf(error: unknown): ServerAnswer {
  const message = error instanceof Error ? error.message : 'The request failed.';
  // An error of the server itself, or one that carries it.
  for (const candidate of [error, isRecord(error) ? error['data'] : undefined]) {
    if (typeof candidate !== 'object' || candidate === null) continue;
    const { code, message: text, data } = candidate as Record<string, unknown>;
    if (typeof code === 'number' && Number.isInteger(code)) {
      return { error: { code, message: typeof text === 'string' ? text : message, data } };
    }
  }
  return { error: { code: INTERNAL_ERROR, message } };
}

export interface AskServerOptions {
  readonly clock: Clock;
  /** Limit of a tool call, in milliseconds. */
  readonly toolCallTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** Passes a view's request on and ends it after its time, whether the server answers or not. */
export async function askServer(
  connection: ViewConnection,
  request: ServerRequest,
  { clock, toolCallTimeoutMs, signal }: AskServerOptions,
): Promise<ServerAnswer> {
  const timeoutMs = request.method === 'tools/call' ? toolCallTimeoutMs : OTHER_REQUEST_MS;
  const ending = new AbortController();
  const abort = (): void => ending.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  let late: (answer: ServerAnswer) => void = () => undefined;
  const tooLate = new Promise<ServerAnswer>((resolve) => (late = resolve));
  const timer = clock.setTimer(timeoutMs, () => {
    late({ error: { code: REQUEST_TIMED_OUT, message: `No answer within ${timeoutMs / 1000} s.` } });
    ending.abort();
  });
  const ask = async (): Promise<ServerAnswer> => {
    try {
      return { result: await connection.request(request, { signal: ending.signal, timeoutMs }) };
    } catch (error) {
      return problemOf(error);
    }
  };
  try {
    return await Promise.race([ask(), tooLate]);
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', abort);
  }
}
