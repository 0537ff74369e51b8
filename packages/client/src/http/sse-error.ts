import { BrandedError } from '@portico/rpc';
import type { KeptError } from '../kept-error.ts';

/** The stream of a server of revision 2024-11-05 could not be opened. */
export class SseError extends BrandedError implements KeptError {
  static readonly brand: string = 'SseError';
  /** The HTTP status of the refusal; undefined when there was no answer. */
  readonly code: number | undefined;
  readonly reachesCaller = true;

  constructor(code: number | undefined, message: string, options: { readonly cause?: unknown } = {}) {
    super(`SSE error: ${message}`, options);
    this.name = 'SseError';
    this.code = code;
  }
}
