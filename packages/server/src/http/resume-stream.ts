import { ErrorCode } from '@portico/rpc';
import { refusal } from './error-answers.ts';
import type { EventId, EventStore, StreamId } from './event-store.ts';
import { EVENT_STREAM_HEADERS, type EventStream } from './event-stream.ts';
import type { HttpAnswer } from './http-message.ts';
import type { SessionStream } from './session-stream.ts';

/** A client that comes back for what followed an event. */
export interface Resumption {
  readonly lastEventId: EventId;
  readonly store: EventStore;
  /** The stream of this id, if it is one that this client may have. */
  readonly streamFor: (id: StreamId) => SessionStream | undefined;
  readonly openConnection: () => EventStream;
  readonly headers: Readonly<Record<string, string>>;
  readonly report: (error: Error) => void;
}

/** Answers with the rest of a stream: 400 for an event that is not known here, 500 when the store fails. */
export async function resumeStream(resumption: Resumption): Promise<HttpAnswer> {
  const { lastEventId, store, headers, report } = resumption;
  let streamId: StreamId | undefined;
  try {
    streamId = await streamOf(lastEventId, store);
  } catch (error) {
    report(error instanceof Error ? error : new TypeError(String(error)));
    return storeFailed();
  }
  const stream = streamId === undefined ? undefined : resumption.streamFor(streamId);
  if (stream === undefined) return refusal(400, 'No event of this session has the id in Last-Event-ID.');
  const connection = resumption.openConnection();
  try {
    await stream.resume(lastEventId, connection);
  } catch {
    return storeFailed();
  }
  return { status: 200, headers: { ...EVENT_STREAM_HEADERS, ...headers }, stream: connection };
}

async function streamOf(eventId: EventId, store: EventStore): Promise<StreamId | undefined> {
  const id =
    store.getStreamIdForEventId === undefined
      ? await store.replayEventsAfter(eventId, { send: () => Promise.resolve() })
      : await store.getStreamIdForEventId(eventId);
  return id === '' ? undefined : id;
}

function storeFailed(): HttpAnswer {
  return refusal(500, 'The stored events cannot be read.', ErrorCode.InternalError);
}
