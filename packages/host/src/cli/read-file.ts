import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { HostError } from '../errors.ts';

/** Bytes that are read at once. */
const CHUNK_BYTES = 1_048_576;

/**
 * Text of a file that a command names. Reads no further than the limit, so that a device without end
 * ends as well; a pipe is read like a file.
 * @throws HostError unreadable_file, or page_refused for a file that is too large or is not UTF-8
 */
export async function readTextFile(path: string, maxBytes: number): Promise<string> {
  const bytes = await readUpTo(path, maxBytes);
  if (bytes.length > maxBytes) {
    throw new HostError('page_refused', {
      message: `${path} has more than the ${maxBytes} bytes that are allowed`,
      data: { path, maxBytes },
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new HostError('page_refused', {
      message: `${path} is not UTF-8 text`,
      data: { path, remedy: 'save it as UTF-8' },
      cause,
    });
  }
}

async function readUpTo(path: string, maxBytes: number): Promise<Buffer> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const chunks: Buffer[] = [];
    for (let length = 0; length <= maxBytes;) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, null);
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
    }
    return Buffer.concat(chunks);
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw new HostError('unreadable_file', {
      message: `${path} cannot be read (${reason})`,
      data: { path, reason, remedy: 'check the name of the file and your rights on it' },
      cause,
    });
  } finally {
    await file?.close();
  }
}
