import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@portico/server';
import { refusalBody } from '../http/header-validation.ts';
import { type NodeIncomingMessageLike, type NodeServerResponseLike, headerOf } from './node-message.ts';

/** True when the request may go on; else it has been answered with 403. */
export type NodeRequestGuard = (
  request: NodeIncomingMessageLike,
  response: NodeServerResponseLike,
) => boolean;

/**
 * Refuses requests whose `Host` is not in the list.
 * @param allowedHostnames without ports; IPv6 in brackets
 */
export function hostHeaderValidation(allowedHostnames: readonly string[]): NodeRequestGuard {
  return (request, response) =>
    passes(validateHostHeader(headerOf(request, 'host'), allowedHostnames), response);
}

/** Refuses requests that are not addressed to this machine by a loopback name. */
export function localhostHostValidation(): NodeRequestGuard {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/**
 * Refuses pages whose `Origin` is not in the list. Requests without `Origin` pass.
 * @param allowedOriginHostnames without schemes and ports; IPv6 in brackets; or `<scheme>://*`
 */
export function originValidation(allowedOriginHostnames: readonly string[]): NodeRequestGuard {
  return (request, response) =>
    passes(validateOriginHeader(headerOf(request, 'origin'), allowedOriginHostnames), response);
}

/** Refuses pages of other machines. */
export function localhostOriginValidation(): NodeRequestGuard {
  return originValidation(localhostAllowedOrigins());
}

function passes(
  result: { readonly ok: true } | { readonly ok: false; readonly message: string },
  response: NodeServerResponseLike,
): boolean {
  if (result.ok) return true;
  response.writeHead(403, { 'content-type': 'application/json' });
  response.end(JSON.stringify(refusalBody(result.message)));
  return false;
}
