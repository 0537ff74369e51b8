import type { ViewsError } from './errors.ts';

/** How far a shown view has come; `error` and `closed` are ends. */
export type ViewLifecycle =
  | 'resolving'
  | 'sandbox-loading'
  | 'connecting'
  | 'initialized'
  | 'ready'
  | 'tearing-down'
  | 'closed'
  | 'error';

const ORDER: readonly ViewLifecycle[] = [
  'resolving',
  'sandbox-loading',
  'connecting',
  'initialized',
  'ready',
];

export interface LifecycleListener {
  changed(status: ViewLifecycle, error?: ViewsError): void;
}

/** Reports each step once and in order, whatever comes twice or out of turn. */
export interface Lifecycle {
  readonly status: ViewLifecycle | undefined;
  readonly ended: boolean;
  /** Everything up to this step has happened. */
  reach(status: 'resolving' | 'sandbox-loading' | 'connecting' | 'initialized' | 'ready'): void;
  leave(status: 'tearing-down' | 'closed'): void;
  /** @returns false when it had ended before */
  fail(error: ViewsError): boolean;
}

export function createLifecycle(listener: LifecycleListener): Lifecycle {
  let status: ViewLifecycle | undefined;
  let reached = 0;
  let leaving = false;
  const isEnd = (): boolean => status === 'closed' || status === 'error';
  const set = (next: ViewLifecycle, error?: ViewsError): void => {
    status = next;
    listener.changed(next, error);
  };
  return {
    get status() {
      return status;
    },
    get ended() {
      return isEnd();
    },
    reach(step) {
      const until = ORDER.indexOf(step) + 1;
      while (reached < until && !leaving) {
        const next = ORDER[reached];
        reached += 1;
        if (next !== undefined) set(next);
      }
    },
    leave(step) {
      leaving = true;
      if (!isEnd() && status !== step) set(step);
    },
    fail(error) {
      if (leaving) return false;
      leaving = true;
      set('error', error);
      return true;
    },
  };
}
