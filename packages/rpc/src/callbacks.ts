import { RpcError } from './errors.ts';

/** Receives faults; never throws. */
export type Report = (error: Error) => void;

/** The report of a callback that threw. */
export function callbackFailure(thrown: unknown, callback: string): RpcError<'callback_failed'> {
  return new RpcError('callback_failed', { callback }, { cause: thrown });
}

/** True for anything with a `then` method. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
