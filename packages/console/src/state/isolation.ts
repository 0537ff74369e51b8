import type { StoreApi } from 'zustand/vanilla';
import type { Fetch } from '../api/request.ts';
import type { Clock } from '../stream/clock.ts';
import type { HostState } from './host-state.ts';

/** How long the probe may take before its host counts as out of reach, in milliseconds. */
const PROBE_TIMEOUT_MS = 5_000;

/** Whether this browser reaches sandbox hosts; where it does not, views and artifacts run without an origin of their own. */
export interface Isolation {
  /** Asked before a view or artifact opens. Only a good answer is kept. Never rejects. */
  isOpaque(): Promise<boolean>;
}

export interface IsolationOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly store: StoreApi<HostState>;
}

export function createIsolation({ fetch, clock, store }: IsolationOptions): Isolation {
  let running: Promise<boolean> | undefined;
  const check = async (): Promise<boolean> => {
    const reached = await reaches(fetch, clock, store.getState().isolationProbe);
    store.setState({ isolatedOrigins: reached });
    if (!reached) running = undefined;
    return !reached;
  };
  return { isOpaque: () => (running ??= check()) };
}

async function reaches(fetch: Fetch, clock: Clock, address: string): Promise<boolean> {
  const controller = new AbortController();
  const timer = clock.setTimer(PROBE_TIMEOUT_MS, () => controller.abort());
  try {
    // Any answer will do: only whether the name leads anywhere matters.
    await fetch(address, {
      mode: 'no-cors',
      credentials: 'omit',
      cache: 'no-store',
      signal: controller.signal,
    });
    return true;
  } catch {
    return false;
  } finally {
    timer.cancel();
  }
}
