import { ByteLines, LF } from './byte-lines.ts';
import { RpcError } from './errors.ts';

/** Longest line by default, in bytes: 10 MiB, as the official stdio transports have it. */
export const DEFAULT_MAX_LINE_BYTES: number = 10 * 1024 * 1024;

/** What {@link createLineReader} needs. */
export interface LineReaderOptions {
  /** Longest line in bytes. Default 10 MiB. */
  maxLineBytes?: number;
  /** Gets each line without its end; blank lines are left out. */
  onLine: (line: string) => void;
  /**
   * A line that is no UTF-8 (`parse_error`) or passes the limit (`message_too_large`). It is
   * skipped, and the next line is read as usual unless the owner ends the channel.
   */
  onError: (error: RpcError) => void;
}

/** Lines of text out of chunks of bytes. */
export interface LineReader {
  push(chunk: Uint8Array): void;
  /** The stream is over: delivers a last line that has no end. */
  end(): void;
  /** Bytes held for a line that is not complete. */
  readonly heldBytes: number;
}

/** Reads newline-delimited UTF-8 text. `\r\n` is taken for `\n`. Linear however the chunks fall. */
export function createLineReader(options: LineReaderOptions): LineReader {
  return new Utf8LineReader(options);
}

class Utf8LineReader implements LineReader {
  readonly #maxLineBytes: number;
  readonly #onLine: LineReaderOptions['onLine'];
  readonly #onError: LineReaderOptions['onError'];
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #lines: ByteLines;

  constructor(options: LineReaderOptions) {
    this.#maxLineBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
    this.#onLine = options.onLine;
    this.#onError = options.onError;
    const sink = {
      line: (bytes: Uint8Array) => this.#decodeLine(bytes),
      overflow: () => {
        const limitBytes = this.#maxLineBytes;
        this.#onError(new RpcError('message_too_large', { limitBytes }));
      },
    };
    this.#lines = new ByteLines(sink, this.#maxLineBytes, 'lf');
  }

  get heldBytes(): number {
    return this.#lines.heldBytes;
  }

  push(chunk: Uint8Array): void {
    let rest = chunk;
    if (this.#lines.isMidLine) {
      const end = chunk.indexOf(LF) + 1;
      this.#lines.push(end === 0 ? chunk : chunk.subarray(0, end));
      if (end === 0) return;
      rest = chunk.subarray(end);
    }
    const decoded = this.#deliverBlock(rest);
    if (decoded < rest.length) this.#lines.push(decoded === 0 ? rest : rest.subarray(decoded));
  }

  end(): void {
    this.#lines.end();
  }

  /**
   * Decodes all complete lines of a chunk at once, which for short lines costs a fraction of
   * decoding each. Returns how many bytes it took: none when a line could be too long or broken,
   * so that each line is then looked at by itself.
   */
  #deliverBlock(bytes: Uint8Array): number {
    const end = bytes.lastIndexOf(LF);
    if (end < 0 || end > this.#maxLineBytes) return 0;
    let block: string;
    try {
      block = this.#decoder.decode(bytes.subarray(0, end));
    } catch {
      return 0;
    }
    for (const line of block.split('\n')) this.#deliver(line);
    return end + 1;
  }

  #decodeLine(bytes: Uint8Array): void {
    let line: string;
    try {
      line = this.#decoder.decode(bytes);
    } catch (cause) {
      this.#onError(new RpcError('parse_error', undefined, { cause }));
      return;
    }
    this.#deliver(line);
  }

  #deliver(ended: string): void {
    const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended;
    if (line !== '') this.#onLine(line);
  }
}
