import type { MiddlewareHandler } from 'hono';
import { isolationProbe } from './host-gate.ts';

/**
 * Headers of everything the console's hosts answer: nothing from elsewhere runs, only sandbox hosts
 * may be framed, and nobody may frame the console.
 * @param port answers the port that sandbox hosts are on
 */
export function securityHeaders(port: () => number): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const headers = context.res.headers;
    headers.set('content-security-policy', consolePolicy(port()));
    headers.set('x-content-type-options', 'nosniff');
    headers.set('referrer-policy', 'no-referrer');
    headers.set('cross-origin-opener-policy', 'same-origin');
    headers.set('cross-origin-resource-policy', 'same-origin');
    headers.set('x-frame-options', 'DENY');
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  };
}

function consolePolicy(port: number): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "media-src 'self' data: blob:",
    // The paths are for documents that get an opaque origin where sandbox hosts do not resolve.
    `frame-src http://*.localhost:${port} http://localhost:${port}/sandbox/ http://127.0.0.1:${port}/sandbox/`,
    `connect-src 'self' ${isolationProbe(port)}`,
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
