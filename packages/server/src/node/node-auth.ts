import {
  type AuthMetadataOptions,
  buildOAuthProtectedResourceMetadata,
  createBearerGate,
  metadataAnswer,
  type PlainAnswer,
  type VerifyBearerTokenOptions,
} from '@portico/oauth/resource';
import type { NodeRequestGuard } from './host-validation.ts';
import { type NodeIncomingMessageLike, type NodeServerResponseLike, headerOf } from './node-message.ts';

/** True when the request may go on; else it has been answered. */
export type NodeAuthGuard = (
  request: NodeIncomingMessageLike,
  response: NodeServerResponseLike,
) => Promise<boolean>;

/**
 * Turns requests without a good token away. What is known of the rest is put at `request.auth`, from
 * where `toNodeHandler` hands it on.
 * @see W229, W230, W231, W232
 */
export function requireBearerAuth(options: VerifyBearerTokenOptions): NodeAuthGuard {
  const gate = createBearerGate(options);
  return async (request, response) => {
    const verdict = await gate({
      authorization: headerOf(request, 'authorization'),
      method: request.method ?? 'GET',
      url: `http://${headerOf(request, 'host') ?? 'localhost'}${request.url ?? '/'}`,
      dpop: headerOf(request, 'dpop'),
    });
    if ('refusal' in verdict) {
      write(verdict.refusal, response);
      return false;
    }
    request.auth = verdict.authInfo;
    return true;
  };
}

/**
 * Serves the document of the resource and the mirror of its authorization server's: false when it has
 * answered, true for every other path.
 *
 * @throws ResourceConfigError `issuer_insecure`, `issuer_malformed`, `resource_malformed`
 * @see W228
 */
export function mcpAuthMetadataRouter(options: AuthMetadataOptions): NodeRequestGuard {
  buildOAuthProtectedResourceMetadata(options);
  return (request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    const requestedHeaders = headerOf(request, 'access-control-request-headers');
    const answer = metadataAnswer({ method: request.method ?? 'GET', path, requestedHeaders }, options);
    if (answer !== undefined) write(answer, response);
    return answer === undefined;
  };
}

function write({ status, headers, body }: PlainAnswer, response: NodeServerResponseLike): void {
  response.writeHead(status, { ...headers });
  response.end(body);
}
