import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as official from '@modelcontextprotocol/client';
import { Client, StreamableHTTPClientTransport } from '@portico/client';
import {
  type AuthInfo,
  McpServer,
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  requireScopes,
  withBearerAuth,
} from '@portico/server';
import { type AuthRouterOptions, InMemoryOAuthProvider, createAuthRouter } from '@portico/server/auth';
import { createMcpExpressApp, mcpAuthRouter, requireBearerAuth } from '@portico/server/express';
import { toNodeHandler } from '@portico/server/node';
import { afterAll, describe, expect, it } from 'vitest';
import { type ManualClock, createManualClock } from '../../testing/manual-clock.ts';
import { MemoryProvider } from '../../testing/memory-provider.ts';

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

function makeServer(): McpServer {
  const server = new McpServer({ name: 'guarded', version: '1' });
  const whoami = ({
    http,
  }: {
    http: { authInfo?: AuthInfo } | undefined;
  }): { content: { type: 'text'; text: string }[] } => {
    const { clientId = '', scopes = [], extra } = http?.authInfo ?? {};
    return { content: [{ type: 'text', text: JSON.stringify([clientId !== '', extra?.['sub'], scopes]) }] };
  };
  server.registerTool('whoami', {}, whoami);
  server.registerTool('purge', { scopeChallenge: requireScopes('notes:write') }, whoami);
  return server;
}

interface Guarded {
  readonly url: URL;
  readonly clock: ManualClock;
  /** Requests to the MCP endpoint that came without a token. */
  readonly bare: string[];
}

type Mount = (options: AuthRouterOptions, resource: URL) => (request: never, response: never) => void;

const onExpress: Mount = (options, resource) => {
  const app = createMcpExpressApp();
  app.use(mcpAuthRouter(options));
  const { provider: verifier, clock } = options;
  const gate = requireBearerAuth({
    verifier,
    requiredScopes: ['notes:read'],
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resource),
    expectedResource: resource,
    ...(clock === undefined ? {} : { clock }),
  });
  const serve = toNodeHandler(createMcpHandler(makeServer));
  app.all('/mcp', gate, (request, response) => void serve(request, response, request.body));
  return app as unknown as ReturnType<Mount>;
};

const onFetch: Mount = (options, resource) => {
  const router = createAuthRouter(options);
  const { provider: verifier, clock } = options;
  const mcp = withBearerAuth(createMcpHandler(makeServer), {
    verifier,
    requiredScopes: ['notes:read'],
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resource),
    expectedResource: resource,
    ...(clock === undefined ? {} : { clock }),
  });
  const fetch = async (request: Request): Promise<Response> =>
    (await router.fetch(request)) ?? mcp.fetch(request);
  return toNodeHandler({ fetch }) as unknown as ReturnType<Mount>;
};

async function start(mount: Mount): Promise<Guarded> {
  let listener: ReturnType<Mount> = () => undefined;
  const bare: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/mcp' && request.headers.authorization === undefined)
      bare.push(request.method ?? '');
    listener(request as never, response as never);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  const url = new URL('/mcp', origin);
  const clock = createManualClock(Date.now());
  const provider = new InMemoryOAuthProvider({
    approve: () => ({ subject: 'ada' }),
    resources: [url],
    clock,
  });
  const options = { provider, clock, issuerUrl: new URL(origin), resourceServerUrl: url };
  listener = mount({ ...options, scopesSupported: ['notes:read', 'notes:write'] }, url);
  return { url, clock, bare };
}

/** The person’s browser: goes where it is sent, and brings back what the callback was given. */
async function browse(address: URL | undefined): Promise<URLSearchParams> {
  const answer = await fetch(address ?? '', { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? 'about:blank').searchParams;
}

interface Session {
  readonly connect: () => Promise<void>;
  readonly call: (name: string) => Promise<unknown>;
  readonly finish: (params: URLSearchParams) => Promise<void>;
  readonly close: () => Promise<void>;
}

const textOf = (result: object): unknown =>
  JSON.parse((result as { content: { text: string }[] }).content[0]?.text ?? 'null');

const CLIENTS: readonly (readonly [string, (url: URL, provider: MemoryProvider) => Session])[] = [
  [
    'our client',
    (url, authProvider) => {
      const client = new Client({ name: 'c', version: '1' });
      const transport = new StreamableHTTPClientTransport(url, { authProvider });
      return {
        connect: () => client.connect(transport),
        call: async (name) => textOf(await client.callTool({ name })),
        finish: (params) => transport.finishAuth(params),
        close: () => client.close(),
      };
    },
  ],
  [
    'the official client',
    (url, provider) => {
      const client = new official.Client({ name: 'c', version: '1' });
      const authProvider = provider as unknown as official.OAuthClientProvider;
      const transport = new official.StreamableHTTPClientTransport(url, { authProvider });
      return {
        connect: () => client.connect(transport),
        call: async (name) => textOf(await client.callTool({ name })),
        finish: (params) => transport.finishAuth(params),
        close: () => client.close(),
      };
    },
  ],
];

describe.each([
  ['Express', onExpress],
  ['fetch', onFetch],
] as const)('our server and router on %s', (_host, mount) => {
  it.each(CLIENTS)(
    'W233 sign %s in, ask it for more scopes and refresh its tokens',
    async (_client, open) => {
      const { url, clock, bare } = await start(mount);
      const provider = new MemoryProvider({
        clientMetadata: {
          client_name: 'test',
          redirect_uris: ['http://localhost:3000/callback'],
          grant_types: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_method: 'none',
        },
      });
      const first = open(url, provider);
      await expect(first.connect()).rejects.toMatchObject({ name: 'UnauthorizedError' });
      expect(Object.fromEntries(provider.asked)).toMatchObject({
        scope: 'notes:read',
        resource: url.href,
        code_challenge_method: 'S256',
      });
      await first.finish(await browse(provider.redirects.at(-1)));
      await first.close();
      const before = bare.length;

      const session = open(url, provider);
      await session.connect();
      expect(await session.call('whoami')).toEqual([true, 'ada', ['notes:read']]);
      // A tool that needs more sends the person off once more.
      await expect(session.call('purge')).rejects.toMatchObject({ name: 'UnauthorizedError' });
      expect(new Set(provider.asked.get('scope')?.split(' '))).toEqual(
        new Set(['notes:read', 'notes:write']),
      );
      await session.finish(await browse(provider.redirects.at(-1)));
      expect(await session.call('purge')).toEqual([true, 'ada', ['notes:read', 'notes:write']]);
      // A token that has ended here is refreshed without anybody.
      const { access_token: ended, refresh_token: used } = provider.stored ?? {};
      await clock.advance(3_600_000);
      expect(await session.call('whoami')).toEqual([true, 'ada', ['notes:read', 'notes:write']]);
      expect(provider.stored?.access_token).not.toBe(ended);
      expect(provider.stored?.refresh_token).not.toBe(used);
      expect(provider.redirects).toHaveLength(2);
      expect(bare).toHaveLength(before);
      await session.close();
    },
  );
});
