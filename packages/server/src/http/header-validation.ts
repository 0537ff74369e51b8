import { type JSONRPCErrorResponse, JSONRPC_VERSION } from '@portico/rpc';

/** The names under which a machine reaches itself. */
const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** What a `Host` header was found to be. */
export type HostHeaderValidationResult =
  | { ok: true; hostname: string }
  | {
      ok: false;
      errorCode: 'missing_host' | 'invalid_host_header' | 'invalid_host';
      message: string;
      hostHeader?: string;
      hostname?: string;
    };

/** What an `Origin` header was found to be. */
export type OriginValidationResult =
  | { ok: true; origin?: string; hostname?: string }
  | {
      ok: false;
      errorCode: 'invalid_origin_header' | 'invalid_origin';
      message: string;
      originHeader?: string;
      hostname?: string;
    };

/** Host names, without a port, for servers that only their own machine may reach. A fresh list. */
export function localhostAllowedHostnames(): string[] {
  return [...LOOPBACK_NAMES];
}

/** As {@link localhostAllowedHostnames}, for the pages that may call. */
export function localhostAllowedOrigins(): string[] {
  return [...LOOPBACK_NAMES];
}

/**
 * Holds a `Host` header against the names a server goes by, whatever the port. A page that lets its
 * own name point at this machine is told apart by it. IPv6 addresses stand in brackets.
 */
export function validateHostHeader(
  hostHeader: string | null | undefined,
  allowedHostnames: readonly string[],
): HostHeaderValidationResult {
  if (hostHeader === null || hostHeader === undefined || hostHeader === '') {
    return { ok: false, errorCode: 'missing_host', message: 'The request has no Host header' };
  }
  const hostname = hostnameOf(`http://${hostHeader}`);
  if (hostname === undefined) {
    const message = `The Host header ${shown(hostHeader)} is none`;
    return { ok: false, errorCode: 'invalid_host_header', message, hostHeader };
  }
  if (allowedHostnames.includes(hostname)) return { ok: true, hostname };
  const message = `The host ${shown(hostname)} is not allowed here`;
  return { ok: false, errorCode: 'invalid_host', message, hostHeader, hostname };
}

/**
 * Holds an `Origin` header against the names of hosts whose pages may call, whatever scheme and
 * port. A request without one does not come from a page and passes; `null` and everything else
 * that names no host is refused.
 */
export function validateOriginHeader(
  originHeader: string | null | undefined,
  allowedOriginHostnames: readonly string[],
): OriginValidationResult {
  if (originHeader === null || originHeader === undefined || originHeader === '') return { ok: true };
  const hostname = hostnameOf(originHeader);
  if (hostname === undefined) {
    const message = `The Origin header ${shown(originHeader)} is none`;
    return { ok: false, errorCode: 'invalid_origin_header', message, originHeader };
  }
  if (allowedOriginHostnames.includes(hostname)) return { ok: true, origin: originHeader, hostname };
  const message = `Pages of ${shown(hostname)} may not call here`;
  return { ok: false, errorCode: 'invalid_origin', message, originHeader, hostname };
}

/** The 403 that a request for a foreign host earns; undefined when it may pass. */
export function hostHeaderValidationResponse(
  request: Request,
  allowedHostnames: readonly string[],
): Response | undefined {
  const result = validateHostHeader(request.headers.get('host'), allowedHostnames);
  return result.ok ? undefined : forbidden(result.message);
}

/** The 403 that a request of a foreign page earns; undefined when it may pass. */
export function originValidationResponse(
  request: Request,
  allowedOriginHostnames: readonly string[],
): Response | undefined {
  const result = validateOriginHeader(request.headers.get('origin'), allowedOriginHostnames);
  return result.ok ? undefined : forbidden(result.message);
}

/** The code has no meaning beyond the status, which old clients expect beside it. */
function forbidden(message: string): Response {
  const body: JSONRPCErrorResponse = { jsonrpc: JSONRPC_VERSION, error: { code: -32000, message } };
  return Response.json(body, { status: 403 });
}

/** A host may come with a port and nothing else: no path, no query, no user. */
function hostnameOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, pathname, search, hash, username, password } = new URL(url);
  const isBare =
    (pathname === '/' || pathname === '') && search === '' && hash === '' && username + password === '';
  return isBare && hostname !== '' ? hostname : undefined;
}

/** Header texts in messages: quoted, printable and short. */
function shown(value: string): string {
  return JSON.stringify(value.slice(0, 100));
}
