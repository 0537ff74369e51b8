import type { Writable } from 'node:stream';
import { SdkError } from '../errors.ts';

/** Characters that are waited for at most: more are written at once so that both ends stay busy. */
const FLUSH_LENGTH = 4_096;

/** Writes lines to a child; each promise settles when its line has left or is lost. */
export interface Outbox {
  /** @throws SdkError `SEND_FAILED` when the stream refuses the line or has ended */
  write(line: string): Promise<void>;
}

interface Batch {
  readonly done: Promise<void>;
  settle(error: Error | null | undefined): void;
}

function createBatch(): Batch {
  let settle: Batch['settle'] = () => undefined;
  const done = new Promise<void>((resolve, reject) => {
    settle = (error) => {
      if (error === null || error === undefined) resolve();
      else reject(new SdkError('SEND_FAILED', { cause: error }));
    };
  });
  return { done, settle };
}

/**
 * Joins lines that are sent in one turn into one write. The callback of the stream comes when the
 * bytes have left, so waiting for the promise is waiting for a slow reader.
 */
export function createOutbox(stream: Writable): Outbox {
  let waiting = '';
  let batch: Batch | undefined;

  const flush = (): void => {
    const text = waiting;
    const current = batch;
    waiting = '';
    batch = undefined;
    if (current === undefined) return;
    if (!stream.writable) {
      return current.settle(new SdkError('SEND_FAILED', { message: 'the child takes no more input' }));
    }
    stream.write(text, (error) => current.settle(error));
  };
  return {
    write(line): Promise<void> {
      waiting += line;
      if (batch === undefined) {
        batch = createBatch();
        queueMicrotask(flush);
      }
      const { done } = batch;
      if (waiting.length >= FLUSH_LENGTH) flush();
      return done;
    },
  };
}
