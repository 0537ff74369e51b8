/** Errors that have this stay what they are on their way to the caller, whoever made them. */
export interface KeptError extends Error {
  readonly reachesCaller: true;
}

/** Whether an error may not be wrapped in one of this package. */
export function isKept(error: unknown): error is KeptError {
  return (error as Partial<KeptError> | null | undefined)?.reachesCaller === true;
}
