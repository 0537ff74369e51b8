import { systemClock } from '@portico/rpc';
import type { Clock } from '@portico/rpc';
import type { FetchLike } from '@portico/spec';
import { OAuthClientFlowError } from '../flow-errors.ts';
import type { AuthorizationEvent, AuthorizationObserver, AuthorizationStep } from '../steps.ts';
import { filterUrl } from './url-filter.ts';
import type { UrlCheck } from './url-filter.ts';

/** Bounds of every request that a sign-in makes. */
export interface AuthorizationLimits {
  /** Milliseconds for one answer with its body; 30,000 by default. */
  readonly timeoutMs: number;
  /** Bytes of one body; 262,144 by default. */
  readonly maxBytes: number;
  /** Redirects of one request for a document; 5 by default. Requests with secrets follow none. */
  readonly maxRedirects: number;
}

/** How a sign-in does its requests. All of it has defaults. */
export interface AuthorizationHttp {
  /** Does every request; the platform's own by default. */
  readonly fetchFn?: FetchLike | undefined;
  readonly clock?: Clock | undefined;
  readonly limits?: Partial<AuthorizationLimits> | undefined;
  /** Asked about each address before a request goes there. */
  readonly checkUrl?: UrlCheck | undefined;
  /** Told every step. */
  readonly observer?: AuthorizationObserver | undefined;
  /** Ends all requests of the sign-in. */
  readonly signal?: AbortSignal | undefined;
}

/** Bounds unless they are set. */
export const DEFAULT_AUTHORIZATION_LIMITS: AuthorizationLimits = {
  timeoutMs: 30_000,
  maxBytes: 262_144,
  maxRedirects: 5,
};

/** One request of a sign-in. */
export interface AuthorizationRequest {
  readonly step: AuthorizationStep;
  readonly url: URL;
  /** GET without one. */
  readonly body?: string | URLSearchParams;
  readonly headers?: Headers;
  /** The origin of the MCP server, which the person chose. */
  readonly trustedOrigin?: string | undefined;
}

/** An answer that was read to its end. */
export interface AuthorizationAnswer {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Tells the observer; what it throws is ignored. */
export function observe(http: AuthorizationHttp, event: AuthorizationEvent): void {
  try {
    http.observer?.(event);
  } catch {
    // Watching changes nothing.
  }
}

/** An address fit to be shown and kept: without what may be secret in it. */
export function shownUrl(url: URL): string {
  return url.origin + url.pathname;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

async function readBounded(response: Response, hop: Hop): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  let total = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      total += value.byteLength;
      if (total > hop.limits.maxBytes) throw tooLarge(hop);
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    // Not awaited: a source that hangs while it is cancelled must not hold the caller up.
    void reader.cancel().catch(() => undefined);
  }
}

interface Hop {
  readonly request: AuthorizationRequest;
  readonly url: URL;
  readonly limits: AuthorizationLimits;
}

/** Browsers follow redirects themselves or not at all; how they went shows in the address of the answer. */
async function fetchHop(http: AuthorizationHttp, hop: Hop, signal: AbortSignal): Promise<Response> {
  const { headers, body } = hop.request;
  const fetch: FetchLike = http.fetchFn ?? ((url, init) => globalThis.fetch(url, init));
  const init: RequestInit = {
    method: body === undefined ? 'GET' : 'POST',
    redirect: 'manual',
    signal,
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  };
  const response = await fetch(hop.url, init);
  if (response.type !== 'opaqueredirect' || body !== undefined) return response;
  return fetch(hop.url, { ...init, redirect: 'follow' });
}

function tooLarge({ request, url, limits }: Hop): OAuthClientFlowError {
  const data = { url: shownUrl(url), limitBytes: limits.maxBytes };
  return new OAuthClientFlowError('answer_too_large', { data, step: request.step });
}

function tooLate({ request, url, limits }: Hop): OAuthClientFlowError {
  const data = { url: shownUrl(url), timeoutMs: limits.timeoutMs };
  return new OAuthClientFlowError('answer_timeout', { data, step: request.step });
}

function unreachable({ request, url }: Hop, cause: unknown): OAuthClientFlowError {
  return new OAuthClientFlowError('network', { data: { url: shownUrl(url) }, step: request.step, cause });
}

/** One request and its whole answer, within the limits. */
async function oneHop(http: AuthorizationHttp, hop: Hop): Promise<AuthorizationAnswer> {
  const leave = new AbortController();
  const { signal: outer, clock = systemClock } = http;
  let giveUp: (error: unknown) => void = () => undefined;
  // Not every fetch listens to its signal.
  const givenUp = new Promise<never>((_resolve, reject) => {
    giveUp = (error) => {
      reject(error);
      leave.abort(error);
    };
  });
  const abort = (): void => giveUp(outer?.reason);
  outer?.addEventListener('abort', abort, { once: true });
  const timer = clock.setTimer(hop.limits.timeoutMs, () => giveUp(tooLate(hop)));
  timer.unref?.();
  const read = async (): Promise<AuthorizationAnswer> => {
    const response = await fetchHop(http, hop, leave.signal);
    const text = await readBounded(response, hop);
    const { status, headers } = response;
    // An answer that a test or a wrapper made has no address of its own.
    return { url: response.url === '' ? hop.url : new URL(response.url), status, headers, text };
  };
  try {
    if (outer?.aborted === true) abort();
    return await Promise.race([read(), givenUp]);
  } catch (error) {
    if (outer?.aborted === true) throw outer.reason;
    throw error instanceof OAuthClientFlowError ? error : unreachable(hop, error);
  } finally {
    timer.cancel();
    outer?.removeEventListener('abort', abort);
  }
}

function redirectTarget(answer: AuthorizationAnswer): string | undefined {
  const location = answer.headers.get('location');
  if (!REDIRECTS.has(answer.status) || location === null) return undefined;
  return URL.canParse(location, answer.url) ? new URL(location, answer.url).href : location;
}

/**
 * Does one request of a sign-in: each address passes the filter, documents are fetched through a bounded
 * number of redirects, and what carries a secret follows none.
 *
 * @throws OAuthClientFlowError `network`, `answer_timeout`, `answer_too_large`, `url_refused`
 * @throws the reason of `signal` when it was aborted
 */
export async function send(
  http: AuthorizationHttp,
  request: AuthorizationRequest,
): Promise<AuthorizationAnswer> {
  const limits = { ...DEFAULT_AUTHORIZATION_LIMITS, ...http.limits };
  const { step, trustedOrigin, body } = request;
  const filter = { step, trustedOrigin, checkUrl: http.checkUrl };
  let url = await filterUrl(request.url.href, filter);
  for (let redirects = 0; ; redirects++) {
    const answer = await oneHop(http, { request, url, limits });
    // Where the platform went by itself is looked at afterwards, which is better than never.
    if (answer.url.href !== url.href) await filterUrl(answer.url.href, filter);
    const target = body === undefined && redirects < limits.maxRedirects ? redirectTarget(answer) : undefined;
    if (target === undefined) return answer;
    url = await filterUrl(target, filter);
  }
}
