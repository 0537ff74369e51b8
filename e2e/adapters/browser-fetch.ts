/** Request headers that need no permission, and response headers that everybody reads. */
const SAFE_REQUEST_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-language',
  'range',
]);
const SAFE_RESPONSE_HEADERS: ReadonlySet<string> = new Set([
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
]);

const words = (header: string | null): string[] =>
  (header ?? '')
    .toLowerCase()
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

function mayRead(response: Response, origin: string): boolean {
  const allowed = response.headers.get('access-control-allow-origin');
  return allowed === '*' || allowed === origin;
}

/**
 * A fetch that keeps to what the Fetch standard lets a page of another origin do: it asks before each
 * request that needs it, and shows only the headers it may.
 */
export function browserFetch(origin: string): typeof fetch {
  return async (input, init = {}) => {
    const request = new Request(input, init);
    const unsafe = [...request.headers.keys()].filter(
      (name) => !SAFE_REQUEST_HEADERS.has(name) && !(name === 'content-type' && request.method === 'GET'),
    );
    if (unsafe.length > 0 || !['GET', 'HEAD', 'POST'].includes(request.method)) {
      const preflight = await fetch(request.url, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': request.method,
          ...(unsafe.length === 0 ? {} : { 'access-control-request-headers': unsafe.sort().join(',') }),
        },
      });
      const headers = words(preflight.headers.get('access-control-allow-headers'));
      const methods = words(preflight.headers.get('access-control-allow-methods'));
      const refused = unsafe.filter((name) => !headers.includes(name));
      if (!preflight.ok || !mayRead(preflight, origin) || refused.length > 0) {
        throw new TypeError(`blocked by CORS: ${refused.join(', ')}`);
      }
      if (!methods.includes(request.method.toLowerCase())) throw new TypeError('blocked by CORS: method');
    }
    request.headers.set('origin', origin);
    const response = await fetch(request);
    if (!mayRead(response, origin)) throw new TypeError('blocked by CORS');
    const exposed = words(response.headers.get('access-control-expose-headers'));
    const shown = [...response.headers].filter(
      ([name]) => SAFE_RESPONSE_HEADERS.has(name) || exposed.includes(name) || exposed.includes('*'),
    );
    return new Response(response.body, { status: response.status, headers: shown });
  };
}
