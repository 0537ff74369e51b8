import { Buffer, isUtf8 } from 'node:buffer';
import type { Clock, Timer } from '@portico/rpc';
import type { Dispatcher } from 'undici';
import { SdkError } from '../errors.ts';
import { invalidText, tooLarge } from '../http/body-faults.ts';
import type { HttpAnswer, TakeChunk } from '../http/http-client.ts';

type Controller = Dispatcher.DispatchController;
type Head = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>;

/** Bytes of a body that are kept while nobody reads it yet; then the connection waits. */
const HELD_BYTES = 65_536;
/** What is read of a body that nobody wants, so that its connection can be used again: bytes and ms. */
const DRAINED_BYTES = 65_536;
const DRAINED_MS = 1_000;

interface Settle {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** What an exchange is made with. */
export interface PooledExchangeOptions {
  readonly resolve: (answer: HttpAnswer) => void;
  readonly reject: (error: Error) => void;
  readonly clock: Clock;
}

const BYTE_ORDER_MARK = '\uFEFF';

function decode(pieces: readonly Buffer[]): string {
  const [only] = pieces;
  if (only === undefined) return '';
  const bytes = pieces.length === 1 ? only : Buffer.concat(pieces);
  if (!isUtf8(bytes)) throw invalidText(undefined);
  const text = bytes.toString('utf8');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** One exchange: the handler that undici calls, and the answer that comes of it. */
export class PooledExchange implements Dispatcher.DispatchHandler, HttpAnswer {
  status = 0;
  statusText = '';

  readonly #options: PooledExchangeOptions;
  #headers: Head[2] = {};
  #controller: Controller | undefined;
  #over = false;
  #fault: Error | undefined;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #take: TakeChunk | undefined;
  #settle: Settle | undefined;
  #drainTimer: Timer | undefined;

  constructor(options: PooledExchangeOptions) {
    this.#options = options;
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return typeof value === 'object' ? value.join(', ') : value;
  }

  async text(maxBytes: number): Promise<string> {
    // A short answer has mostly come as a whole by now.
    const { pieces, total } =
      this.#over && this.#fault === undefined
        ? { pieces: this.#takeHeld(), total: this.#heldBytes }
        : await this.#gather(maxBytes);
    if (total > maxBytes) throw tooLarge(maxBytes);
    return decode(pieces);
  }

  chunks(take: TakeChunk): Promise<void> {
    return new Promise((resolve, reject) => {
      for (const chunk of this.#takeHeld()) {
        if (!take(chunk)) continue;
        this.discard();
        resolve();
        return;
      }
      if (this.#fault !== undefined) reject(this.#fault);
      else if (this.#over) resolve();
      else {
        this.#take = take;
        this.#settle = { resolve, reject };
        this.#controller?.resume();
      }
    });
  }

  discard(): void {
    this.#held = [];
    if (this.#over || this.#drainTimer !== undefined) return;
    let drained = 0;
    this.#take = (chunk) => {
      drained += chunk.byteLength;
      if (drained > DRAINED_BYTES) this.abort();
      return false;
    };
    this.#drainTimer = this.#options.clock.setTimer(DRAINED_MS, () => this.abort());
    this.#drainTimer.unref?.();
    this.#controller?.resume();
  }

  /** Nobody waits any more. A request that waits for a connection is given up when it gets one. */
  abort(): void {
    const error = new SdkError('REQUEST_ABORTED');
    this.#end(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#fault !== undefined) controller.abort(this.#fault);
  }

  onResponseStart(...[, status, headers, statusText]: Head): void {
    // What comes before the answer itself, such as 103.
    if (status < 200) return;
    this.status = status;
    this.statusText = statusText ?? '';
    this.#headers = headers;
    this.#options.resolve(this);
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#take === undefined) {
      this.#held.push(chunk);
      this.#heldBytes += chunk.byteLength;
      if (this.#heldBytes > HELD_BYTES) controller.pause();
      return;
    }
    if (!this.#take(chunk)) return;
    const settle = this.#settle;
    this.#settle = undefined;
    this.discard();
    settle?.resolve();
  }

  onResponseEnd(): void {
    this.#end(undefined);
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#end(error);
  }

  #takeHeld(): Buffer[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }

  /** Reads the rest, but no further than it is wanted. */
  async #gather(maxBytes: number): Promise<{ readonly pieces: Buffer[]; readonly total: number }> {
    const pieces: Buffer[] = [];
    let total = 0;
    await this.chunks((chunk) => {
      total += chunk.byteLength;
      if (total > maxBytes) pieces.length = 0;
      else pieces.push(chunk as Buffer);
      return total > maxBytes;
    });
    return { pieces, total };
  }

  #end(fault: Error | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#fault = fault;
    this.#drainTimer?.cancel();
    const settle = this.#settle;
    this.#settle = undefined;
    if (fault === undefined) {
      settle?.resolve();
      return;
    }
    // At most one of the two is still waited for.
    this.#options.reject(fault);
    settle?.reject(fault);
  }
}
