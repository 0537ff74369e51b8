// @ts-check
/**
 * @typedef {import('@portico/server').EventStore} EventStore
 */

/**
 * Keeps every event for as long as the process lives, which is how long the suite takes.
 * @returns {EventStore}
 */
export function memoryEvents() {
  /** @type {{ streamId: string, message: import('@portico/rpc').JSONRPCMessage }[]} */
  const events = [];
  // An event's id is its place in the list.
  const place = (/** @type {string} */ eventId) => Number(eventId);
  return {
    async storeEvent(streamId, message) {
      events.push({ streamId, message });
      return String(events.length - 1);
    },
    async getStreamIdForEventId(eventId) {
      return events[place(eventId)]?.streamId;
    },
    async replayEventsAfter(lastEventId, { send }) {
      const streamId = events[place(lastEventId)]?.streamId ?? '';
      for (let index = place(lastEventId) + 1; index < events.length; index += 1) {
        const event = events[index];
        if (event?.streamId === streamId) await send(String(index), event.message);
      }
      return streamId;
    },
  };
}
