import process from 'node:process';
import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import type { StderrMode } from './spawn-plan.ts';

/** Unread bytes that are kept for whoever reads the stream later; what comes on top of them is lost. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/** Where a child's error output goes beside the tail that is kept of it. */
export interface ChildStderr {
  /** What the child writes, for reading before it is even started; null unless it was asked for. */
  readonly stream: Readable | null;
  push(bytes: Uint8Array): void;
}

/** Neither a reader that is slow nor one that never comes holds the child up. */
export function createChildStderr(mode: StderrMode): ChildStderr {
  if (mode !== 'pipe' && mode !== 'overlapped') {
    const shown = mode === 'inherit';
    return { stream: null, push: (bytes) => void (shown && process.stderr.write(bytes)) };
  }
  const stream = new PassThrough();
  return {
    stream,
    push(bytes): void {
      if (stream.readableLength + stream.writableLength <= MAX_UNREAD_BYTES) stream.write(bytes);
    },
  };
}
