import type { JSONRPCMessage } from '@portico/rpc';

/** Names one stream of one session. */
export type StreamId = string;

/** Names one event; it leads to its stream. No line breaks. */
export type EventId = string;

/**
 * Keeps what a session sends, so that a client whose connection broke gets what it missed. Events
 * of one stream are stored one after another and replayed in that order. Stream ids begin with the
 * session's id, so that sessions can share a store. What is old may be forgotten: a client that
 * asks for it is refused and starts anew.
 */
export interface EventStore {
  /** Stores one event under a new id. The first of a stream may be an empty object, no message. */
  storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId>;
  /** The stream of an event; undefined for unknown ids. Without it streams are found by replaying. */
  getStreamIdForEventId?(eventId: EventId): Promise<StreamId | undefined>;
  /** Hands over, in order, what came after this event on its stream; answers the stream's id. */
  replayEventsAfter(
    lastEventId: EventId,
    receiver: { send: (eventId: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId>;
}
