import { describe, expect, it } from 'vitest';
import { post } from '../../../../testing/mcp-http.ts';
import { modern } from '../../../../testing/mcp-wire.ts';
import { McpServer } from '../mcp/mcp-server.ts';
import { type CreateMcpHandlerOptions, createMcpHandler } from './create-mcp-handler.ts';
import { WebStandardStreamableHTTPServerTransport } from './web-standard-transport.ts';

const BODY = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: modern() };

async function status(
  headers: Record<string, string | null>,
  options: CreateMcpHandlerOptions = {},
): Promise<number> {
  const server = new McpServer({ name: 'guard', version: '1' }, { capabilities: { tools: {} } });
  return (await post(createMcpHandler(server, options), BODY, { headers })).status;
}

describe('who may talk to an endpoint', () => {
  it('is whoever addresses a loopback name, unless other hosts are listed', async () => {
    for (const host of ['localhost', 'localhost:3000', '127.0.0.1:80', '[::1]:3000', 'LOCALHOST']) {
      expect([host, await status({ host })]).toEqual([host, 200]);
    }
    for (const host of [
      'evil.test',
      'localhost.evil.test',
      '127.0.0.1.evil.test',
      'localhost@evil.test',
      '',
      null,
    ]) {
      expect([host, await status({ host })]).toEqual([host, 403]);
    }
    expect(await status({ host: 'mcp.example' }, { allowedHosts: ['mcp.example'] })).toBe(200);
    expect(await status({ host: 'localhost' }, { allowedHosts: ['mcp.example'] })).toBe(403);
    expect(await status({ host: 'anything.test' }, { allowedHosts: ['*'] })).toBe(200);
  });

  it('is no foreign page', async () => {
    for (const origin of [
      'http://localhost',
      'http://localhost:5173',
      'http://127.0.0.1',
      'https://[::1]:8443',
    ]) {
      expect([origin, await status({ origin })]).toEqual([origin, 200]);
    }
    for (const origin of [
      'https://evil.test',
      'null',
      'nonsense',
      'file://',
      'https://localhost.evil.test',
      'http://localhost/path',
    ]) {
      expect([origin, await status({ origin })]).toEqual([origin, 403]);
    }
    const listed = { allowedOrigins: ['https://app.example', 'trusted.example'] };
    expect(await status({ origin: 'https://app.example' }, listed)).toBe(200);
    expect(await status({ origin: 'http://app.example' }, listed)).toBe(403);
    expect(await status({ origin: 'https://trusted.example:8443' }, listed)).toBe(200);
    expect(await status({ origin: 'http://127.0.0.1' }, listed)).toBe(403);
    expect(await status({ origin: 'http://localhost' }, listed)).toBe(200);
  });

  it('is a page of the endpoint’s own host', async () => {
    const options = { allowedHosts: ['mcp.example'] };
    expect(await status({ host: 'mcp.example', origin: 'https://mcp.example' }, options)).toBe(200);
    expect(await status({ host: 'mcp.example', origin: 'https://other.example' }, options)).toBe(403);
    expect(await status({ host: 'mcp.example', origin: 'http://localhost' }, options)).toBe(403);
  });

  it('is told which header was refused, in a body without an id', async () => {
    const server = new McpServer({ name: 'guard', version: '1' });
    const reply = await post(createMcpHandler(server), BODY, { headers: { host: 'evil.test' } });
    expect(reply.message).toEqual({
      jsonrpc: '2.0',
      error: { code: -32_600, message: 'Host "evil.test" is not allowed here.' },
    });
  });
});

describe('without anything in front', () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const origins: readonly [origin: string | null, listed: boolean, status: number][] = [
    [null, false, 200],
    ['https://mcp.example', false, 200],
    ['https://evil.test', false, 403],
    ['null', false, 403],
    ['nonsense', false, 403],
    ['https://app.example', false, 403],
    ['https://app.example', true, 200],
    ['https://mcp.example', true, 200],
    // Another port is another origin, also on the same host.
    ['https://mcp.example:8443', true, 403],
    ['https://mcp.example:8443', false, 403],
    ['https://evil.test', true, 403],
    ['null', true, 403],
  ];

  it('W237 the entry and the hand-wired transport refuse pages that are neither listed nor their own', async () => {
    for (const [origin, listed, expected] of origins) {
      const allowedOrigins = listed ? { allowedOrigins: ['https://app.example'] } : {};
      const headers = { host: 'mcp.example', origin };
      const make = (): McpServer => new McpServer({ name: 'guard', version: '1' });
      const entry = createMcpHandler(make, { allowedHosts: ['mcp.example'], ...allowedOrigins });
      const transport = new WebStandardStreamableHTTPServerTransport(allowedOrigins);
      await make().connect(transport);
      const fetch = (request: Request): Promise<Response> => transport.handleRequest(request);
      const statuses = [
        (await post(entry, body, { headers })).status,
        (await post(entry, BODY, { headers })).status === 403 ? 403 : 200,
        (await post({ fetch }, body, { headers })).status,
      ];
      expect([origin, listed, ...statuses]).toEqual([origin, listed, expected, expected, expected]);
    }
  });

  it('the hand-wired transport checks hosts when it is told to', async () => {
    const statusOf = async (host: string | null, allowedHosts?: string[]): Promise<number> => {
      const transport = new WebStandardStreamableHTTPServerTransport({
        enableDnsRebindingProtection: true,
        ...(allowedHosts === undefined ? {} : { allowedHosts }),
      });
      await new McpServer({ name: 'guard', version: '1' }).connect(transport);
      const fetch = (request: Request): Promise<Response> => transport.handleRequest(request);
      return (await post({ fetch }, body, { headers: { host } })).status;
    };
    expect(await statusOf('localhost:3000')).toBe(200);
    expect(await statusOf('evil.test')).toBe(403);
    expect(await statusOf(null)).toBe(403);
    expect(await statusOf('mcp.example:8443', ['mcp.example:3000'])).toBe(200);
    expect(await statusOf('localhost', ['mcp.example'])).toBe(403);
  });
});
