import { toLocalError as toSdkError } from '@portico/spec';
import { SseError } from './http/sse-error.ts';

/** As the function of that name for every side; errors of the old SSE transport stay what they are. */
export function toLocalError(error: unknown, cause?: unknown): Error {
  return error instanceof SseError ? error : toSdkError(error, cause);
}
