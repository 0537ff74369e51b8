import type { IncomingMessage, ServerResponse } from 'node:http';

/** Lets pages of every origin in, without cookies. @returns whether that was all they asked */
export function letPagesIn(request: IncomingMessage, response: ServerResponse): boolean {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-expose-headers', 'www-authenticate, mcp-session-id');
  if (request.method !== 'OPTIONS') return false;
  const asked = request.headers['access-control-request-headers'];
  if (asked !== undefined) response.setHeader('access-control-allow-headers', asked);
  response.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
  response.writeHead(204).end();
  return true;
}
