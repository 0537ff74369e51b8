import type { Clock, Timer } from '../ports/clock.ts';
import type { FolderLock } from './folder-lock.ts';

/** How often the folder is looked for, in milliseconds. */
export const LOOK_EVERY_MS = 5000;

export interface FolderWatch {
  /** Settles once the folder is gone from under a running host. */
  readonly lost: Promise<void>;
  stop(): void;
}

/**
 * Looks now and then whether a host still has its folder. The system lets an open database be written
 * after its file was removed: everything would seem saved, and be gone with the process.
 */
export function watchFolder(lock: Pick<FolderLock, 'isHeld'>, clock: Clock): FolderWatch {
  const { promise: lost, settle } = deferred();
  let stopped = false;
  let timer: Timer | undefined;
  const arm = (): void => {
    if (stopped) return;
    timer = clock.setTimer(LOOK_EVERY_MS, () => void look());
    timer.unref?.();
  };
  const look = async (): Promise<void> => {
    if (await isGone(lock)) settle();
    else arm();
  };
  arm();
  return {
    lost,
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}

/** A folder that cannot be read for the moment is not gone. */
async function isGone(lock: Pick<FolderLock, 'isHeld'>): Promise<boolean> {
  try {
    return !(await lock.isHeld());
  } catch {
    return false;
  }
}

function deferred(): { promise: Promise<void>; settle: () => void } {
  let settle = (): void => {};
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}
