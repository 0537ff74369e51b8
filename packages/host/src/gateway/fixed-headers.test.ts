import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Connector } from '@portico/api';
import { McpServer, createMcpHandler } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';

describe('fixed headers of an account', () => {
  let running: InProcessHost;
  let seen: IncomingHttpHeaders[];
  const handler = toNodeHandler(
    createMcpHandler(() => {
      const mcp = new McpServer({ name: 'headers', version: '1' });
      mcp.registerTool('echo', {}, () => ({ content: [{ type: 'text', text: 'ok' }] }));
      return mcp;
    }),
  );
  const server = createServer((request, response) => {
    // Whether it has a sign-in is asked without them.
    if (request.url === '/mcp') seen.push(request.headers);
    void handler(request, response);
  });
  beforeEach(async () => {
    seen = [];
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    running = await startInProcessHost();
  });
  afterEach(async () => {
    await running.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const input = (headers: Record<string, string | null>) => ({
    name: 'Keys',
    transport: {
      kind: 'http',
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
      headers,
    },
  });
  const call = async (connectorId: string): Promise<void> => {
    const { id } = await running.newConversation();
    const started = await running.call<{ id: string }>('POST', `/api/conversations/${id}/calls`, {
      connectorId,
      tool: 'echo',
      arguments: {},
    });
    await running.untilItem(
      id,
      (item) => item.id === started.id && item.type === 'tool_call' && item.status === 'done',
    );
  };
  const keys = (): Set<string | string[] | undefined> => new Set(seen.map((headers) => headers['x-api-key']));

  it("K50 go with every request, are each account's own, and change without reconnecting the other", async () => {
    const mine = await running.call<Connector>(
      'POST',
      '/api/connectors',
      input({ 'X-Api-Key': 'canary-one' }),
    );
    await running.untilConnector(mine.id, 'ready');
    const theirs = await running.call<Connector>('POST', `/api/connectors/${mine.id}/accounts`, {
      label: 'Work',
      values: { 'X-Api-Key': 'canary-two' },
    });
    await running.untilConnector(theirs.id, 'ready');
    // The last that is asked of a server when it is opened.
    await vi.waitFor(() =>
      expect(seen.filter((headers) => headers['mcp-method'] === 'subscriptions/listen')).toHaveLength(2),
    );
    seen = [];
    await call(mine.id);
    expect(keys()).toEqual(new Set(['canary-one']));
    seen = [];
    await call(theirs.id);
    expect(keys()).toEqual(new Set(['canary-two']));

    seen = [];
    await running.call('PUT', `/api/connectors/${mine.id}`, input({ 'X-Api-Key': 'canary-three' }));
    await call(mine.id);
    // Nothing of the other account was asked anew.
    expect(keys()).toEqual(new Set(['canary-three']));
    seen = [];
    await call(theirs.id);
    expect(seen.map((headers) => [headers['mcp-method'], headers['x-api-key']])).toEqual([
      ['tools/call', 'canary-two'],
    ]);
    expect(running.answers.join('')).not.toContain('canary');
  });

  it.each([
    ['a line feed in a value', { 'X-Key': 'a\nX-Evil: 1' }],
    ['a carriage return in a value', { 'X-Key': 'a\rb' }],
    ['both in a value', { 'X-Key': 'a\r\n\r\nGET / HTTP/1.1' }],
    ['a line separator in a value', { 'X-Key': 'a\u2028b' }],
    ['a next-line character in a value', { 'X-Key': 'a\u0085b' }],
    ['NUL in a value', { 'X-Key': 'a\0b' }],
    ['a line feed in a name', { 'X-Key\nX-Evil': '1' }],
    ['both in a name', { 'X-Key\r\nX-Evil': '1' }],
    ['a colon in a name', { 'X-Key: a': '1' }],
    ['a space in a name', { 'X Key': '1' }],
    ['a header of the transport', { Host: 'evil.example' }],
  ])('K50 refuse %s', async (_case, headers: Record<string, string>) => {
    const { status, text } = await running.request('POST', '/api/connectors', input(headers));
    expect([status, text.includes('canary')]).toEqual([400, false]);
    expect((await running.bootstrap()).connectors.filter(({ name }) => name === 'Keys')).toEqual([]);
    expect(seen).toEqual([]);
  });
});
