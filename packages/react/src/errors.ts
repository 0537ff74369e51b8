'use client';
/** Code → message; the one table of this package's errors. */
export const REACT_ERRORS = {
  no_provider: 'there is no McpClientProvider around this component',
} as const;

export type ReactErrorCode = keyof typeof REACT_ERRORS;

/** Misuse of the hooks; compare `code`. */
export class ReactError extends Error {
  override readonly name = 'ReactError';
  readonly code: ReactErrorCode;

  constructor(code: ReactErrorCode) {
    super(REACT_ERRORS[code]);
    this.code = code;
  }
}
