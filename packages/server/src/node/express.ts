import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@portico/server';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { type AppGuardOptions, DEFAULT_APP_HOST, createAppGuard } from '../http/app-guard.ts';
import { refusalBody } from '../http/header-validation.ts';

export { getOAuthProtectedResourceMetadataUrl } from '@portico/oauth/resource';
export type { AuthMetadataOptions, OAuthTokenVerifier } from '@portico/oauth/resource';
export { mcpAuthMetadataRouter, requireBearerAuth } from './express-auth.ts';
export { mcpAuthRouter } from './express-auth-router.ts';
export type { BearerAuthMiddlewareOptions } from './express-auth.ts';

export interface CreateMcpExpressAppOptions extends AppGuardOptions {
  /** Largest JSON body, as `express.json` takes it; packed bodies count unpacked. Default `4mb`. */
  jsonLimit?: string;
}

/**
 * An Express app that refuses foreign hosts and pages, and reads JSON bodies into `req.body`. It
 * listens on `options.host` (127.0.0.1) unless `app.listen` is given an address.
 */
export function createMcpExpressApp(options: CreateMcpExpressAppOptions = {}): Express {
  const guard = createAppGuard(options);
  const app = express();
  listenOn(app, options.host ?? DEFAULT_APP_HOST);
  app.use((request, response, next) => {
    const refused = guard({ host: request.headers.host, origin: request.headers.origin });
    if (refused === undefined) next();
    else response.status(403).json(refused);
  });
  app.use(express.json({ limit: options.jsonLimit ?? '4mb' }), answerBadBody);
  return app;
}

/**
 * Refuses requests whose `Host` is not in the list.
 * @param allowedHostnames without ports; IPv6 in brackets
 */
export function hostHeaderValidation(allowedHostnames: readonly string[]): RequestHandler {
  return (request, response, next) => {
    const result = validateHostHeader(request.headers.host, allowedHostnames);
    if (result.ok) next();
    else response.status(403).json(refusalBody(result.message));
  };
}

/** Refuses requests that are not addressed to this machine by a loopback name. */
export function localhostHostValidation(): RequestHandler {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/**
 * Refuses pages whose `Origin` is not in the list. Requests without `Origin` pass.
 * @param allowedOriginHostnames without schemes and ports; IPv6 in brackets; or `<scheme>://*`
 */
export function originValidation(allowedOriginHostnames: readonly string[]): RequestHandler {
  return (request, response, next) => {
    const result = validateOriginHeader(request.headers.origin, allowedOriginHostnames);
    if (result.ok) next();
    else response.status(403).json(refusalBody(result.message));
  };
}

/** Refuses pages of other machines. */
export function localhostOriginValidation(): RequestHandler {
  return originValidation(localhostAllowedOrigins());
}

/** Express listens on all networks by itself. */
function listenOn(app: Express, host: string): void {
  const listen = app.listen.bind(app) as (...values: unknown[]) => ReturnType<Express['listen']>;
  const bare = host.replace(/^\[|\]$/g, '');
  app.listen = (...values: unknown[]) => {
    const [port, second] = values;
    const isPort = typeof port === 'number' || (typeof port === 'string' && /^\d+$/.test(port));
    if (isPort && typeof second !== 'string') return listen(port, bare, ...values.slice(1));
    return listen(...values);
  };
}

/** What the body parser finds wrong is answered like the protocol's own refusals. */
// oxlint-disable-next-line max-params -- Express knows error handlers by their four parameters
const answerBadBody: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const status: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'status') : 0;
  if (status === 413) response.status(413).json(refusalBody('The request body is larger than allowed.'));
  else if (status === 415) response.status(415).json(refusalBody('The encoding of the body is not read.'));
  else if (status === 400) response.status(400).json(parseFault());
  else next(error);
};

function parseFault(): object {
  return { jsonrpc: '2.0', error: { code: -32_700, message: 'The body is no JSON.' } };
}
