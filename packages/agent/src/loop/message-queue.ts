/** Messages between the loop and its reader: first in, first out, with an end. */
export interface MessageQueue<T> {
  /**
   * Adds a message. Settles at once while fewer than the limit are undelivered, else when the reader
   * has caught up or `signal` fires.
   */
  push(message: T, signal?: AbortSignal): Promise<void>;
  /** No more messages; what is queued is still delivered. */
  end(): void;
  /** After what is queued the next read rejects with `error`, those after it end. */
  fail(error: unknown): void;
  /** Forgets what is queued. */
  drop(): void;
  next(): Promise<IteratorResult<T, void>>;
}

interface Reader<T> {
  resolve(result: IteratorResult<T, void>): void;
  reject(error: unknown): void;
}

interface State<T> {
  readonly messages: T[];
  readonly readers: Reader<T>[];
  writers: (() => void)[];
  ended: boolean;
  failure: { readonly error: unknown } | undefined;
}

function wakeWriters<T>(state: State<T>): void {
  const { writers } = state;
  state.writers = [];
  for (const wake of writers) wake();
}

async function roomFor<T>(state: State<T>, limit: number, signal: AbortSignal | undefined): Promise<void> {
  while (state.messages.length >= limit && !state.ended && signal?.aborted !== true) {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      signal?.addEventListener('abort', wake, { once: true });
      state.writers.push(wake);
    });
  }
}

function close<T>(state: State<T>, failure: { readonly error: unknown } | undefined): void {
  if (state.ended) return;
  state.ended = true;
  state.failure = failure;
  for (const reader of state.readers.splice(0)) {
    if (state.failure === undefined) reader.resolve({ done: true, value: undefined });
    else reader.reject(state.failure.error);
    state.failure = undefined;
  }
  wakeWriters(state);
}

function read<T>(state: State<T>): Promise<IteratorResult<T, void>> {
  const message = state.messages.shift();
  if (message !== undefined) {
    wakeWriters(state);
    return Promise.resolve({ done: false, value: message });
  }
  if (!state.ended) return new Promise((resolve, reject) => state.readers.push({ resolve, reject }));
  const { failure } = state;
  state.failure = undefined;
  return failure === undefined
    ? Promise.resolve({ done: true, value: undefined })
    : Promise.reject(failure.error as Error);
}

/** @param limit undelivered messages at which writers begin to wait */
export function createMessageQueue<T extends object>(limit: number): MessageQueue<T> {
  const state: State<T> = { messages: [], readers: [], writers: [], ended: false, failure: undefined };
  return {
    push: async (message, signal) => {
      if (state.ended) return;
      const reader = state.readers.shift();
      if (reader !== undefined) reader.resolve({ done: false, value: message });
      else state.messages.push(message);
      await roomFor(state, limit, signal);
    },
    end: () => close(state, undefined),
    fail: (error) => close(state, { error }),
    drop: () => {
      state.messages.length = 0;
      wakeWriters(state);
    },
    next: () => read(state),
  };
}
