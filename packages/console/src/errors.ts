/** What can go wrong between page and host, besides the refusals that the host itself names. */
export const CONSOLE_ERRORS = {
  unreachable: 'The host did not answer.',
  bad_answer: 'The host answered with something that is not understood.',
  schema_unsupported: 'The schema cannot be shown as a form.',
  missing_root: 'The page has no place to render into.',
  missing_context: 'A part of the console was rendered outside of it.',
} as const;

export type ConsoleErrorCode = keyof typeof CONSOLE_ERRORS;

/** A failure with a code; host refusals keep the host's code, message and field issues. */
export class ConsoleError extends Error {
  readonly code: string;
  readonly status: number;
  readonly issues: readonly string[];

  constructor(code: string, details: ConsoleErrorDetails = {}) {
    const known = Object.hasOwn(CONSOLE_ERRORS, code) ? CONSOLE_ERRORS[code as ConsoleErrorCode] : code;
    super(details.message ?? known, { cause: details.cause });
    this.name = 'ConsoleError';
    this.code = code;
    this.status = details.status ?? 0;
    this.issues = details.issues ?? [];
  }
}

export interface ConsoleErrorDetails {
  readonly message?: string;
  readonly status?: number;
  readonly issues?: readonly string[];
  readonly cause?: unknown;
}

/** Any thrown value as a ConsoleError, so that screens handle one kind. */
export function toConsoleError(thrown: unknown): ConsoleError {
  if (thrown instanceof ConsoleError) return thrown;
  return new ConsoleError('bad_answer', { cause: thrown });
}
