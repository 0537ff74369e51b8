import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import {
  type Clock,
  FaultReporter,
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
  parseMessages,
  receiveLimits,
  runGuarded,
  serializeMessage,
  systemClock,
  toErrorResponse,
} from '@portico/rpc';
import { codecFor, hasEnvelope } from '@portico/spec';

export interface StdioServerTransportOptions {
  /** Longest line in bytes; a longer one ends the connection. Default 10 MiB. */
  readonly maxBufferSize?: number;
  readonly limits?: Partial<ReceiveLimits>;
  readonly clock?: Clock;
}

/** A line that holds an array. */
const ARRAY = /^\s*\[/;

const MAX_BUFFER_SIZE: number = 10 * 1024 * 1024;

/** Characters joined into one write at most, so that both processes stay busy. */
const FLUSH_CHARS = 4096;

/** How long calls in flight may still answer after the input has ended, in milliseconds. */
const DRAIN_MS = 1500;

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
  readonly #faults: FaultReporter;
  readonly #maxWaitingBytes: number;
  readonly #open = new Set<RequestId>();
  #state: 'new' | 'started' | 'draining' | 'closed' = 'new';
  #waiting: string[] = [];
  #waitingChars = 0;
  #written: Promise<void> = Promise.resolve();
  /** The revision in force has arrays of messages. */
  #allowBatch = false;
  #paused = false;
  #release: () => void = () => undefined;

  constructor(
    stdin: Readable = process.stdin,
    stdout: Writable = process.stdout,
    options: StdioServerTransportOptions = {},
  ) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#clock = options.clock ?? systemClock;
    this.#faults = new FaultReporter(this.#clock, (error) => this.onerror?.(error));
    const maxMessageBytes = options.maxBufferSize ?? MAX_BUFFER_SIZE;
    this.#maxWaitingBytes = maxMessageBytes;
    this.#limits = receiveLimits({ maxMessageBytes, ...options.limits });
  }

  setProtocolVersion(version: string): void {
    this.#allowBatch = codecFor(version)?.acceptsBatches === true;
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
    // A stream that is over already tells nobody any more.
    if (this.#stdin.readableEnded || this.#stdin.destroyed) queueMicrotask(onEnd);
  }

  /** Joins what is sent in one turn into one write; settles when the stream took it. */
  send(message: JSONRPCMessage): Promise<void> {
    if (this.#state === 'closed' || this.#state === 'new') {
      return Promise.reject(new RpcError('connection_closed', {}));
    }
    let line: string;
    try {
      line = `${serializeMessage(message)}\n`;
    } catch (error) {
      return Promise.reject(error as Error);
    }
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
    runGuarded('onclose', () => this.onclose?.(), this.#faults.report);
    this.#faults.end();
    return Promise.resolve();
  }

  #settleWrite: (error: Error | null | undefined) => void = () => undefined;

  #nextWrite(): Promise<void> {
    queueMicrotask(() => this.#flush());
    return new Promise((resolve, reject) => {
      this.#settleWrite = settler(resolve, reject);
    });
  }

  #flush(): void {
    if (this.#waiting.length === 0) return;
    const text = this.#waiting.join('');
    const settle = this.#settleWrite;
    this.#waiting = [];
    this.#waitingChars = 0;
    this.#stdout.write(text, settle);
    if (!this.#paused && this.#stdout.writableLength > this.#maxWaitingBytes) this.#waitForReader();
  }

  /** Answers pile up: no more requests are read until the peer has read what is waiting for it. */
  #waitForReader(): void {
    this.#paused = true;
    this.#stdin.pause();
    this.#stdout.once('drain', () => {
      this.#paused = false;
      if (this.#state === 'started') this.#stdin.resume();
    });
  }

  #receive(line: string): void {
    if (this.#state !== 'started' && this.#state !== 'draining') return;
    try {
      if (this.#allowBatch && ARRAY.test(line)) this.#readArray(line).forEach((each) => this.#deliver(each));
      else this.#deliver(parseMessage(line, this.#limits));
    } catch (error) {
      this.#report(error instanceof Error ? error : new TypeError(String(error)));
      this.#refuse(error);
    }
  }

  /** An array may hold neither the opening of a session nor requests of a revision without arrays. */
  #readArray(line: string): JSONRPCMessage[] {
    const messages = parseMessages(line, { limits: this.#limits, allowBatch: true });
    const refused = messages.some(
      (each) => isJSONRPCRequest(each) && (each.method === 'initialize' || hasEnvelope(each.params)),
    );
    if (refused) throw new RpcError('batch_refused', { limit: 1 });
    return messages;
  }

  #deliver(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#open.add(message.id);
    else this.#noteCancel(message);
    runGuarded('onmessage', () => this.onmessage?.(message), this.#faults.report);
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
    this.#faults.report(error);
  }
}

/** Settles a promise by the callback of a write. Made here and not in its member for the reason in `serveExchange`. */
function settler(
  resolve: () => void,
  reject: (error: Error) => void,
): (error: Error | null | undefined) => void {
  return (error) => {
    if (error === null || error === undefined) resolve();
    else reject(error);
  };
}
