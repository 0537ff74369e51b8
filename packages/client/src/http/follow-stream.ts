import type { Clock, JSONRPCMessage, RequestId } from '@portico/rpc';
import { LAST_EVENT_ID_HEADER } from '@portico/spec';
import { SdkError } from '../errors.ts';
import { mediaType } from './body.ts';
import { discardBody, fetchFrom } from './channel.ts';
import type { HttpChannel } from './channel.ts';
import { readEvents } from './event-stream.ts';
import type { StreamCursor, StreamSink } from './event-stream.ts';
import { refusalOf } from './refusal.ts';

/** How a broken stream is opened again. */
export interface StreamableHTTPReconnectionOptions {
  /** Milliseconds before the first try; 1,000 by default. A wait that the server names wins. */
  readonly initialReconnectionDelay: number;
  /** Longest wait, milliseconds; 30,000 by default. */
  readonly maxReconnectionDelay: number;
  /** Each wait is this many times the one before; 1.5 by default. */
  readonly reconnectionDelayGrowFactor: number;
  /** Tries in a row that may bring nothing; 2 by default. */
  readonly maxRetries: number;
}

export const DEFAULT_RECONNECTION: StreamableHTTPReconnectionOptions = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 2,
};

/** Shortest wait before a reconnect, milliseconds, whatever the server names. */
const MIN_RECONNECTION_MS = 100;

/** One stream to be read to its end over however many connections that takes. */
export interface FollowOptions {
  /** The answer that ends the stream; without it the stream goes on for ever. */
  readonly answerTo?: RequestId;
  /** The connection that is open already. */
  readonly first?: Response;
  /** Go on after this event. */
  readonly lastEventId?: string;
  /** Whether the revision lets broken streams be taken up again. */
  readonly resumable: boolean;
  readonly reconnection: StreamableHTTPReconnectionOptions;
  readonly signal: AbortSignal;
  readonly onEventId?: ((id: string) => void) | undefined;
}

/** Resolves after a time, or at once when the signal fires. */
function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      timer.cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.setTimer(ms, end);
    signal.addEventListener('abort', end, { once: true });
  });
}

function isAnswerTo(message: JSONRPCMessage, id: RequestId | undefined): boolean {
  return id !== undefined && !('method' in message) && message.id === id;
}

function sinkOf(channel: HttpChannel, options: FollowOptions): StreamSink {
  const resumed = options.first === undefined;
  return {
    onMessage(message) {
      // A call that is taken up by its token has another id than the one it was made with.
      const known =
        resumed && options.answerTo !== undefined && !('method' in message)
          ? { ...message, id: options.answerTo }
          : message;
      channel.deliver(known);
      return isAnswerTo(known, options.answerTo);
    },
    onEventId: (id) => options.onEventId?.(id),
    onBadEvent: (error) => channel.report(error),
  };
}

/** @returns the new connection, or nothing when the try failed in a way that may pass */
async function reopen(
  channel: HttpChannel,
  cursor: StreamCursor,
  signal: AbortSignal,
): Promise<Response | undefined> {
  const headers = channel.baseHeaders();
  headers.set('accept', 'text/event-stream');
  if (cursor.lastEventId !== undefined) headers.set(LAST_EVENT_ID_HEADER, cursor.lastEventId);
  let response: Response;
  try {
    response = await fetchFrom(channel, { method: 'GET', headers, signal });
  } catch (error) {
    if (error instanceof SdkError) return undefined;
    throw error;
  }
  if (response.ok && mediaType(response) === 'text/event-stream') return response;
  if (response.status >= 400 && response.status < 500) {
    throw (await refusalOf(response, true)).error;
  }
  await discardBody(response);
  return undefined;
}

/**
 * Reads a stream and takes it up again with the last event id when its connection breaks.
 * Returns quietly when the signal fires.
 *
 * @throws SdkError `CONNECTION_CLOSED` when it broke and cannot be taken up,
 *   `CLIENT_HTTP_FAILED_TO_OPEN_STREAM` after the last try, `MESSAGE_TOO_LARGE`, and the refusals of
 *   `refusalOf`
 */
export async function followStream(channel: HttpChannel, options: FollowOptions): Promise<void> {
  const { reconnection, signal, lastEventId } = options;
  const cursor: StreamCursor = { heard: false, ...(lastEventId === undefined ? {} : { lastEventId }) };
  const port = { limits: channel.limits, sink: sinkOf(channel, options) };
  let response = options.first;
  let failures = 0;
  let brokenBy: unknown;
  // A token is taken up at once; only later connections wait.
  let immediately = response === undefined;
  for (;;) {
    if (response !== undefined) {
      cursor.heard = false;
      try {
        if (await readEvents(response, cursor, port)) return;
      } catch (error) {
        if (error instanceof SdkError) throw error;
        brokenBy = error;
      }
      if (cursor.heard) failures = 0;
    }
    if (signal.aborted) return;
    const resumable =
      options.answerTo === undefined || (options.resumable && cursor.lastEventId !== undefined);
    if (!resumable) {
      throw new SdkError('CONNECTION_CLOSED', {
        message: 'the stream ended before the answer came',
        cause: brokenBy,
      });
    }
    if (failures >= reconnection.maxRetries) {
      throw new SdkError('CLIENT_HTTP_FAILED_TO_OPEN_STREAM', { cause: brokenBy });
    }
    if (!immediately) await wait(channel.clock, delayMs(reconnection, failures, cursor), signal);
    if (signal.aborted) return;
    immediately = false;
    failures += 1;
    response = await reopen(channel, cursor, signal);
  }
}

function delayMs(
  reconnection: StreamableHTTPReconnectionOptions,
  failures: number,
  cursor: StreamCursor,
): number {
  if (cursor.retryMs !== undefined) {
    return Math.min(Math.max(cursor.retryMs, MIN_RECONNECTION_MS), reconnection.maxReconnectionDelay);
  }
  const { initialReconnectionDelay, reconnectionDelayGrowFactor: factor } = reconnection;
  return Math.min(initialReconnectionDelay * factor ** failures, reconnection.maxReconnectionDelay);
}
