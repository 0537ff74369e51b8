import type { JSONRPCMessage } from '@portico/rpc';
import type { EventId, EventStore, StreamId } from './event-store.ts';

/** Events kept by default, over all streams. */
const DEFAULT_MAX_EVENTS = 10_000;

/** Keeps the newest events in this process. Enough for one process whose clients come back soon. */
export class InMemoryEventStore implements EventStore {
  readonly #maxEvents: number;
  readonly #events = new Map<EventId, { readonly streamId: StreamId; readonly message: JSONRPCMessage }>();
  #stored = 0;

  /** @param options.maxEvents events kept over all streams; the oldest go first. Default 10 000. */
  constructor({ maxEvents = DEFAULT_MAX_EVENTS }: { readonly maxEvents?: number } = {}) {
    this.#maxEvents = maxEvents;
  }

  get size(): number {
    return this.#events.size;
  }

  storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId> {
    const id = String((this.#stored += 1));
    this.#events.set(id, { streamId, message });
    if (this.#events.size > this.#maxEvents) {
      for (const oldest of this.#events.keys()) {
        this.#events.delete(oldest);
        break;
      }
    }
    return Promise.resolve(id);
  }

  getStreamIdForEventId(eventId: EventId): Promise<StreamId | undefined> {
    return Promise.resolve(this.#events.get(eventId)?.streamId);
  }

  async replayEventsAfter(
    lastEventId: EventId,
    { send }: { send: (eventId: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId> {
    const streamId = this.#events.get(lastEventId)?.streamId;
    if (streamId === undefined) return '';
    let passed = false;
    for (const [id, event] of this.#events) {
      if (passed && event.streamId === streamId) await send(id, event.message);
      if (id === lastEventId) passed = true;
    }
    return streamId;
  }
}
