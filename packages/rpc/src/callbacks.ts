import { RpcError } from './errors.ts';

/** Receives faults; never throws. */
export type Report = (error: Error) => void;

/** The report of a callback that threw. */
export function callbackFailure(thrown: unknown, callback: string): RpcError<'callback_failed'> {
  return new RpcError('callback_failed', { callback }, { cause: thrown });
}

/**
 * Runs code that is not ours. Neither a throw nor a rejected promise gets past it, and nothing waits
 * for a promise that never settles.
 *
 * @param callback what the report calls it
 */
export function runGuarded(callback: string, run: () => unknown, report: Report): void {
  const fail = (thrown: unknown): void => report(callbackFailure(thrown, callback));
  try {
    const outcome = run();
    if (isPromiseLike(outcome)) outcome.then(undefined, fail);
  } catch (thrown) {
    fail(thrown);
  }
}

/** Tells a reporter that is not ours; there is nobody left to tell when it fails itself. */
export function reportGuarded(onerror: ((error: Error) => unknown) | undefined, error: Error): void {
  if (onerror !== undefined)
    runGuarded(
      'onerror',
      () => onerror(error),
      () => undefined,
    );
}

/** True for anything with a `then` method. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
