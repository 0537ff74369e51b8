import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer, createMcpHandler } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';
import type { AuthorizationServer } from './authorization-server.ts';

/** An MCP server on this machine whose door an authorization server guards. */
export interface GuardedServer {
  readonly url: string;
  /** Authorization headers, one for each request to the endpoint. */
  readonly seen: (string | undefined)[];
  /** From now on every token that was handed out so far is refused. */
  refuseOldTokens(): void;
  close(): Promise<void>;
}

export interface GuardedServerOptions {
  /** Document at `/page`, for whoever needs one of the server’s own origin. */
  readonly page?: string;
}

/** Has one tool, `whoami`, which answers the scopes of the token that it was called with. */
export async function startGuardedServer(
  guard: Pick<AuthorizationServer, 'issuer' | 'verify'>,
  options: GuardedServerOptions = {},
): Promise<GuardedServer> {
  const seen: (string | undefined)[] = [];
  const refused = new Set<string>();
  const good = new Set<string>();
  const handler = toNodeHandler(
    createMcpHandler(() => {
      const server = new McpServer({ name: 'protected', version: '1' });
      server.registerTool('whoami', {}, () => ({ content: [{ type: 'text', text: 'you' }] }));
      return server;
    }),
  );
  const tokenOf = ({ headers }: IncomingMessage): string =>
    headers.authorization?.slice('Bearer '.length) ?? '';
  const http = createServer((request, response) => {
    void (async () => {
      if (request.url?.startsWith('/.well-known/oauth-protected-resource') === true) {
        const body = { resource: url, authorization_servers: [guard.issuer], scopes_supported: ['read'] };
        response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
        return;
      }
      if (options.page !== undefined && request.url === '/page') {
        response.setHeader('content-type', 'text/html; charset=utf-8').end(options.page);
        return;
      }
      seen.push(request.headers.authorization);
      const token = tokenOf(request);
      const isGood = !refused.has(token) && (await guard.verify(token)) !== undefined;
      if (!isGood) {
        response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token", scope="read"' }).end();
        return;
      }
      good.add(token);
      await handler(request, response);
    })();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  return {
    url,
    seen,
    refuseOldTokens() {
      for (const token of good) refused.add(token);
    },
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
