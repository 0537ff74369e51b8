import { SdkError, toLocalError as toSdkError } from '@portico/spec';
import { isKept } from './kept-error.ts';

/** What a call ends with whose signal fired: an error of ours that was given as the reason, as it is. */
export function abortedBy(reason: unknown): SdkError {
  return reason instanceof SdkError ? reason : new SdkError('REQUEST_ABORTED', { cause: reason });
}

/** As the function of that name for every side; what is to stay as it is stays so. */
export function toLocalError(error: unknown, cause?: unknown): Error {
  return isKept(error) ? error : toSdkError(error, cause);
}
