import { createSseParser, parseMessage } from '@portico/rpc';
import type { JSONRPCMessage, ReceiveLimits, SseEvent } from '@portico/rpc';
import { toLocalError } from '../local-error.ts';

/** Where a stream stands; it survives the connections that carry the stream. */
export interface StreamCursor {
  lastEventId?: string;
  /** The wait that the server asked for before a reconnect, milliseconds. */
  retryMs?: number;
  /** Whether anything arrived since this was last set to false. */
  heard: boolean;
}

/** What becomes of a stream's content. None of the callbacks may throw. */
export interface StreamSink {
  /** @returns whether the stream has given all that was wanted of it */
  onMessage(message: JSONRPCMessage): boolean;
  onEventId(id: string): void;
  /** Bad data in one event; the stream goes on. */
  onBadEvent(error: Error): void;
}

function readMessage(event: SseEvent, limits: ReceiveLimits, sink: StreamSink): boolean {
  // Events with a name of their own are none of ours, and empty ones only carry an id.
  if (event.event !== 'message' || event.data === '') return false;
  try {
    return sink.onMessage(parseMessage(event.data, limits));
  } catch (error) {
    sink.onBadEvent(toLocalError(error));
    return false;
  }
}

/**
 * Reads events until the stream ends, breaks or has given what was wanted.
 *
 * @returns whether it has given what was wanted
 * @throws SdkError `MESSAGE_TOO_LARGE`; what the body breaks with
 */
export async function readEvents(
  response: Response,
  cursor: StreamCursor,
  port: { readonly limits: ReceiveLimits; readonly sink: StreamSink },
): Promise<boolean> {
  const { limits, sink } = port;
  let done = false;
  let fault: Error | undefined;
  const parser = createSseParser({
    maxEventBytes: limits.maxMessageBytes,
    onEvent: (event) => {
      done = readMessage(event, limits, sink) || done;
    },
    onId: (id) => {
      cursor.lastEventId = id;
      sink.onEventId(id);
    },
    onRetry: (delayMs) => {
      cursor.retryMs = delayMs;
    },
    onError: (error) => {
      fault = error;
    },
  });
  const reader = response.body?.getReader();
  if (reader === undefined) return false;
  try {
    while (!done) {
      const { done: ended, value } = await reader.read();
      if (ended) break;
      cursor.heard = true;
      parser.push(value);
      if (fault !== undefined) throw toLocalError(fault);
    }
    return done;
  } finally {
    // Not awaited: a source that hangs while it is cancelled must not hold the caller up.
    void reader.cancel().catch(() => undefined);
  }
}
