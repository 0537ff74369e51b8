import type { FetchLike } from '@portico/spec';
import { runGuarded, systemClock } from '@portico/rpc';
import type { Clock } from '@portico/rpc';

/** Wraps a fetch function in another. */
export type Middleware = (next: FetchLike) => FetchLike;

/** One middleware of many: the last one given is the outermost. */
export function applyMiddlewares(...middlewares: readonly Middleware[]): Middleware {
  return (next) => middlewares.reduce((inner, middleware) => middleware(inner), next);
}

/** A middleware from a function that gets the wrapped fetch and the request side by side. */
export function createMiddleware(
  handler: (next: FetchLike, input: string | URL, init?: RequestInit) => Promise<Response>,
): Middleware {
  return (next) => (input, init) => handler(next, input, init);
}

/** One request as it is logged; never its body. */
export interface LoggedRequest {
  method: string;
  url: string | URL;
  /** 0 when no answer came. */
  status: number;
  statusText: string;
  /** Milliseconds until the headers of the answer came. */
  duration: number;
  requestHeaders?: Headers;
  responseHeaders?: Headers;
  /** Why no answer came. */
  error?: Error;
}

/** Receives what is logged. A throw or a rejection is swallowed: a logger must not change traffic. */
export type RequestLogger = (input: LoggedRequest) => unknown;

/** What is logged, and where to. */
export interface LoggingOptions {
  /** The console by default: failures as errors, the rest as plain lines. */
  readonly logger?: RequestLogger;
  /** False by default: headers hold credentials. */
  readonly includeRequestHeaders?: boolean;
  /** False by default. */
  readonly includeResponseHeaders?: boolean;
  /** Least status that is logged; failures always are. 0 by default. */
  readonly statusLevel?: number;
  readonly clock?: Clock;
}

function logToConsole({ method, url, status, statusText, duration, error }: LoggedRequest): void {
  const line = `HTTP ${method} ${String(url)} ${status} ${statusText} (${Math.round(duration)}ms)`;
  // oxlint-disable-next-line no-console -- the documented default of this middleware
  if (error === undefined && status < 400) console.log(line);
  // oxlint-disable-next-line no-console -- the documented default of this middleware
  else console.error(error === undefined ? line : `${line}: ${error.message}`);
}

/** Reports method, address, status and time of each request, and changes nothing about it. */
export function withLogging(options: LoggingOptions = {}): Middleware {
  const { logger = logToConsole, statusLevel = 0, clock = systemClock } = options;
  const tell = (entry: LoggedRequest): void => {
    // What a logger cannot take is lost; the request goes on.
    runGuarded(
      'logger',
      () => logger(entry),
      () => undefined,
    );
  };
  return (next) => async (input, init) => {
    const startedMs = clock.now();
    const begun = {
      method: init?.method ?? 'GET',
      url: input,
      ...(options.includeRequestHeaders === true ? { requestHeaders: new Headers(init?.headers) } : {}),
    };
    try {
      const response = await next(input, init);
      const { status, statusText } = response;
      if (status >= statusLevel) {
        const duration = clock.now() - startedMs;
        const headers = options.includeResponseHeaders === true ? { responseHeaders: response.headers } : {};
        tell({ ...begun, status, statusText, duration, ...headers });
      }
      return response;
    } catch (error) {
      const duration = clock.now() - startedMs;
      const failure = error instanceof Error ? error : new TypeError('the request failed', { cause: error });
      tell({ ...begun, status: 0, statusText: 'Network Error', duration, error: failure });
      throw error;
    }
  };
}
