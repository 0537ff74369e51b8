import { SseError, failureOf } from '@portico/client';

/** What the system calls it when nobody took the connection in time. */
const LATE: ReadonlySet<string> = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT']);

function statusReason(status: number): string | undefined {
  const helps = status === 400 || (status >= 404 && status < 500);
  return helps ? `the server answered with status ${String(status)}` : undefined;
}

/**
 * Why a proxy may help after a first connection failed: the server was not reached, which is all that a
 * browser tells of a refusal by CORS, or it answered 400 or a 4xx from 404 up. Never after a refusal of
 * the caller, a fault of the server, a time-out or an abort. The wording plays no part. Source: R46, R47.
 *
 * @param error what connecting failed with, once its own fallbacks were used up
 * @returns undefined when a proxy cannot help
 */
export function proxyReason(error: unknown): string | undefined {
  // The status of a stream that was refused is in its code.
  if (error instanceof SseError && error.code !== undefined) return statusReason(error.code);
  const { code, step, httpStatus, systemCode } = failureOf(error);
  if (httpStatus !== undefined) return statusReason(httpStatus);
  if (code !== 'CLIENT_HTTP_NETWORK' || LATE.has(systemCode ?? '')) return undefined;
  const isOut = step === 'address' || step === 'tcp' || step === 'unknown';
  return isOut ? 'the server cannot be reached from here' : undefined;
}
