import type { Clock } from '@portico/rpc';
import { abortedBy } from './local-error.ts';

/** Fires the controller with the first of the signals. What comes back lets go of them. */
export function abortWith(
  controller: AbortController,
  signals: readonly (AbortSignal | undefined)[],
): () => void {
  const leave = (event: Event): void => controller.abort((event.target as AbortSignal).reason);
  for (const signal of signals) {
    if (signal?.aborted === true) controller.abort(signal.reason);
    signal?.addEventListener('abort', leave, { once: true });
  }
  return () => {
    for (const signal of signals) signal?.removeEventListener('abort', leave);
  };
}

/** Waits that long. @throws SdkError `REQUEST_ABORTED`, `CONNECTION_CLOSED` as soon as the signal fires */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortedBy(signal.reason));
      return;
    }
    const leave = (): void => {
      timer.cancel();
      if (signal !== undefined) reject(abortedBy(signal.reason));
    };
    const timer = clock.setTimer(delayMs, () => {
      signal?.removeEventListener('abort', leave);
      resolve();
    });
    signal?.addEventListener('abort', leave, { once: true });
  });
}

/** What the promise comes to, unless the signal fires first. @throws SdkError `REQUEST_ABORTED`, `CONNECTION_CLOSED` */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(abortedBy(signal.reason));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    const settle = (): void => signal.removeEventListener('abort', leave);
    work.then(
      (value) => {
        settle();
        resolve(value);
      },
      (error: unknown) => {
        settle();
        // oxlint-disable-next-line prefer-promise-reject-errors -- what a user's handler rejects with is passed on as it is
        reject(error);
      },
    );
  });
}
