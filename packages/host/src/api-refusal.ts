import { API_ERRORS } from '@portico/api';
import type { ApiErrorBody, ApiErrorCode } from '@portico/api';

/** A refusal that may cross the wire: its message is written for the person and holds no internals. */
export class ApiRefusal extends Error {
  readonly code: ApiErrorCode;
  /** Which field was wrong, as `path: reason`. */
  readonly issues: readonly string[];

  constructor(code: ApiErrorCode, message: string, issues: readonly string[] = []) {
    super(message);
    this.name = 'ApiRefusal';
    this.code = code;
    this.issues = issues;
  }

  get status(): number {
    return API_ERRORS[this.code].status;
  }

  body(): ApiErrorBody {
    return {
      error: {
        code: this.code,
        message: this.message,
        ...(this.issues.length > 0 ? { issues: [...this.issues] } : {}),
      },
    };
  }
}
