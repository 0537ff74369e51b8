import {
  type AuthInfo,
  type AuthMetadataOptions,
  buildOAuthProtectedResourceMetadata,
  createBearerGate,
  metadataAnswer,
  metadataPaths,
  type PlainAnswer,
  type VerifyBearerTokenOptions,
} from '@portico/oauth/resource';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * A hook for `onRequest` that turns requests without a good token away. What is known of the rest is
 * put at `request.raw.auth`, from where `toNodeHandler` hands it on.
 * @see W229, W230, W231, W232
 */
export function requireBearerAuth(
  options: VerifyBearerTokenOptions,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const gate = createBearerGate(options);
  return async (request, reply) => {
    const { authorization, dpop } = request.headers;
    const { method, url, protocol, host } = request;
    const verdict = await gate({
      authorization,
      method,
      url: `${protocol}://${host}${url}`,
      dpop: Array.isArray(dpop) ? dpop.join(', ') : dpop,
    });
    if ('refusal' in verdict) await send(verdict.refusal, reply);
    else Object.assign<object, { auth: AuthInfo }>(request.raw, { auth: verdict.authInfo });
  };
}

/**
 * A plugin, for `app.register`, that serves the document of the resource and the mirror of its
 * authorization server's.
 *
 * @throws ResourceConfigError `issuer_insecure`, `issuer_malformed`, `resource_malformed`
 * @see W228
 */
export function mcpAuthMetadataRouter(options: AuthMetadataOptions): (app: FastifyInstance) => Promise<void> {
  buildOAuthProtectedResourceMetadata(options);
  return (app) => {
    for (const path of metadataPaths(options)) {
      for (const url of [path, `${path}/`]) {
        app.all(url, async (request, reply) => {
          const requested = request.headers['access-control-request-headers'];
          const answer = metadataAnswer(
            { method: request.method, path, requestedHeaders: requested },
            options,
          );
          if (answer !== undefined) await send(answer, reply);
          return reply;
        });
      }
    }
    return Promise.resolve();
  };
}

async function send({ status, headers, body }: PlainAnswer, reply: FastifyReply): Promise<void> {
  await reply.code(status).headers(headers).send(body);
}
