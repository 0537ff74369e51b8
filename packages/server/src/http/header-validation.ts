import { ErrorCode } from '@portico/rpc';
import { PROTOCOL_VERSION_HEADER } from '@portico/spec';
import { refusalCode } from './error-answers.ts';

/** What is found of a `Host` header. */
export type HostHeaderValidationResult =
  | { ok: true; hostname: string }
  | {
      ok: false;
      errorCode: 'missing_host' | 'invalid_host_header' | 'invalid_host';
      message: string;
      hostHeader?: string;
      hostname?: string;
    };

/** What is found of an `Origin` header. */
export type OriginValidationResult =
  | { ok: true; origin?: string; hostname?: string }
  | {
      ok: false;
      errorCode: 'invalid_origin_header' | 'invalid_origin';
      message: string;
      originHeader?: string;
      hostname?: string;
    };

/** The names under which a machine reaches itself. */
const LOOPBACK_HOSTNAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** URL parsers read much more as a host than may stand in these headers. */
const HOST = /^(?:\[[\da-f:.]+\]|[^\s:/?#@\\[\]]+)(?::\d{1,5})?$/i;
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/(?:\[[\da-f:.]+\]|[^\s:/?#@\\[\]]+)(?::\d{1,5})?$/i;

/** The host names of this machine itself; IPv6 in brackets. */
export function localhostAllowedHostnames(): string[] {
  return [...LOOPBACK_HOSTNAMES];
}

/** The host names of pages of this machine itself; IPv6 in brackets. */
export function localhostAllowedOrigins(): string[] {
  return [...LOOPBACK_HOSTNAMES];
}

/**
 * Compares the host name of a `Host` header with a list; ports do not count.
 * @param allowedHostnames without ports; IPv6 in brackets
 */
export function validateHostHeader(
  hostHeader: string | null | undefined,
  allowedHostnames: readonly string[],
): HostHeaderValidationResult {
  if (hostHeader === undefined || hostHeader === null || hostHeader === '') {
    return { ok: false, errorCode: 'missing_host', message: 'The Host header is missing.' };
  }
  const hostname = HOST.test(hostHeader) ? urlOf(`http://${hostHeader}`)?.hostname : undefined;
  if (hostname === undefined) {
    const message = `The Host header ${shown(hostHeader)} is no host.`;
    return { ok: false, errorCode: 'invalid_host_header', message, hostHeader };
  }
  if (allowedHostnames.includes(hostname)) return { ok: true, hostname };
  const message = `Host ${shown(hostHeader)} is not allowed here.`;
  return { ok: false, errorCode: 'invalid_host', message, hostHeader, hostname };
}

/**
 * Compares the host name of an `Origin` header with a list; schemes and ports do not count. Programs
 * send no `Origin` and pass. What is no origin is refused, the opaque `null` of sandboxed pages too.
 * @param allowedOriginHostnames without scheme and port; IPv6 in brackets. `<scheme>://*` allows all
 *   origins of one scheme, for browser extensions; `http` and `https` cannot be allowed so.
 */
export function validateOriginHeader(
  originHeader: string | null | undefined,
  allowedOriginHostnames: readonly string[],
): OriginValidationResult {
  if (originHeader === undefined || originHeader === null || originHeader === '') return { ok: true };
  const url = ORIGIN.test(originHeader) ? urlOf(originHeader) : undefined;
  if (url === undefined) {
    const message = `The Origin header ${shown(originHeader)} is no origin.`;
    return { ok: false, errorCode: 'invalid_origin_header', message, originHeader };
  }
  const { hostname, protocol } = url;
  const wholeScheme =
    !['http:', 'https:'].includes(protocol) && allowedOriginHostnames.includes(`${protocol}//*`);
  if (wholeScheme || allowedOriginHostnames.includes(hostname)) {
    return { ok: true, origin: originHeader, hostname };
  }
  const message = `Origin ${shown(originHeader)} is not allowed here.`;
  return { ok: false, errorCode: 'invalid_origin', message, originHeader, hostname };
}

/** The 403 for a request whose `Host` is not in the list; nothing when it may pass. */
export function hostHeaderValidationResponse(
  request: Request,
  allowedHostnames: readonly string[],
): Response | undefined {
  const result = validateHostHeader(request.headers.get('host'), allowedHostnames);
  return result.ok ? undefined : forbidden(request, result.message);
}

/** The 403 for a request whose `Origin` is not in the list; nothing when it may pass. */
export function originValidationResponse(
  request: Request,
  allowedOriginHostnames: readonly string[],
): Response | undefined {
  const result = validateOriginHeader(request.headers.get('origin'), allowedOriginHostnames);
  return result.ok ? undefined : forbidden(request, result.message);
}

function forbidden(request: Request, message: string): Response {
  const code = refusalCode(request.headers.get(PROTOCOL_VERSION_HEADER));
  return Response.json({ jsonrpc: '2.0', error: { code, message } }, { status: 403 });
}

/** The body of a refusal for any era, as JSON-RPC has it: nothing was read, so it has no id. */
export function refusalBody(message: string): object {
  return { jsonrpc: '2.0', error: { code: ErrorCode.InvalidRequest, message } };
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Header texts in messages: quoted, printable and short. */
function shown(value: string): string {
  return JSON.stringify(value.slice(0, 100));
}
