import type { DecodedResult, Result } from '@portico/spec';
import { SdkError } from './errors.ts';
import type { InputRequiredOptions } from './input-required.ts';
import type { RequestOptions } from './request-options.ts';

/** Whether interim answers of a request are its caller's business. */
export function isCallersBusiness(options: RequestOptions | undefined, input: InputRequiredOptions): boolean {
  return options?.allowInputRequired === true || input.autoFulfill === false;
}

/**
 * The final result of an answer, or the interim one that the caller wants to see.
 *
 * @throws SdkError `UNSUPPORTED_RESULT_TYPE`, `INVALID_RESULT`
 */
export function finalResult(method: string, answer: DecodedResult, takesTasks: boolean): Result {
  switch (answer.kind) {
    case 'complete':
    case 'input_required':
      return answer.result;
    case 'task':
      if (takesTasks) return answer.result;
      throw unsupported(answer.kind);
    case 'unsupported':
      throw unsupported(answer.resultType);
    case 'invalid':
      // Without the extension nobody said what a task is.
      if (answer.resultType !== undefined && !takesTasks) throw unsupported(answer.resultType);
      throw new SdkError('INVALID_RESULT', { message: `the answer to ${method} is malformed` });
  }
}

function unsupported(resultType: unknown): SdkError {
  return new SdkError('UNSUPPORTED_RESULT_TYPE', { data: { resultType } });
}
