import type { Clock, Timer } from '@portico/rpc';

/** Where the text of an event stream goes: a response of some HTTP server. */
export interface EventSink {
  /** Takes text. False means the peer is slow: the sink calls `drained` once it has caught up. */
  write(text: string): boolean;
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
 * The server's end of one event stream. Text waits here until a sink is attached, and while the
 * sink's peer is slow. Either side may end it: `end()` from here, `cut()` when the peer is gone;
 * `onclose` then fires once.
 */
export class EventStream {
  /** Fires once, with whether the peer went away. Must not throw. */
  onclose?: (reason: { readonly cut: boolean }) => void;
  readonly #options: EventStreamOptions;
  #sink: EventSink | undefined;
  #waiting: string[] = [];
  #waitingChars = 0;
  #slow = false;
  #slowSinceMs = 0;
  #state: 'open' | 'ending' | 'closed' = 'open';
  #timer: Timer | undefined;
  #caughtUp: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  constructor(options: EventStreamOptions) {
    this.#options = options;
  }

  /** True once nothing more can be sent. */
  get closed(): boolean {
    return this.#state !== 'open';
  }

  /** True while the peer is there, as far as can be told: it has not refused bytes for two comments. */
  get alive(): boolean {
    if (this.#state !== 'open') return false;
    if (!this.#slow) return true;
    const { clock, keepAliveMs } = this.#options;
    return clock.now() - this.#slowSinceMs <= 2 * (keepAliveMs > 0 ? keepAliveMs : DEFAULT_KEEP_ALIVE_MS);
  }

  /**
   * Sends one JSON-RPC message as an event. The answer, if any, settles when a slow peer has caught
   * up. Sending on a closed stream does nothing.
   */
  writeMessage(json: string, eventId?: string): Promise<void> | undefined {
    const id = eventId === undefined ? '' : `id: ${eventId}\n`;
    return this.#write(`event: message\n${id}data: ${json}\n\n`);
  }

  /** Tells where to resume from before there is a message, and how long to wait before doing so. */
  writeResumptionPoint(eventId: string, retryMs: number | undefined): void {
    const retry = retryMs === undefined ? '' : `retry: ${String(retryMs)}\n`;
    void this.#write(`id: ${eventId}\n${retry}data: \n\n`);
  }

  /** Sends an event of another kind. @param data without line breaks */
  writeEvent(name: string, data: string): void {
    void this.#write(`event: ${name}\ndata: ${data}\n\n`);
  }

  /** Sends a line that clients skip. @param comment without line breaks */
  writeComment(comment: string): void {
    void this.#write(`: ${comment}\n\n`);
  }

  /** Hands the stream to the response that carries it, with everything written so far. */
  attach(sink: EventSink): void {
    if (this.#state === 'closed') {
      sink.end();
      return;
    }
    this.#sink = sink;
    this.#armKeepAlive();
    this.drained();
  }

  /** Told by the sink that it takes more. */
  drained(): void {
    if (this.#sink === undefined) return;
    this.#slow = false;
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#waitingChars = 0;
    if (text !== '') this.#hand(text, this.#sink);
    if (this.#state === 'ending') {
      this.#close();
    } else if (!this.#slow) {
      this.#caughtUp?.resolve();
      this.#caughtUp = undefined;
    }
  }

  /** Ends the stream after what has been written. */
  end(): void {
    if (this.#state !== 'open') return;
    this.#state = 'ending';
    this.#timer?.cancel();
    this.onclose?.({ cut: false });
    if (this.#sink !== undefined && this.#waiting.length === 0) this.#close();
  }

  /** Tells the stream that its peer is gone. */
  cut(): void {
    if (this.#state === 'closed') return;
    const wasOpen = this.#state === 'open';
    this.#waiting = [];
    this.#close();
    if (wasOpen) this.onclose?.({ cut: true });
  }

  #write(text: string): Promise<void> | undefined {
    if (this.#state !== 'open') return undefined;
    if (this.#sink !== undefined && !this.#slow) {
      this.#hand(text, this.#sink);
      return this.#slow ? this.#untilCaughtUp() : undefined;
    }
    // One large message may always wait; a heap of them may not.
    if (this.#waitingChars > 0 && this.#waitingChars + text.length > MAX_WAITING_CHARS) {
      this.cut();
      return undefined;
    }
    this.#waiting.push(text);
    this.#waitingChars += text.length;
    // Before there is a sink nobody can be waited for: the sink comes from the answer itself.
    return this.#sink === undefined ? undefined : this.#untilCaughtUp();
  }

  #hand(text: string, sink: EventSink): void {
    this.#slow = !sink.write(text);
    if (this.#slow) this.#slowSinceMs = this.#options.clock.now();
  }

  #untilCaughtUp(): Promise<void> {
    if (this.#caughtUp === undefined) {
      let resolve = (): void => undefined;
      const promise = new Promise<void>((settle) => (resolve = settle));
      this.#caughtUp = { promise, resolve };
    }
    return this.#caughtUp.promise;
  }

  #armKeepAlive(): void {
    const { clock, keepAliveMs } = this.#options;
    if (keepAliveMs <= 0 || this.#state !== 'open') return;
    this.#timer = clock.setTimer(keepAliveMs, () => {
      // A slow peer has bytes on the way, which keep the stream alive by themselves.
      if (!this.#slow) this.writeComment('keep-alive');
      this.#armKeepAlive();
    });
    this.#timer.unref?.();
  }

  #close(): void {
    this.#state = 'closed';
    this.#timer?.cancel();
    this.#caughtUp?.resolve();
    this.#sink?.end();
  }
}
