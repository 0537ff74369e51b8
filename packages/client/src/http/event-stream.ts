import { createSseParser, parseMessage } from '@portico/rpc';
import type { JSONRPCMessage, ReceiveLimits, SseEvent } from '@portico/rpc';
import { toLocalError } from '../local-error.ts';
import type { HttpAnswer } from './http-client.ts';

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
  onEventId?(id: string): void;
  /** Events with another name than messages have; they are skipped where nobody asks for them. */
  onOtherEvent?(event: SseEvent): void;
  /** Bad data in one event; the stream goes on. */
  onBadEvent(error: Error): void;
}

function readMessage(event: SseEvent, limits: ReceiveLimits, sink: StreamSink): boolean {
  if (event.event !== 'message') {
    sink.onOtherEvent?.(event);
    return false;
  }
  // Empty ones only carry an id.
  if (event.data === '') return false;
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
  answer: HttpAnswer,
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
      sink.onEventId?.(id);
    },
    onRetry: (delayMs) => {
      cursor.retryMs = delayMs;
    },
    onError: (error) => {
      fault = error;
    },
  });
  await answer.chunks((chunk) => {
    cursor.heard = true;
    parser.push(chunk);
    return done || fault !== undefined;
  });
  if (fault !== undefined && !done) throw toLocalError(fault);
  return done;
}
