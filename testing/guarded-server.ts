import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallToolResult } from '@portico/spec';
import { McpServer, createMcpHandler } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';
import type { AuthorizationServer } from './authorization-server.ts';
import { letPagesIn } from './cors.ts';

/** An MCP server on this machine whose door an authorization server guards. */
export interface GuardedServer {
  readonly url: string;
  /** Authorization headers, one for each request to the endpoint. */
  readonly seen: (string | undefined)[];
  /** How often the tool ran. */
  readonly runs: number;
  /** What is waited for before the tool answers. */
  beforeAnswer: () => Promise<void>;
  /** From now on every token that was handed out so far is refused. */
  refuseOldTokens(): void;
  close(): Promise<void>;
}

/** A request to the server, as its door sees it. */
export interface GuardedRequest {
  /** What it asks for; empty where that is in the body only. */
  readonly method: string;
  /** Of its token, which is good; undefined without one. */
  readonly scopes: readonly string[] | undefined;
}

export interface GuardedServerOptions {
  /** Document at `/page`, for whoever needs one of the server’s own origin. */
  readonly page?: string;
  /** Whether pages of other origins may ask; false by default. */
  readonly letsPagesIn?: boolean;
  /** Turns a request away; by default one without a good token. */
  readonly refuse?: (request: GuardedRequest) => { status: number; challenge?: string } | undefined;
  /** What the tool answers whoever has a token of these scopes, or none; by default that it is they. */
  readonly answer?: (scopes: readonly string[] | undefined) => CallToolResult | undefined;
  /** Whether it says who guards it; true by default. */
  readonly publishes?: boolean;
}

const NO_TOKEN = { status: 401, challenge: 'Bearer error="invalid_token", scope="read"' };

/** Has one tool, `whoami`, which answers the scopes of the token that it was called with. */
export async function startGuardedServer(
  guard: Pick<AuthorizationServer, 'issuer' | 'verify'>,
  options: GuardedServerOptions = {},
): Promise<GuardedServer> {
  const refuse = options.refuse ?? (({ scopes }) => (scopes === undefined ? NO_TOKEN : undefined));
  const seen: (string | undefined)[] = [];
  const refused = new Set<string>();
  const good = new Set<string>();
  let runs = 0;
  /** Scopes of the newest request. */
  let newest: readonly string[] | undefined;
  const handler = toNodeHandler(
    createMcpHandler(() => {
      const server = new McpServer({ name: 'protected', version: '1' });
      server.registerTool('whoami', {}, async () => {
        runs += 1;
        await own.beforeAnswer();
        const you: CallToolResult = { content: [{ type: 'text', text: 'you' }] };
        return options.answer?.(newest) ?? you;
      });
      return server;
    }),
  );
  const tokenOf = ({ headers }: IncomingMessage): string =>
    headers.authorization?.slice('Bearer '.length) ?? '';
  const http = createServer((request, response) => {
    if (options.letsPagesIn === true && letPagesIn(request, response)) return;
    void (async () => {
      if (request.url?.startsWith('/.well-known/') === true) {
        if (options.publishes === false || !request.url.includes('oauth-protected-resource')) {
          response.writeHead(404).end();
          return;
        }
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
      const scopes = refused.has(token) ? undefined : (await guard.verify(token))?.scopes;
      const refusal = refuse({ method: String(request.headers['mcp-method'] ?? ''), scopes });
      if (refusal !== undefined) {
        const { status, challenge } = refusal;
        response.writeHead(status, challenge === undefined ? {} : { 'www-authenticate': challenge }).end();
        return;
      }
      if (scopes !== undefined) good.add(token);
      newest = scopes;
      await handler(request, response);
    })();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const own: GuardedServer = {
    url,
    seen,
    get runs() {
      return runs;
    },
    beforeAnswer: () => Promise.resolve(),
    refuseOldTokens() {
      for (const token of good) refused.add(token);
    },
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return own;
}
