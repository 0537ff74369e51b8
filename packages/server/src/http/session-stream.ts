import {
  type Clock,
  type JSONRPCMessage,
  type Timer,
  isJSONRPCMessage,
  serializeMessage,
} from '@portico/rpc';
import type { EventId, EventStore, StreamId } from './event-store.ts';
import type { EventStream } from './event-stream.ts';

export interface SessionStreamOptions {
  readonly id: StreamId;
  /** Without one, what is sent while nobody is connected is lost. */
  readonly store: EventStore | undefined;
  readonly clock: Clock;
  readonly report: (error: Error) => void;
}

/** How long a store may take to keep one message, milliseconds. */
const MAX_STORE_MS = 1_000;

/**
 * One stream of a session: the messages of one POST, or those that belong to none. It outlives its
 * connection. With a store every message is kept before it is sent, and a client that comes back
 * gets the rest: storing, sending and replaying happen one after another, so that nothing falls in
 * between and nothing comes twice.
 */
export class SessionStream {
  readonly id: StreamId;
  readonly #store: EventStore | undefined;
  readonly #clock: Clock;
  readonly #report: (error: Error) => void;
  #connection: EventStream | undefined;
  #replaying: EventStream | undefined;
  #finished = false;
  #last: Promise<void> | undefined;

  constructor(options: SessionStreamOptions) {
    this.id = options.id;
    this.#store = options.store;
    this.#clock = options.clock;
    this.#report = options.report;
  }

  /** Whether a client is connected, or gets a replay. */
  get connected(): boolean {
    return this.#connection?.closed === false || this.#replaying?.closed === false;
  }

  /** As `connected`, and the client still takes what it is sent. */
  get alive(): boolean {
    return this.#connection?.alive === true || this.#replaying?.alive === true;
  }

  /** Sends to this connection from now on; an earlier one is cut. */
  attach(connection: EventStream): void {
    this.disconnect();
    this.#connection = connection;
  }

  /** Tells the client where to resume from. Needs a store. */
  announceResumption(retryMs: number | undefined): void {
    const store = this.#store;
    if (store === undefined) return;
    void this.#inOrder(async () => {
      // Stores take it for a message: it is the one thing on a stream that is none.
      const eventId = await this.#keep(store, {} as JSONRPCMessage);
      if (eventId !== undefined) this.#connection?.writeResumptionPoint(eventId, retryMs);
    });
  }

  /** Sends one message, which `text` is when it was written before. The answer settles when it is kept and a slow client has caught up. */
  write(message: JSONRPCMessage, text: string = serializeMessage(message)): Promise<void> | undefined {
    const store = this.#store;
    if (store === undefined) return this.#connection?.writeMessage(text);
    return this.#keepAndSend(store, message, text);
  }

  /** Ends the connection after what was sent; the client may come back. */
  closeConnection(): void {
    if (this.#last === undefined) this.#connection?.end();
    else void this.#inOrder(() => Promise.resolve(this.#connection?.end()));
  }

  /** Nothing more will be sent. `then` runs once everything is stored. */
  finish(then: () => void): void {
    const finish = (): void => {
      this.#finished = true;
      this.#connection?.end();
      then();
    };
    if (this.#last === undefined) finish();
    else void this.#inOrder(() => Promise.resolve(finish()));
  }

  /** Drops the connection. */
  disconnect(): void {
    this.#replaying?.cut();
    this.#replaying = undefined;
    this.#connection?.cut();
    this.#connection = undefined;
  }

  /**
   * Sends what came after an event to this connection, then what comes. Settles with the first
   * event, or when there is none.
   * @throws whatever the store fails with before it has handed over anything
   */
  resume(lastEventId: EventId, connection: EventStream): Promise<void> {
    const store = this.#store;
    if (store === undefined) return Promise.resolve();
    this.disconnect();
    this.#replaying = connection;
    return new Promise((resolve, reject) => {
      void this.#inOrder(async () => {
        try {
          await this.#replay(lastEventId, connection, resolve);
        } catch (error) {
          connection.cut();
          this.#report(asError(error));
          reject(asError(error));
          return;
        }
        // Somebody else may have come for the same stream meanwhile.
        if (this.#replaying !== connection) return;
        this.#replaying = undefined;
        this.#connection = connection;
        if (this.#finished) connection.end();
        resolve();
      }).then(resolve);
    });
  }

  async #replay(lastEventId: EventId, connection: EventStream, begun: () => void): Promise<void> {
    await this.#store?.replayEventsAfter(lastEventId, {
      send: async (eventId, message) => {
        // Earlier resumption points are of no use to a client that is past them.
        if (!isJSONRPCMessage(message)) return;
        const caughtUp = connection.writeMessage(JSON.stringify(message), idOnWire(eventId));
        begun();
        await caughtUp;
      },
    });
  }

  async #keepAndSend(store: EventStore, message: JSONRPCMessage, text: string): Promise<void> {
    let caughtUp: Promise<void> | undefined;
    await this.#inOrder(async () => {
      const eventId = await this.#keep(store, message);
      caughtUp = this.#connection?.writeMessage(text, eventId);
    });
    await caughtUp;
  }

  /** A store that fails, or takes too long, costs the chance to resume, not the message. */
  async #keep(store: EventStore, message: JSONRPCMessage): Promise<EventId | undefined> {
    let timer: Timer | undefined;
    const late = new Promise<never>((_, reject) => {
      const error = new TypeError('The event store did not keep a message in time.');
      timer = this.#clock.setTimer(MAX_STORE_MS, () => reject(error));
    });
    try {
      return idOnWire(await Promise.race([store.storeEvent(this.id, message), late]));
    } catch (error) {
      this.#report(asError(error));
      return undefined;
    } finally {
      timer?.cancel();
    }
  }

  #inOrder(task: () => Promise<void>): Promise<void> {
    const done = (this.#last ?? Promise.resolve()).then(task).catch((error: unknown) => {
      this.#report(asError(error));
    });
    this.#last = done;
    return done;
  }
}

/** An id that would break the stream's lines is not sent. */
function idOnWire(eventId: EventId): EventId | undefined {
  return /[\0\r\n]/.test(eventId) ? undefined : eventId;
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new TypeError(String(thrown));
}
