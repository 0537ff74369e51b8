import { METHOD_HEADER, NAME_HEADER, PROTOCOL_VERSION_HEADER, SESSION_ID_HEADER } from '@portico/spec';
import { ServerError } from '../errors.ts';
import type { McpHandlerRequestOptions } from './create-mcp-handler.ts';
import { type HttpAnswer, type HttpRequest, emptyAnswer } from './http-message.ts';

export interface CorsOptions {
  /** Origins whose pages may call (`https://app.example`), or `*` for all pages, without credentials. */
  readonly origins: readonly string[] | '*';
  /** Whether pages may send cookies and client certificates. Default false. */
  readonly credentials?: boolean;
  /** Request headers that pages may send besides those of the protocol. */
  readonly requestHeaders?: readonly string[];
  /** Response headers that pages may read besides those of the protocol. */
  readonly exposedHeaders?: readonly string[];
  /** How long browsers may remember the answer to a preflight, in seconds. Default 600. */
  readonly maxAgeSeconds?: number;
}

/** Anything that serves requests: an MCP handler, or a transport's own function as `fetch`. */
export interface CorsTarget {
  readonly fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;
  readonly handle?: (request: HttpRequest) => Promise<HttpAnswer>;
}

const REQUEST_HEADERS: readonly string[] = [
  'Accept',
  'Authorization',
  'Content-Type',
  'DPoP',
  'Last-Event-ID',
  PROTOCOL_VERSION_HEADER,
  METHOD_HEADER,
  NAME_HEADER,
  SESSION_ID_HEADER,
];

const EXPOSED_HEADERS: readonly string[] = [
  PROTOCOL_VERSION_HEADER,
  SESSION_ID_HEADER,
  'WWW-Authenticate',
  'DPoP-Nonce',
];

const METHODS = 'GET, POST, DELETE, OPTIONS';

/** Headers of tool parameters; their names come from the tools. */
const PARAM_HEADER = /^mcp-param-[\w!#$%&'*+.^`|~-]+$/i;

/** Reads one header by lower-case name. */
type HeaderReader = (name: string) => string | undefined;

/**
 * Lets pages of other origins call a handler: answers preflights and adds the CORS headers. Which
 * origins may call at all is the guard's matter (`allowedOrigins`), so name them there too.
 * @throws ServerError `INVALID_CORS_OPTIONS` for credentials together with `*`
 */
export function withCors<Handler extends CorsTarget>(handler: Handler, options: CorsOptions): Handler {
  if (options.credentials === true && (options.origins === '*' || options.origins.includes('*'))) {
    throw new ServerError('INVALID_CORS_OPTIONS');
  }
  const { fetch, handle } = handler;
  const inFetch: CorsTarget['fetch'] = async (request, requestOptions) => {
    const read: HeaderReader = (name) => request.headers.get(name) ?? undefined;
    const preflight = preflightHeaders(request.method, read, options);
    if (preflight !== undefined) return new Response(null, { status: 204, headers: preflight });
    const response = await fetch(request, requestOptions);
    const headers = new Headers(response.headers);
    for (const [name, value] of Object.entries(answerHeaders(read, options))) headers.set(name, value);
    return new Response(response.body, { status: response.status, headers });
  };
  if (handle === undefined) return { ...handler, fetch: inFetch };
  const inHandle = async (request: HttpRequest): Promise<HttpAnswer> => {
    const read: HeaderReader = (name) => request.header(name);
    const preflight = preflightHeaders(request.method, read, options);
    if (preflight !== undefined) return emptyAnswer(204, preflight);
    const answer = await handle(request);
    return { ...answer, headers: { ...answer.headers, ...answerHeaders(read, options) } };
  };
  return { ...handler, fetch: inFetch, handle: inHandle };
}

/** The headers of the answer to a preflight; nothing for any other request. */
function preflightHeaders(
  method: string,
  read: HeaderReader,
  options: CorsOptions,
): Record<string, string> | undefined {
  if (method !== 'OPTIONS' || read('access-control-request-method') === undefined) return undefined;
  const headers = originHeaders(read, options);
  if (headers['access-control-allow-origin'] === undefined) return headers;
  const asked = (read('access-control-request-headers') ?? '').split(',').map((name) => name.trim());
  const allowed = [...REQUEST_HEADERS, ...(options.requestHeaders ?? [])];
  const parameters = asked.filter((name) => PARAM_HEADER.test(name));
  headers['access-control-allow-headers'] = [...allowed, ...parameters].join(', ');
  headers['access-control-allow-methods'] = METHODS;
  headers['access-control-max-age'] = String(options.maxAgeSeconds ?? 600);
  return headers;
}

function answerHeaders(read: HeaderReader, options: CorsOptions): Record<string, string> {
  const headers = originHeaders(read, options);
  if (headers['access-control-allow-origin'] !== undefined) {
    const exposed = [...EXPOSED_HEADERS, ...(options.exposedHeaders ?? [])];
    headers['access-control-expose-headers'] = exposed.join(', ');
  }
  return headers;
}

/** Which origin may read the answer. A page that may not gets the answer without a word about it. */
function originHeaders(read: HeaderReader, options: CorsOptions): Record<string, string> {
  if (options.origins === '*' || options.origins.includes('*')) {
    return { 'access-control-allow-origin': '*' };
  }
  const origin = read('origin');
  if (origin === undefined || !options.origins.includes(origin)) return { vary: 'Origin' };
  const headers: Record<string, string> = { 'access-control-allow-origin': origin, vary: 'Origin' };
  if (options.credentials === true) headers['access-control-allow-credentials'] = 'true';
  return headers;
}
