import { Client, InMemoryTransport } from '@portico/client';
import { Server } from '@portico/server';
import { isMetaKey, isReservedMetaKey } from '@portico/spec';
import { describe, expect, it } from 'vitest';

describe('_meta', () => {
  it.each(['legacy', 'auto'] as const)(
    'W13 reaches handler and caller whole, negotiated as %s',
    async (mode) => {
      const sent = {
        'com.example/deep': { list: [1, { a: null }], text: 'é' },
        'com.example.mcp/x': true,
        plain: 0,
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      };
      const returned = { 'org.example/back': [{ deep: { er: 1 } }], other: '' };
      const seen: unknown[] = [];
      const server = new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
        seen.push(mcpReq._meta, params._meta);
        return { content: [], _meta: returned };
      });
      const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode } });
      const [left, right] = InMemoryTransport.createLinkedPair();
      await server.connect(right);
      await client.connect(left);
      const result = await client.request({ method: 'tools/call', params: { name: 'a', _meta: sent } });
      expect(seen).toEqual([sent, sent]);
      expect(result._meta).toMatchObject(returned);
      await client.close();
    },
  );

  it.each([
    ['name', true, false],
    ['a', true, false],
    ['n.a-m_e1', true, false],
    ['com.example/', true, false],
    ['com.example/name', true, false],
    ['com.example.mcp/x', true, false],
    ['mcp/x', true, false],
    ['dev.mcp/x', true, true],
    ['io.modelcontextprotocol/x', true, true],
    ['modelcontextprotocol.io/x', true, false],
    ['tools.mcp.com/x', true, true],
    ['api.modelcontextprotocol.org/x', true, true],
    ['1com.example/x', false, false],
    ['com..example/x', false, false],
    ['com.example-/x', false, false],
    ['com.example/-x', false, false],
    ['com.example/x-', false, false],
    ['/x', false, false],
    ['a b', false, false],
    ['', true, false],
  ])('W13 key %j: well formed %s, reserved %s', (key, wellFormed, reserved) => {
    expect([isMetaKey(key), isReservedMetaKey(key)]).toEqual([wellFormed, reserved]);
  });
});
