import {
  type AuthInfo,
  type AuthMetadataOptions,
  buildOAuthProtectedResourceMetadata,
  oauthMetadataResponse,
  requireBearerAuth as createGate,
  type VerifyBearerTokenOptions,
} from '@portico/oauth/resource';
import type { MiddlewareHandler } from 'hono';

/** What `requireBearerAuth` puts into the context. */
export interface BearerAuthVariables {
  readonly authInfo: AuthInfo;
}

/**
 * Turns requests without a good token away, and puts what is known of the rest at
 * `c.get('authInfo')`, to be handed to the handler as `{ authInfo }`.
 * @see W229, W230, W231, W232
 */
export function requireBearerAuth(
  options: VerifyBearerTokenOptions,
): MiddlewareHandler<{ Variables: BearerAuthVariables }> {
  const gate = createGate(options);
  return async (context, next) => {
    const verdict = await gate(context.req.raw);
    if (verdict instanceof Response) return verdict;
    context.set('authInfo', verdict);
    return next();
  };
}

/**
 * Serves the document of the resource and the mirror of its authorization server's; use it for `*`.
 *
 * @throws ResourceConfigError `issuer_insecure`, `issuer_malformed`, `resource_malformed`
 * @see W228
 */
export function mcpAuthMetadataRouter(options: AuthMetadataOptions): MiddlewareHandler {
  buildOAuthProtectedResourceMetadata(options);
  return async (context, next) => oauthMetadataResponse(context.req.raw, options) ?? next();
}
