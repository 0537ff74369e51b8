import type { AuthorizationServerMetadata } from '../documents.ts';

/**
 * What is assumed of an authorization server that has no document: the places that the first revision with
 * authorization named, at its origin.
 */
export function assumedMetadata(server: string | URL): AuthorizationServerMetadata {
  const at = (path: string): string => new URL(path, server).href;
  return {
    issuer: String(server),
    authorization_endpoint: at('/authorize'),
    token_endpoint: at('/token'),
    response_types_supported: ['code'],
  };
}
