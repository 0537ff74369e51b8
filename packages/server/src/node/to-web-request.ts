import { DEFAULT_MAX_REQUEST_BODY_SIZE } from '@portico/server';
import { type NodeIncomingMessageLike, headerOf, readBodyText } from './node-message.ts';

export interface ToWebRequestOptions {
  /** Becomes the signal of the request. */
  signal?: AbortSignal;
  /** Largest body that is read, in bytes. Default 4 MiB. */
  maxRequestBodySize?: number;
}

/**
 * Makes a web `Request` of a Node one, for handlers of that form. The body is read from the Node
 * request, unless a parser has read it: then its value is given and written out again.
 * @throws ServerError `BODY_TOO_LARGE` beyond `maxRequestBodySize`
 */
export async function toWebRequest(
  request: NodeIncomingMessageLike,
  parsedBody?: unknown,
  options: ToWebRequestOptions = {},
): Promise<Request> {
  const method = (request.method ?? 'GET').toUpperCase();
  if (method === 'GET' || method === 'HEAD') return webRequestOf(request, options);
  if (parsedBody === undefined) {
    const text = await readBodyText(request, options.maxRequestBodySize ?? DEFAULT_MAX_REQUEST_BODY_SIZE);
    return webRequestOf(request, text === '' ? options : { ...options, body: text });
  }
  // What was said of the bytes that came does not hold for those written here.
  const body = JSON.stringify(parsedBody) as string | undefined;
  // Functions and symbols have no JSON form, and so make no body.
  const written = webRequestOf(request, body === undefined ? options : { ...options, body });
  written.headers.delete('content-encoding');
  written.headers.delete('transfer-encoding');
  written.headers.set('content-length', String(Buffer.byteLength(body ?? '')));
  return written;
}

/** Method, address and headers of a request as a web `Request`, with the body that is given. */
export function webRequestOf(
  request: NodeIncomingMessageLike,
  options: { readonly signal?: AbortSignal; readonly body?: string } = {},
): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name.startsWith(':')) continue;
    for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each);
  }
  // Handlers and guards look for the host where HTTP/1 has it.
  const host = headerOf(request, 'host');
  if (host !== undefined) headers.set('host', host);
  const { signal, body } = options;
  return new Request(addressOf(request), {
    method: request.method ?? 'GET',
    headers,
    ...(signal === undefined ? {} : { signal }),
    ...(body === undefined ? {} : { body }),
  });
}

/** Clients may send any text as host; one that is no host is refused elsewhere, by its header. */
function addressOf(request: NodeIncomingMessageLike): URL {
  const base = `http://${headerOf(request, 'host') ?? 'localhost'}`;
  const path = request.url ?? '/';
  const address = path.startsWith('/') ? `${base}${path}` : path;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && url.username === '' && url.password === '') return url;
  return new URL(path.startsWith('/') ? `http://localhost${path}` : 'http://localhost/');
}
