import type { Clock, Timer } from '@portico/rpc';

/** Where the text of an event stream goes: a response of some HTTP server. */
export interface EventSink {
  /** Writes; a promise means the peer is slow and settles when it has caught up. */
  write(text: string): Promise<void> | undefined;
  end(): void;
}

/** Headers of every event stream: proxies are told neither to buffer nor to transform. */
export const EVENT_STREAM_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** Default time between keep-alive comments, in milliseconds. */
export const DEFAULT_KEEP_ALIVE_MS = 15_000;

/** Text that may wait for a slow or absent reader before the stream is cut, in characters. */
const MAX_WAITING_CHARS = 16 * 1024 * 1024;

export interface EventStreamOptions {
  readonly clock: Clock;
  /** Milliseconds between comments that keep proxies from cutting the stream; 0 for none. */
  readonly keepAliveMs: number;
}

/**
 * The server's end of one event stream. Text written before a sink is attached waits. Either side
 * may end it: `end()` from here, `cut()` when the peer is gone; `onclose` then fires once.
 */
export class EventStream {
  readonly #options: EventStreamOptions;
  #sink: EventSink | undefined;
  #waiting: string[] = [];
  #waitingChars = 0;
  #closed = false;
  #ended = false;
  #timer: Timer | undefined;
  #pressure: Promise<void> | undefined;
  /** Fires once, with whether the peer went away. Must not throw. */
  onclose?: (reason: { readonly cut: boolean }) => void;

  constructor(options: EventStreamOptions) {
    this.#options = options;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Sends one JSON-RPC message as an event. Writing to a closed stream does nothing. */
  writeMessage(json: string, eventId?: string): Promise<void> | undefined {
    const id = eventId === undefined ? '' : `id: ${eventId}\n`;
    return this.#write(`event: message\n${id}data: ${json}\n\n`);
  }

  /** Hands the stream to the response that carries it, with everything written so far. */
  attach(sink: EventSink): void {
    if (this.#closed && !this.#ended) {
      sink.end();
      return;
    }
    this.#sink = sink;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingChars = 0;
    if (waiting.length > 0) void this.#track(sink.write(waiting.join('')));
    if (this.#ended) sink.end();
    else this.#armKeepAlive();
  }

  /** Ends the stream after what has been written. */
  end(): void {
    if (this.#closed) return;
    this.#ended = true;
    this.#close(false);
    this.#sink?.end();
  }

  /** Tells the stream that its peer is gone. */
  cut(): void {
    if (this.#closed) return;
    this.#waiting = [];
    this.#close(true);
    this.#sink?.end();
  }

  #write(text: string): Promise<void> | undefined {
    if (this.#closed) return undefined;
    if (this.#sink !== undefined && this.#pressure === undefined) {
      return this.#track(this.#sink.write(text));
    }
    this.#waitingChars += text.length;
    if (this.#waitingChars > MAX_WAITING_CHARS) {
      this.cut();
      return undefined;
    }
    if (this.#sink === undefined) this.#waiting.push(text);
    else return this.#track(this.#sink.write(text));
    return undefined;
  }

  #track(pressure: Promise<void> | undefined): Promise<void> | undefined {
    if (pressure === undefined) return undefined;
    this.#pressure = pressure;
    const settled = (): void => {
      if (this.#pressure !== pressure) return;
      this.#pressure = undefined;
      this.#waitingChars = 0;
    };
    return pressure.then(settled, settled);
  }

  #armKeepAlive(): void {
    const { clock, keepAliveMs } = this.#options;
    if (keepAliveMs <= 0) return;
    this.#timer = clock.setTimer(keepAliveMs, () => {
      void this.#write(': keep-alive\n\n');
      if (!this.#closed) this.#armKeepAlive();
    });
  }

  #close(cut: boolean): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.onclose?.({ cut });
  }
}
