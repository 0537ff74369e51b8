import { RpcError, isRpcError } from './errors.ts';
import { DEFAULT_MAX_LINE_BYTES, type LineReader, createLineReader } from './line-reader.ts';
import { type JSONRPCMessage, isJSONRPCMessage } from './message.ts';
import { parseMessage, readableIds, serializeMessage } from './parse-message.ts';

/** Most bytes that a {@link ReadBuffer} holds of one line: 10 MiB. */
export const STDIO_DEFAULT_MAX_BUFFER_SIZE: number = DEFAULT_MAX_LINE_BYTES;

/** One message as one line, with the line end. */
export function serializeLine(message: JSONRPCMessage): string {
  return `${serializeMessage(message)}\n`;
}

/**
 * Reads one line.
 * @throws RpcError `parse_error`, `invalid_message`, `message_too_large`, `too_deep`, `batch_refused`
 */
export function deserializeMessage(line: string): JSONRPCMessage {
  return parseMessage(line, { maxMessageBytes: STDIO_DEFAULT_MAX_BUFFER_SIZE });
}

/** The value, when it is a message. @throws RpcError `invalid_message` */
export function parseJSONRPCMessage(value: unknown): JSONRPCMessage {
  if (isJSONRPCMessage(value)) return value;
  throw new RpcError('invalid_message', readableIds(value));
}

/** Bytes in, messages out: newline-delimited JSON for transports of one's own. */
export class ReadBuffer {
  readonly #maxLineBytes: number;
  #reader: LineReader;
  #lines: string[] = [];
  #fault: RpcError | undefined;

  /** `maxBufferSize`: longest line in bytes. */
  constructor(options: { readonly maxBufferSize?: number } = {}) {
    this.#maxLineBytes = options.maxBufferSize ?? STDIO_DEFAULT_MAX_BUFFER_SIZE;
    this.#reader = this.#createReader();
  }

  /** @throws RpcError `message_too_large`: all that is held was let go */
  append(chunk: Uint8Array): void {
    this.#reader.push(chunk);
    const fault = this.#fault;
    if (fault === undefined) return;
    this.clear();
    throw fault;
  }

  /**
   * The next message, or null when no whole line is there. Lines that are no JSON are left out:
   * tools that restart programs write such to the same stream.
   * @throws RpcError `invalid_message`, `too_deep`, `batch_refused` for JSON that is no message
   */
  readMessage(): JSONRPCMessage | null {
    for (let line = this.#lines.shift(); line !== undefined; line = this.#lines.shift()) {
      try {
        return parseMessage(line, { maxMessageBytes: this.#maxLineBytes });
      } catch (error) {
        if (!isRpcError(error) || error.code !== 'parse_error') throw error;
      }
    }
    return null;
  }

  /** Forgets all that is held. */
  clear(): void {
    this.#reader = this.#createReader();
    this.#lines = [];
    this.#fault = undefined;
  }

  #createReader(): LineReader {
    return createLineReader({
      maxLineBytes: this.#maxLineBytes,
      onLine: (line) => void this.#lines.push(line),
      onError: (error) => {
        if (error.code === 'message_too_large') this.#fault = error;
      },
    });
  }
}
