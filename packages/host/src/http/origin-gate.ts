import type { MiddlewareHandler } from 'hono';
import { ApiRefusal } from '../api-refusal.ts';
import { consoleOrigins } from './host-gate.ts';

/**
 * Refuses what another site's page sends (K197, K198): a foreign `Origin` on any route, and on the
 * API also a cross-site request that carries none.
 */
export function originGate(port: () => number): MiddlewareHandler {
  return async (context, next) => {
    const origin = context.req.header('origin');
    if (origin !== undefined && !consoleOrigins(port()).includes(origin)) {
      throw new ApiRefusal('forbidden_origin', 'This request comes from a page that is not the console.');
    }
    const site = context.req.header('sec-fetch-site');
    const ownSite = site === undefined || site === 'same-origin' || site === 'none';
    if (!ownSite && context.req.path.startsWith('/api/')) {
      throw new ApiRefusal('forbidden_origin', 'This request comes from another site.');
    }
    await next();
  };
}
