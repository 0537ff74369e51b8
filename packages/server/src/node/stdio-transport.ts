import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import {
  type Clock,
  type JSONRPCMessage,
  type MessageExtraInfo,
  type ReceiveLimits,
  type RequestId,
  RpcError,
  type Transport,
  createLineReader,
  isJSONRPCRequest,
  isJSONRPCResponse,
  parseMessage,
  receiveLimits,
  serializeMessage,
  systemClock,
  toErrorResponse,
} from '@portico/rpc';

export interface StdioServerTransportOptions {
  /** Longest line in bytes; a longer one ends the connection. Default 10 MiB. */
  readonly maxBufferSize?: number;
  readonly limits?: Partial<ReceiveLimits>;
  readonly clock?: Clock;
}

const MAX_BUFFER_SIZE: number = 10 * 1024 * 1024;

/** Characters joined into one write at most, so that both processes stay busy. */
const FLUSH_CHARS = 4096;

/** How long calls in flight may still answer after the input has ended, in milliseconds. */
const DRAIN_MS = 1500;

/** Bad lines reported one by one; a noisy peer would otherwise report without end. */
const MAX_REPORTED_LINES = 100;

/**
 * A server's end of standard input and output, or of any pair of streams with the same framing.
 * When the input ends, calls in flight are answered, then it closes by itself.
 */
export class StdioServerTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;

  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #limits: ReceiveLimits;
  readonly #clock: Clock;
  readonly #open = new Set<RequestId>();
  #state: 'new' | 'started' | 'draining' | 'closed' = 'new';
  #waiting: string[] = [];
  #waitingChars = 0;
  #written: Promise<void> = Promise.resolve();
  #reported = 0;
  #release: () => void = () => undefined;

  constructor(
    stdin: Readable = process.stdin,
    stdout: Writable = process.stdout,
    options: StdioServerTransportOptions = {},
  ) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#clock = options.clock ?? systemClock;
    const maxMessageBytes = options.maxBufferSize ?? MAX_BUFFER_SIZE;
    this.#limits = receiveLimits({ maxMessageBytes, ...options.limits });
  }

  /** @throws RpcError `wrong_state` the second time */
  async start(): Promise<void> {
    if (this.#state !== 'new') {
      throw new RpcError('wrong_state', { state: this.#state === 'closed' ? 'closed' : 'started' });
    }
    this.#state = 'started';
    const reader = createLineReader({
      maxLineBytes: this.#limits.maxMessageBytes,
      onLine: (line) => this.#receive(line),
      onError: (error) => {
        this.#report(error);
        if (error.code === 'message_too_large') void this.close();
      },
    });
    const onData = (chunk: Uint8Array): void => reader.push(chunk);
    const onEnd = (): void => {
      reader.end();
      this.#drain();
    };
    const onInputError = (error: Error): void => {
      this.#report(error);
      void this.close();
    };
    const onOutputError = (error: Error): void => {
      this.#report(error);
      void this.close();
    };
    this.#stdin.on('data', onData);
    this.#stdin.once('end', onEnd);
    this.#stdin.once('close', onEnd);
    this.#stdin.on('error', onInputError);
    this.#stdout.on('error', onOutputError);
    this.#release = () => {
      this.#stdin.off('data', onData);
      this.#stdin.off('end', onEnd);
      this.#stdin.off('close', onEnd);
      // A late error of a stream that nobody listens to would end the process; keep those listeners.
      this.#stdin.pause();
    };
  }

  /** Joins what is sent in one turn into one write; settles when the stream took it. */
  send(message: JSONRPCMessage): Promise<void> {
    if (this.#state === 'closed' || this.#state === 'new') {
      return Promise.reject(new RpcError('connection_closed', {}));
    }
    const line = `${serializeMessage(message)}\n`;
    if (this.#waiting.length === 0) this.#written = this.#nextWrite();
    this.#waiting.push(line);
    this.#waitingChars += line.length;
    const written = this.#written;
    if (this.#waitingChars >= FLUSH_CHARS) this.#flush();
    if (isJSONRPCResponse(message) && message.id !== undefined && message.id !== null) {
      this.#open.delete(message.id);
      if (this.#state === 'draining' && this.#open.size === 0) void this.close();
    }
    return written;
  }

  close(): Promise<void> {
    if (this.#state === 'closed') return Promise.resolve();
    this.#flush();
    this.#state = 'closed';
    this.#release();
    this.onclose?.();
    return Promise.resolve();
  }

  #settleWrite: (error: Error | null | undefined) => void = () => undefined;

  #nextWrite(): Promise<void> {
    queueMicrotask(() => this.#flush());
    return new Promise((resolve, reject) => {
      this.#settleWrite = (error) => {
        if (error === null || error === undefined) resolve();
        else reject(error);
      };
    });
  }

  #flush(): void {
    if (this.#waiting.length === 0) return;
    const text = this.#waiting.join('');
    const settle = this.#settleWrite;
    this.#waiting = [];
    this.#waitingChars = 0;
    this.#stdout.write(text, settle);
  }

  #receive(line: string): void {
    if (this.#state !== 'started' && this.#state !== 'draining') return;
    let message: JSONRPCMessage;
    try {
      message = parseMessage(line, this.#limits);
    } catch (error) {
      this.#report(error instanceof Error ? error : new TypeError(String(error)));
      this.#refuse(error);
      return;
    }
    if (isJSONRPCRequest(message)) this.#open.add(message.id);
    else this.#noteCancel(message);
    this.onmessage?.(message);
  }

  /** Cancelled calls get no answer, so nobody waits for one when the input ends. */
  #noteCancel(message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const id = message.params?.['requestId'];
    if (typeof id === 'string' || typeof id === 'number') this.#open.delete(id);
  }

  /** Lines that are no JSON are skipped; a broken request whose id can be read is answered. */
  #refuse(error: unknown): void {
    const response = toErrorResponse(error);
    if (response?.id === undefined) return;
    this.send(response).catch((failure: unknown) => {
      this.#report(failure instanceof Error ? failure : new TypeError(String(failure)));
    });
  }

  #drain(): void {
    if (this.#state !== 'started') return;
    this.#state = 'draining';
    if (this.#open.size === 0) {
      void this.close();
      return;
    }
    this.#clock.setTimer(DRAIN_MS, () => void this.close()).unref?.();
  }

  #report(error: Error): void {
    this.#reported += 1;
    if (this.#reported <= MAX_REPORTED_LINES) this.onerror?.(error);
  }
}
