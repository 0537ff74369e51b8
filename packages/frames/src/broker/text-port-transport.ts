import { RpcError, parseMessage } from '@portico/rpc';
import type { Clock, JSONRPCMessage, Transport } from '@portico/rpc';
import { MCP_ERRORS } from '../errors.ts';
import type { McpErrorCode } from '../errors.ts';
import { MAX_INPUT_DEPTH } from '../limits.ts';
import type { FrameLimits } from '../limits.ts';
import { createTokenBucket } from './token-bucket.ts';
import type { TokenBucket } from './token-bucket.ts';

/** The part of a MessagePort that the broker needs. */
export interface FramePort {
  postMessage(message: string): void;
  onmessage: ((event: MessageEvent) => void) | null;
  close(): void;
}

export interface TextPortOptions {
  readonly port: FramePort;
  readonly clock: Clock;
  readonly limits: FrameLimits;
}

/** Enough of a request to answer it without parsing it; the kernel always writes these first. */
const REQUEST_HEAD = /^\{"jsonrpc":"2\.0","id":(\d{1,15}),"method":"/;

const WIRE_CODE = -32_000;

/** An input may use its whole depth below the message and its params. */
const RECEIVE_LIMITS = { maxDepth: MAX_INPUT_DEPTH + 2 };

/** The wire form of a failure of one code with nothing else to say. */
function refusal(id: string | null, code: McpErrorCode, extra: Record<string, unknown> = {}): string {
  const data = { code, message: MCP_ERRORS[code], ...extra };
  const number = id === null ? null : Number(id);
  return JSON.stringify({
    jsonrpc: '2.0',
    id: number,
    error: { code: WIRE_CODE, message: data.message, data },
  });
}

/**
 * A frame's port as a transport: JSON-RPC texts, each bounded before it is parsed, and a share of
 * messages a second. What goes beyond the share is answered `rate_limited` and did not run; a frame
 * that never stops loses its port.
 */
export class TextPortTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private closed = false;
  private refusedInRow = 0;
  private readonly options: TextPortOptions;
  private readonly bucket: TokenBucket;

  constructor(options: TextPortOptions) {
    this.options = options;
    const { messagesPerSecond, messageBurst } = options.limits;
    this.bucket = createTokenBucket({
      clock: options.clock,
      perSecond: messagesPerSecond,
      burst: messageBurst,
    });
  }

  start(): Promise<void> {
    this.options.port.onmessage = (event) => this.receive(event.data);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.closed) return Promise.reject(new RpcError('connection_closed', {}));
    this.options.port.postMessage(JSON.stringify(message));
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.closed) return Promise.resolve();
    this.closed = true;
    this.options.port.onmessage = null;
    this.options.port.close();
    this.onclose?.();
    return Promise.resolve();
  }

  private receive(data: unknown): void {
    if (this.closed) return;
    const waitMs = this.bucket.take();
    if (waitMs > 0) {
      this.refuseFlood(data, waitMs);
      return;
    }
    this.refusedInRow = 0;
    if (typeof data !== 'string') return;
    if (data.length > this.options.limits.maxMessageLength) {
      this.options.port.postMessage(refusal(REQUEST_HEAD.exec(data)?.[1] ?? null, 'bad_request'));
      return;
    }
    this.deliver(data);
  }

  private deliver(text: string): void {
    let message: JSONRPCMessage;
    try {
      message = parseMessage(text, RECEIVE_LIMITS);
    } catch (error) {
      this.options.port.postMessage(refusal(REQUEST_HEAD.exec(text)?.[1] ?? null, 'bad_request'));
      this.onerror?.(error as Error);
      return;
    }
    this.onmessage?.(message);
  }

  private refuseFlood(data: unknown, waitMs: number): void {
    this.refusedInRow += 1;
    if (this.refusedInRow > this.options.limits.maxRefusedInRow) {
      void this.close();
      return;
    }
    const id = typeof data === 'string' ? REQUEST_HEAD.exec(data)?.[1] : undefined;
    if (id === undefined) return;
    const retryAfterMs = Math.min(60_000, Math.ceil(waitMs));
    this.options.port.postMessage(refusal(id, 'rate_limited', { retryable: true, retryAfterMs }));
  }
}
