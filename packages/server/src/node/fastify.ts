import {
  DEFAULT_MAX_REQUEST_BODY_SIZE,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@portico/server';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { type AppGuardOptions, DEFAULT_APP_HOST, createAppGuard } from '../http/app-guard.ts';
import { refusalBody } from '../http/header-validation.ts';

export { mcpAuthMetadataRouter, requireBearerAuth } from './fastify-auth.ts';

export interface CreateMcpFastifyAppOptions extends AppGuardOptions {
  /** Largest body, in bytes. Default 4 MiB. */
  maxRequestBodySize?: number;
}

/** A hook for `onRequest`. */
export type FastifyGuard = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * A Fastify app that refuses foreign hosts and pages before it reads a body. It listens on
 * `options.host` (127.0.0.1) unless `app.listen` is given an address.
 */
export function createMcpFastifyApp(options: CreateMcpFastifyAppOptions = {}): FastifyInstance {
  const guard = createAppGuard(options);
  const app = Fastify({ bodyLimit: options.maxRequestBodySize ?? DEFAULT_MAX_REQUEST_BODY_SIZE });
  listenOn(app, options.host ?? DEFAULT_APP_HOST);
  app.addHook('onRequest', async (request, reply) => {
    const { host, ':authority': authority, origin } = request.headers;
    const refused = guard({ host: host ?? authority?.toString(), origin });
    if (refused !== undefined) await reply.code(403).send(refused);
  });
  app.setErrorHandler(answerBadBody);
  return app;
}

/**
 * Refuses requests whose `Host` is not in the list.
 * @param allowedHostnames without ports; IPv6 in brackets
 */
export function hostHeaderValidation(allowedHostnames: readonly string[]): FastifyGuard {
  return async (request, reply) => {
    const result = validateHostHeader(request.headers.host, allowedHostnames);
    if (!result.ok) await reply.code(403).send(refusalBody(result.message));
  };
}

/** Refuses requests that are not addressed to this machine by a loopback name. */
export function localhostHostValidation(): FastifyGuard {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/**
 * Refuses pages whose `Origin` is not in the list. Requests without `Origin` pass.
 * @param allowedOriginHostnames without schemes and ports; IPv6 in brackets; or `<scheme>://*`
 */
export function originValidation(allowedOriginHostnames: readonly string[]): FastifyGuard {
  return async (request, reply) => {
    const result = validateOriginHeader(request.headers.origin, allowedOriginHostnames);
    if (!result.ok) await reply.code(403).send(refusalBody(result.message));
  };
}

/** Refuses pages of other machines. */
export function localhostOriginValidation(): FastifyGuard {
  return originValidation(localhostAllowedOrigins());
}

/** Fastify listens on every address of `localhost` by itself. */
function listenOn(app: FastifyInstance, host: string): void {
  const listen = app.listen.bind(app) as (...values: unknown[]) => Promise<string>;
  const bare = host.replace(/^\[|\]$/g, '');
  const withHost = (...values: unknown[]): unknown => {
    const [first, ...rest] = values;
    if (typeof first === 'object' && first !== null) return listen({ host: bare, ...first }, ...rest);
    return typeof first === 'function' ? listen({ host: bare }, first, ...rest) : listen({ host: bare });
  };
  app.listen = withHost as FastifyInstance['listen'];
}

/** What the body parser finds wrong is answered like the protocol's own refusals. */
function answerBadBody(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE': {
      void reply.code(413).send(refusalBody('The request body is larger than allowed.'));
      return;
    }
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE': {
      void reply.code(415).send(refusalBody('The body of a request is application/json.'));
      return;
    }
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY': {
      if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
        void reply.code(415).send(refusalBody('The body is not to be encoded.'));
        return;
      }
      const fault = { code: -32_700, message: 'The body is no JSON.' };
      void reply.code(400).send({ jsonrpc: '2.0', error: fault });
      return;
    }
    default: {
      // Everything else is answered as Fastify does.
      void reply.send(error);
    }
  }
}
