import { ByteLines } from './byte-lines.ts';
import { RpcError } from './errors.ts';
import { DEFAULT_RECEIVE_LIMITS } from './limits.ts';

/** One event of a stream. */
export interface SseEvent {
  /** `message` when the stream names none. */
  readonly event: string;
  readonly data: string;
  /** Last id that the stream gave, with this event or before. */
  readonly id: string | undefined;
}

/** What {@link createSseParser} needs. */
export interface SseParserOptions {
  /** Largest event, in bytes over all its lines. Default: the message limit, 4 MiB. */
  maxEventBytes?: number;
  onEvent: (event: SseEvent) => void;
  /** The stream gave a new id, with or without data. */
  onId?: (id: string) => void;
  /** The stream asks to wait this many milliseconds before a reconnect. */
  onRetry?: (delayMs: number) => void;
  /** An event passes the limit (`message_too_large`); it is skipped as a whole. */
  onError: (error: RpcError) => void;
}

/** Events out of chunks of bytes. */
export interface SseParser {
  push(chunk: Uint8Array): void;
  /** The stream is over. An event without its closing blank line is dropped, as the standard says. */
  end(): void;
  readonly lastEventId: string | undefined;
}

const DIGITS = /^[0-9]+$/;
const BOM = [0xef, 0xbb, 0xbf] as const;

/**
 * Reads a `text/event-stream` (WHATWG HTML, section 9.2.6). Linear however the chunks fall, and
 * never more than one event is held.
 */
export function createSseParser(options: SseParserOptions): SseParser {
  return new EventStream(options);
}

class EventStream implements SseParser {
  lastEventId: string | undefined;

  readonly #options: SseParserOptions;
  readonly #maxEventBytes: number;
  readonly #lines: ByteLines;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #atStart = true;
  #event = '';
  #data: string[] = [];
  #eventBytes = 0;
  #tooLarge = false;

  constructor(options: SseParserOptions) {
    this.#options = options;
    this.#maxEventBytes = options.maxEventBytes ?? DEFAULT_RECEIVE_LIMITS.maxMessageBytes;
    const sink = {
      line: (bytes: Uint8Array) => this.#line(bytes),
      overflow: () => this.#refuse(),
    };
    // Room for the field name beside a value of the full size.
    this.#lines = new ByteLines(sink, this.#maxEventBytes + 'data: '.length, 'any');
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  end(): void {
    this.#reset();
  }

  #line(bytes: Uint8Array): void {
    const line = this.#decoder.decode(this.#withoutBom(bytes));
    if (line === '') {
      this.#dispatch();
      return;
    }
    if (this.#tooLarge || line.startsWith(':')) return;
    const colon = line.indexOf(':');
    if (colon < 0) this.#field(line, '', 0);
    else {
      const valueStart = line.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1;
      this.#field(line.slice(0, colon), line.slice(valueStart), bytes.length - valueStart);
    }
  }

  #withoutBom(bytes: Uint8Array): Uint8Array {
    if (!this.#atStart) return bytes;
    this.#atStart = false;
    return BOM.every((byte, index) => bytes[index] === byte) ? bytes.subarray(BOM.length) : bytes;
  }

  #field(name: string, value: string, valueBytes: number): void {
    switch (name) {
      case 'data':
        this.#eventBytes += valueBytes;
        if (this.#eventBytes > this.#maxEventBytes) this.#refuse();
        else this.#data.push(value);
        return;
      case 'event':
        this.#event = value;
        return;
      case 'id':
        if (value.includes('\0')) return;
        this.lastEventId = value;
        this.#options.onId?.(value);
        return;
      case 'retry':
        if (DIGITS.test(value)) this.#options.onRetry?.(Number(value));
        return;
      default:
    }
  }

  #dispatch(): void {
    const { lastEventId } = this;
    if (!this.#tooLarge && this.#data.length > 0) {
      const event = {
        event: this.#event === '' ? 'message' : this.#event,
        data: this.#data.length === 1 ? (this.#data[0] ?? '') : this.#data.join('\n'),
        id: lastEventId,
      };
      this.#reset();
      this.#options.onEvent(event);
      return;
    }
    this.#reset();
  }

  #refuse(): void {
    if (this.#tooLarge) return;
    this.#reset();
    this.#tooLarge = true;
    const limitBytes = this.#maxEventBytes;
    this.#options.onError(new RpcError('message_too_large', { limitBytes }));
  }

  #reset(): void {
    this.#event = '';
    this.#data = [];
    this.#eventBytes = 0;
    this.#tooLarge = false;
  }
}
