export { SDK_ERRORS, SdkError, SdkErrorCode, SdkHttpError } from '@portico/spec';
export type { SdkErrorOptions, SdkHttpErrorData } from '@portico/spec';

/** Which step of reaching a server failed. */
export type NetworkStep = 'address' | 'tcp' | 'tls' | 'unknown';

/** Data of `CLIENT_HTTP_NETWORK`. */
export interface NetworkErrorData {
  readonly step: NetworkStep;
  /** The system's name for it, such as `ECONNREFUSED`. */
  readonly systemCode?: string;
  readonly host: string;
}

/** Data of `STDIO_EXITED`. */
export interface StdioExitData {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stderrTail: readonly string[];
}

/** Data of the `STDIO_…` errors of a start. */
export interface StdioSpawnData {
  readonly command: string;
  readonly folder?: string;
  readonly systemCode?: string;
}
