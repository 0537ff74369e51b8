import { type Clock, systemClock } from '@portico/rpc';
import type { FetchLike } from '@portico/spec';

/** What can go wrong between this resource and the server that it asks. */
export const UPSTREAM_ERRORS = {
  unreachable: 'The authorization server could not be reached.',
  too_late: 'The authorization server gave no answer in time.',
  too_large: 'The answer of the authorization server is larger than the limit.',
  unusable: 'The answer of the authorization server cannot be used.',
} as const;

export type UpstreamErrorCode = keyof typeof UPSTREAM_ERRORS;

/** An authorization server that did not do its part: never the fault of the token that was looked at. */
export class UpstreamError extends Error {
  readonly code: UpstreamErrorCode;
  /** Origin and path that were asked, and the status where there was one. */
  readonly data: { readonly url: string; readonly status?: number };

  constructor(code: UpstreamErrorCode, data: UpstreamError['data'], cause?: unknown) {
    super(UPSTREAM_ERRORS[code], cause === undefined ? {} : { cause });
    this.name = 'UpstreamError';
    this.code = code;
    this.data = data;
  }
}

/** How an authorization server is asked. All of it has defaults. */
export interface UpstreamOptions {
  /** Does the requests; the platform's own by default. */
  readonly fetch?: FetchLike;
  readonly clock?: Clock;
  /** Milliseconds for one whole answer. Default 10 000. */
  readonly timeoutMs?: number;
  /** Bytes of one answer. Default 262 144. */
  readonly maxBytes?: number;
}

/** An answer that was read to its end. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_MAX_BYTES = 262_144;

/** Whether what goes there cannot be read on the way: https, or http within this machine. */
export function isConfidential({ protocol, hostname }: URL): boolean {
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLocal);
}

/**
 * One request and its whole answer within time and size. Redirects are not followed: nobody else is
 * to be asked, and nobody else is to see what is asked.
 *
 * @throws UpstreamError
 */
export async function askUpstream(
  url: URL,
  init: RequestInit,
  options: UpstreamOptions = {},
): Promise<UpstreamAnswer> {
  const { clock = systemClock, timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = DEFAULT_MAX_BYTES } = options;
  const fetch: FetchLike = options.fetch ?? ((target, settings) => globalThis.fetch(target, settings));
  const data = { url: url.origin + url.pathname };
  const leave = new AbortController();
  let expire: (error: UpstreamError) => void = () => undefined;
  const late = new Promise<never>((_resolve, reject) => (expire = reject));
  const timer = clock.setTimer(timeoutMs, () => {
    expire(new UpstreamError('too_late', data));
    leave.abort();
  });
  const ask = async (): Promise<UpstreamAnswer> => {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: leave.signal });
    const { status, headers } = response;
    const text = await readBounded(response, maxBytes);
    if (text === undefined) throw new UpstreamError('too_large', data);
    return { status, headers, text };
  };
  try {
    return await Promise.race([ask(), late]);
  } catch (error) {
    throw error instanceof UpstreamError ? error : new UpstreamError('unreachable', data, error);
  } finally {
    timer.cancel();
  }
}

/** The body as text; undefined when it is longer than allowed. */
async function readBounded(response: Response, maxBytes: number): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // Not awaited: a source that hangs while it is cancelled must not hold the caller up.
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** The object that an answer holds as JSON. @throws UpstreamError `unusable` */
export function jsonObjectOf({ status, text }: UpstreamAnswer, url: URL): Record<string, unknown> {
  const data = { url: url.origin + url.pathname, status };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What was said there may be secret, so the parser's own words are not kept.
    throw new UpstreamError('unusable', data);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UpstreamError('unusable', data);
  }
  return value as Record<string, unknown>;
}
