import { Hono, type MiddlewareHandler } from 'hono';
import { type AppGuardOptions, createAppGuard } from '../http/app-guard.ts';
import { readText } from '../http/fetch-face.ts';
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  refusalBody,
  validateHostHeader,
  validateOriginHeader,
} from '../http/header-validation.ts';
import { DEFAULT_MAX_REQUEST_BODY_SIZE, mediaType } from '../http/http-message.ts';
import { ServerError } from '../errors.ts';

export { mcpAuthMetadataRouter, requireBearerAuth } from './hono-auth.ts';
export type { BearerAuthVariables } from './hono-auth.ts';

export interface CreateMcpHonoAppOptions extends AppGuardOptions {
  /** Largest JSON body, in bytes. Default 4 MiB. */
  maxRequestBodySize?: number;
}

/**
 * A Hono app that refuses foreign hosts and pages, and reads JSON bodies into `c.get('parsedBody')`.
 * Where it listens is the matter of whoever serves it; `options.host` says so here.
 */
export function createMcpHonoApp(options: CreateMcpHonoAppOptions = {}): Hono {
  const guard = createAppGuard(options);
  const app = new Hono();
  app.use('*', async (context, next) => {
    const { req } = context;
    const refused = guard({ host: req.header('host'), origin: req.header('origin') });
    if (refused !== undefined) return context.json(refused, 403);
    return next();
  });
  app.use('*', jsonBody(options.maxRequestBodySize ?? DEFAULT_MAX_REQUEST_BODY_SIZE));
  return app;
}

/**
 * Refuses requests whose `Host` is not in the list.
 * @param allowedHostnames without ports; IPv6 in brackets
 */
export function hostHeaderValidation(allowedHostnames: readonly string[]): MiddlewareHandler {
  return async (context, next) => {
    const result = validateHostHeader(context.req.header('host'), allowedHostnames);
    if (!result.ok) return context.json(refusalBody(result.message), 403);
    return next();
  };
}

/** Refuses requests that are not addressed to this machine by a loopback name. */
export function localhostHostValidation(): MiddlewareHandler {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/**
 * Refuses pages whose `Origin` is not in the list. Requests without `Origin` pass.
 * @param allowedOriginHostnames without schemes and ports; IPv6 in brackets; or `<scheme>://*`
 */
export function originValidation(allowedOriginHostnames: readonly string[]): MiddlewareHandler {
  return async (context, next) => {
    const result = validateOriginHeader(context.req.header('origin'), allowedOriginHostnames);
    if (!result.ok) return context.json(refusalBody(result.message), 403);
    return next();
  };
}

/** Refuses pages of other machines. */
export function localhostOriginValidation(): MiddlewareHandler {
  return originValidation(localhostAllowedOrigins());
}

/** Reads JSON from a copy, so that the request stays whole for whoever wants its bytes. */
function jsonBody(maxBytes: number): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    const encoded = (req.header('content-encoding') ?? 'identity') !== 'identity';
    const isJson = mediaType(req.header('content-type')) === 'application/json';
    if (encoded || !isJson || context.get('parsedBody') !== undefined) return next();
    try {
      context.set('parsedBody', JSON.parse(await readText(req.raw.clone(), maxBytes)));
    } catch (error) {
      if (error instanceof ServerError) return context.json(refusalBody(error.message), 413);
      const fault = { code: -32_700, message: 'The body is no JSON.' };
      return context.json({ jsonrpc: '2.0', error: fault }, 400);
    }
    return next();
  };
}
