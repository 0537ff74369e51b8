import type { Clock, Timer } from '../ports/clock.ts';

/** Shortest time between two updates of one conversation, in milliseconds (30 a second). */
const UPDATE_EVERY_MS = 1000 / 30;

export interface TextUpdate {
  readonly itemId: string;
  /** Where the text begins in the item, in UTF-16 units. */
  readonly offset: number;
  readonly text: string;
}

/** Joins the many small pieces of a model's answer into few updates. */
export interface TextUpdates {
  add(update: TextUpdate): void;
  /** Sends what waits, at once: before the item itself is sent, so that the order stays. */
  flush(): void;
  close(): void;
}

/** @param send gets joined updates; must not throw */
export function createTextUpdates(clock: Clock, send: (update: TextUpdate) => void): TextUpdates {
  let waiting: TextUpdate | undefined;
  let sentAtMs = Number.NEGATIVE_INFINITY;
  let timer: Timer | undefined;

  const flush = (): void => {
    timer?.cancel();
    timer = undefined;
    if (waiting === undefined) return;
    const update = waiting;
    waiting = undefined;
    sentAtMs = clock.now();
    send(update);
  };

  return {
    add(update) {
      if (waiting !== undefined && waiting.itemId !== update.itemId) flush();
      waiting = waiting === undefined ? update : { ...waiting, text: waiting.text + update.text };
      const dueInMs = sentAtMs + UPDATE_EVERY_MS - clock.now();
      if (dueInMs <= 0) flush();
      else timer ??= clock.setTimer(dueInMs, flush);
    },
    flush,
    close() {
      timer?.cancel();
      timer = undefined;
      waiting = undefined;
    },
  };
}
