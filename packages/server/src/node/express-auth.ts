import {
  type AuthInfo,
  type AuthMetadataOptions,
  createBearerGate,
  metadataAnswer,
  type PlainAnswer,
  type VerifyBearerTokenOptions,
  buildOAuthProtectedResourceMetadata,
} from '@portico/oauth/resource';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';

declare module 'express-serve-static-core' {
  interface Request {
    /** What `requireBearerAuth` found out; `toNodeHandler` hands it on. */
    auth?: AuthInfo;
  }
}

/** The options of the gate, which all adapters share. */
export type BearerAuthMiddlewareOptions = VerifyBearerTokenOptions;

/**
 * Turns requests without a good token away, and puts what is known of the rest at `request.auth`.
 * @see W229, W230, W231, W232
 */
export function requireBearerAuth(options: BearerAuthMiddlewareOptions): RequestHandler {
  const gate = createBearerGate(options);
  return async (request, response, next) => {
    const { authorization, dpop } = request.headers;
    const verdict = await gate({
      authorization,
      method: request.method,
      url: addressOf(request),
      dpop: Array.isArray(dpop) ? dpop.join(', ') : dpop,
    });
    if ('refusal' in verdict) {
      write(verdict.refusal, response);
      return;
    }
    request.auth = verdict.authInfo;
    next();
  };
}

/**
 * Serves the document of the resource and the mirror of its authorization server's. Mount it at the
 * root of the app.
 *
 * @throws ResourceConfigError `issuer_insecure`, `issuer_malformed`, `resource_malformed`
 * @see W228
 */
export function mcpAuthMetadataRouter(options: AuthMetadataOptions): Router {
  buildOAuthProtectedResourceMetadata(options);
  const router = express.Router();
  router.use((request, response, next) => {
    const { method, path } = request;
    const requestedHeaders = request.get('access-control-request-headers');
    const answer = metadataAnswer({ method, path, requestedHeaders }, options);
    if (answer === undefined) next();
    else write(answer, response);
  });
  return router;
}

/** The whole path, whatever router the middleware sits in. */
function addressOf({ originalUrl, protocol, headers }: Request): string {
  return `${protocol}://${headers.host ?? 'localhost'}${originalUrl}`;
}

function write({ status, headers, body }: PlainAnswer, response: Response): void {
  response.writeHead(status, { ...headers });
  response.end(body);
}
