import type { Clock, Timer } from '@portico/rpc';
import type { OpenedWindow } from '../environment.ts';

/** How often it is looked whether a window is still there, milliseconds. */
const LOOK_MS = 500;
/** How long after a window was closed its sign-in may still come, milliseconds. */
const GRACE_MS = 20_000;
/** How long a window may stay unused, milliseconds. */
const UNUSED_MS = 300_000;

/** What ends the wait for a window: it was closed, it stays unused, or whoever waits knows enough. */
export type WindowEnd = 'closed' | 'unused' | 'stopped';

export interface WindowWatch {
  readonly ended: Promise<WindowEnd>;
  stop(): void;
}

/**
 * Waits while the person is away in a window. A window whose page cut the tie to this one looks closed.
 * Source: R64.
 *
 * @param look called at every look at the window, since channels may be missing; must not throw
 */
export function watchWindow(opened: OpenedWindow, clock: Clock, look: () => void): WindowWatch {
  let timer: Timer | undefined;
  let finish: (end: WindowEnd) => void = () => undefined;
  const ended = new Promise<WindowEnd>((resolve) => (finish = resolve));
  const startMs = clock.now();
  let closedAtMs: number | undefined;
  const next = (): void => {
    look();
    const nowMs = clock.now();
    if (opened.closed) closedAtMs ??= nowMs;
    if (closedAtMs !== undefined && nowMs - closedAtMs >= GRACE_MS) finish('closed');
    else if (closedAtMs === undefined && nowMs - startMs >= UNUSED_MS) finish('unused');
    else timer = clock.setTimer(LOOK_MS, next);
  };
  timer = clock.setTimer(LOOK_MS, next);
  return {
    ended,
    stop() {
      timer?.cancel();
      finish('stopped');
    },
  };
}
