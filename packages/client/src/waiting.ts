import type { Clock } from '@portico/rpc';
import { SdkError } from './errors.ts';

function abortedBy(signal: AbortSignal): SdkError {
  return new SdkError('REQUEST_ABORTED', { cause: signal.reason });
}

/** Waits that long. @throws SdkError `REQUEST_ABORTED` as soon as the signal fires */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortedBy(signal));
      return;
    }
    const leave = (): void => {
      timer.cancel();
      if (signal !== undefined) reject(abortedBy(signal));
    };
    const timer = clock.setTimer(delayMs, () => {
      signal?.removeEventListener('abort', leave);
      resolve();
    });
    signal?.addEventListener('abort', leave, { once: true });
  });
}

/** What the promise comes to, unless the signal fires first. @throws SdkError `REQUEST_ABORTED` */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(abortedBy(signal));
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
