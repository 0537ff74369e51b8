import { toLocalError as toSdkError } from '@portico/spec';
import { isKept } from './kept-error.ts';

/** As the function of that name for every side; what is to stay as it is stays so. */
export function toLocalError(error: unknown, cause?: unknown): Error {
  return isKept(error) ? error : toSdkError(error, cause);
}
