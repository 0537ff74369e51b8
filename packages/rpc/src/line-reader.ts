import { ByteLines } from './byte-lines.ts';
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
  const { maxLineBytes = DEFAULT_MAX_LINE_BYTES, onLine, onError } = options;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (bytes: Uint8Array): string | undefined => {
    try {
      return decoder.decode(bytes);
    } catch (cause) {
      onError(new RpcError('parse_error', undefined, { cause }));
      return undefined;
    }
  };
  const lines = new ByteLines(
    {
      line(bytes) {
        const decoded = decode(bytes);
        if (decoded === undefined) return;
        const line = decoded.endsWith('\r') ? decoded.slice(0, -1) : decoded;
        if (line !== '') onLine(line);
      },
      overflow: () => onError(new RpcError('message_too_large', { limitBytes: maxLineBytes })),
    },
    maxLineBytes,
    'lf',
  );
  return {
    push: (chunk) => lines.push(chunk),
    end: () => lines.end(),
    get heldBytes() {
      return lines.heldBytes;
    },
  };
}
