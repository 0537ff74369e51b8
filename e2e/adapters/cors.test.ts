import { afterAll, describe, expect, it } from 'vitest';
import { Client, StreamableHTTPClientTransport } from '@portico/client';
import { type CorsOptions, McpServer, createMcpHandler, withCors } from '@portico/server';
import { httpRequest } from '../../testing/mcp-http.ts';
import { browserFetch } from './browser-fetch.ts';
import { ADAPTERS, closeHosts } from './hosts.ts';

afterAll(closeHosts);

const PAGE = 'https://app.example';

function createServer(): McpServer {
  const server = new McpServer({ name: 'cors', version: '1' });
  const inputSchema = {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  } as const;
  server.registerTool('route', { inputSchema }, () => ({ content: [{ type: 'text', text: 'routed' }] }));
  return server;
}

const handlerFor = (options: CorsOptions) =>
  withCors(
    createMcpHandler(createServer(), { legacy: 'sessions', allowedOrigins: [PAGE, 'https://other.example'] }),
    options,
  );

const allowedOrigins = ['app.example', 'other.example'];

describe.each(ADAPTERS)('a page of another origin and a server on %s', (_name, serve) => {
  it('W239 work together in both eras, down to the session id', async () => {
    for (const options of [{ origins: [PAGE] }, { origins: '*' as const }]) {
      const { url } = await serve(handlerFor(options), { allowedOrigins });
      for (const mode of ['legacy', 'auto'] as const) {
        const transport = new StreamableHTTPClientTransport(url, { fetch: browserFetch(PAGE) });
        const client = new Client({ name: 'page', version: '1' }, { versionNegotiation: { mode } });
        await client.connect(transport);
        expect(transport.sessionId === undefined).toBe(mode === 'auto');
        await client.listTools();
        const { content } = await client.callTool({ name: 'route', arguments: { region: 'eu' } });
        expect(content).toEqual([{ type: 'text', text: 'routed' }]);
        await client.close();
      }
    }
  });

  it('W239 stay apart when the page is not named', async () => {
    const { url } = await serve(handlerFor({ origins: [PAGE] }), { allowedOrigins });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    await expect(browserFetch('https://other.example')(url, init)).rejects.toThrow('blocked by CORS');
    expect((await browserFetch(PAGE)(url, init)).status).toBe(400);
  });
});

describe('the CORS helper', () => {
  const ask = async (
    options: CorsOptions,
    headers: Record<string, string>,
    method = 'OPTIONS',
  ): Promise<Headers> => (await handlerFor(options).fetch(httpRequest('', { method, headers }))).headers;

  it('W239 answers a preflight with the headers of the protocol, and of tool parameters that are asked for', async () => {
    const headers = {
      origin: PAGE,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'mcp-param-region, x-else, mcp-param-\u00e9, mcp-name',
    };
    const answer = await ask({ origins: [PAGE], requestHeaders: ['X-Own'] }, headers);
    const allowed = (answer.get('access-control-allow-headers') ?? '').toLowerCase().split(', ');
    expect(allowed.sort()).toEqual(
      [
        'accept',
        'authorization',
        'content-type',
        'dpop',
        'last-event-id',
        'mcp-method',
        'mcp-name',
        'mcp-param-region',
        'mcp-protocol-version',
        'mcp-session-id',
        'x-own',
      ].sort(),
    );
    expect(answer.get('access-control-allow-methods')).toBe('GET, POST, DELETE, OPTIONS');
    expect(answer.get('access-control-allow-origin')).toBe(PAGE);
    expect(answer.get('vary')).toBe('Origin');
  });

  it('W239 exposes the session id, version and challenge headers', async () => {
    const answer = await ask({ origins: '*', exposedHeaders: ['X-Own'] }, { origin: PAGE }, 'POST');
    expect((answer.get('access-control-expose-headers') ?? '').toLowerCase().split(', ').sort()).toEqual([
      'dpop-nonce',
      'mcp-protocol-version',
      'mcp-session-id',
      'www-authenticate',
      'x-own',
    ]);
  });

  it('W239 never combines credentials with a wildcard', async () => {
    for (const origins of ['*', ['*'], [PAGE, '*']] as const) {
      expect(() => handlerFor({ origins, credentials: true })).toThrow(
        expect.objectContaining({ code: 'INVALID_CORS_OPTIONS' }),
      );
      const answer = await ask({ origins }, { origin: PAGE }, 'POST');
      expect(answer.get('access-control-allow-origin')).toBe('*');
      expect(answer.get('access-control-allow-credentials')).toBeNull();
    }
    const named = await ask({ origins: [PAGE], credentials: true }, { origin: PAGE }, 'POST');
    expect(named.get('access-control-allow-origin')).toBe(PAGE);
    expect(named.get('access-control-allow-credentials')).toBe('true');
    const other = await ask(
      { origins: [PAGE], credentials: true },
      { origin: 'https://other.example' },
      'POST',
    );
    expect(other.get('access-control-allow-origin')).toBeNull();
    expect(other.get('access-control-allow-credentials')).toBeNull();
  });
});
