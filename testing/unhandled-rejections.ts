import process from 'node:process';
import { afterEach, beforeEach } from 'vitest';

/**
 * Listens, around each test of the file, for rejections that nobody handles.
 * @returns takes those that came in this test
 */
export function listenForUnhandled(): () => unknown[] {
  const reasons: unknown[] = [];
  const note = (reason: unknown): void => void reasons.push(reason);
  beforeEach(() => void process.on('unhandledRejection', note));
  afterEach(() => void process.off('unhandledRejection', note));
  return () => reasons.splice(0);
}
