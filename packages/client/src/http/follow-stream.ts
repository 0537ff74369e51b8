import { runGuarded } from '@portico/rpc';
import type { ExchangeScope, JSONRPCMessage, JSONRPCNotification, RequestId } from '@portico/rpc';
import { LAST_EVENT_ID_HEADER } from '@portico/spec';
import { SdkError } from '../errors.ts';
import { exchange, mediaType } from './channel.ts';
import type { HttpChannel } from './channel.ts';
import { readEvents } from './event-stream.ts';
import type { StreamCursor, StreamSink } from './event-stream.ts';
import type { HttpAnswer } from './http-client.ts';
import { reconnectionDelayMs, waitForTry } from './reconnection-wait.ts';
import type { Reconnection } from './reconnection.ts';
import { refusalOf } from './refusal.ts';

/** One stream to be read to its end over however many connections that takes. */
export interface FollowOptions {
  /** The answer that ends the stream; without it the stream goes on for ever. */
  readonly answerTo?: RequestId | undefined;
  /** The connection that is open already. */
  readonly first?: HttpAnswer;
  /** Go on after this event. */
  readonly lastEventId?: string | undefined;
  /** Whether the revision lets broken streams be taken up again. */
  readonly resumable: boolean;
  readonly reconnection: Reconnection;
  readonly scope: ExchangeScope;
  readonly onEventId?: ((id: string) => void) | undefined;
}

/** Refusals that may pass: the server is busy, or still holds the old connection for the live one. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429]);

const PROGRESS = 'notifications/progress';

/** Progress of a call that is taken up names the token it had in its first life. */
function underToken(message: JSONRPCNotification, progressToken: RequestId): JSONRPCMessage {
  return message.method === PROGRESS ? { ...message, params: { ...message.params, progressToken } } : message;
}

/** A message of a call that was begun elsewhere, under the id that the call has here. */
function underId(message: JSONRPCMessage, id: RequestId): JSONRPCMessage {
  if (!('method' in message)) return { ...message, id };
  return 'id' in message ? message : underToken(message, id);
}

function sinkOf(channel: HttpChannel, options: FollowOptions): StreamSink {
  const { answerTo, onEventId } = options;
  const resumed = options.first === undefined;
  return {
    onMessage(message) {
      const known = resumed && answerTo !== undefined ? underId(message, answerTo) : message;
      channel.deliver(known, answerTo);
      return answerTo !== undefined && !('method' in known) && known.id === answerTo;
    },
    ...(onEventId === undefined
      ? {}
      : {
          onEventId: (id) =>
            runGuarded(
              'onresumptiontoken',
              () => onEventId(id),
              (error) => channel.report(error),
            ),
        }),
    onBadEvent: (error) => channel.report(error),
  };
}

/** @returns the new connection, or nothing when the try failed in a way that may pass */
async function reopen(
  channel: HttpChannel,
  cursor: StreamCursor,
  scope: ExchangeScope,
): Promise<HttpAnswer | undefined> {
  const headers = channel.baseHeaders();
  headers['accept'] = 'text/event-stream';
  const { lastEventId = '' } = cursor;
  if (lastEventId !== '') headers[LAST_EVENT_ID_HEADER.toLowerCase()] = lastEventId;
  let answer: HttpAnswer;
  try {
    answer = await exchange(channel, { url: channel.url, method: 'GET', headers, scope });
  } catch {
    return undefined;
  }
  const { status } = answer;
  if (status === 200 && mediaType(answer) === 'text/event-stream') return answer;
  if (status >= 400 && status < 500 && !PASSING.has(status)) throw (await refusalOf(answer, true)).error;
  answer.discard();
  return undefined;
}

/** Reads one connection. @returns whether all has come that was wanted, or what the connection broke with */
async function readConnection(
  channel: HttpChannel,
  connection: { readonly answer: HttpAnswer; readonly cursor: StreamCursor },
  sink: StreamSink,
): Promise<{ readonly done: boolean; readonly brokenBy?: unknown }> {
  const { answer, cursor } = connection;
  cursor.heard = false;
  try {
    return { done: await readEvents(answer, cursor, { limits: channel.limits, sink }) };
  } catch (error) {
    if (error instanceof SdkError) throw error;
    return { done: false, brokenBy: error };
  }
}

/**
 * Reads a stream and takes it up again with the last event id when its connection breaks.
 * Returns quietly when nobody waits any more.
 *
 * @throws SdkError `CONNECTION_CLOSED` when it broke and cannot be taken up,
 *   `CLIENT_HTTP_FAILED_TO_OPEN_STREAM` after the last try, `MESSAGE_TOO_LARGE`, and the refusals of
 *   `refusalOf`
 */
export async function followStream(channel: HttpChannel, options: FollowOptions): Promise<void> {
  const { reconnection, scope, lastEventId } = options;
  const cursor: StreamCursor = { heard: false, ...(lastEventId === undefined ? {} : { lastEventId }) };
  const sink = sinkOf(channel, options);
  let answer = options.first;
  let failures = 0;
  let cause: unknown;
  // A token is taken up at once; only later connections wait.
  let immediately = answer === undefined;
  for (;;) {
    if (answer !== undefined) {
      const { done, brokenBy } = await readConnection(channel, { answer, cursor }, sink);
      if (done) return;
      cause = brokenBy ?? cause;
      if (cursor.heard) failures = 0;
    }
    if (scope.aborted) return;
    const resumable =
      options.answerTo === undefined || (options.resumable && (cursor.lastEventId ?? '') !== '');
    if (!resumable) {
      throw new SdkError('CONNECTION_CLOSED', { message: 'the stream ended before the answer came', cause });
    }
    if (failures >= reconnection.options.maxRetries) {
      const lost = new SdkError('CLIENT_HTTP_FAILED_TO_OPEN_STREAM', { cause });
      // The call rejects by itself; that the server could not be found again concerns everybody.
      if (options.first !== undefined && options.answerTo !== undefined) channel.report(lost);
      throw lost;
    }
    if (!immediately) {
      const delayMs = reconnectionDelayMs(reconnection.options, failures, cursor.retryMs);
      const plan = { delayMs, attempt: failures };
      await waitForTry(plan, { ...reconnection, clock: channel.clock }, scope);
    }
    if (scope.aborted) return;
    immediately = false;
    failures += 1;
    answer = await reopen(channel, cursor, scope);
  }
}
