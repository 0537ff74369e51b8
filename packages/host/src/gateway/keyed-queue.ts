import { createLocalLocks } from '@portico/oauth';

/** Runs work of one key in the order it was asked for, and of different keys side by side. */
export interface KeyedQueue {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyedQueue(): KeyedQueue {
  return createLocalLocks();
}
