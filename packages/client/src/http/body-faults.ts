import { SdkError } from '../errors.ts';

/** A body that passes its bound. */
export function tooLarge(limitBytes: number): SdkError {
  return new SdkError('MESSAGE_TOO_LARGE', { data: { limitBytes } });
}

/** A body that is no UTF-8. */
export function invalidText(cause: unknown): SdkError {
  return new SdkError('INVALID_MESSAGE', { message: 'the answer is no UTF-8 text', cause });
}
