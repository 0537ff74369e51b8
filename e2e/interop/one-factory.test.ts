import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@portico/client';
import { StdioClientTransport } from '@portico/client/stdio';
import type { Transport } from '@portico/rpc';
import { createMcpHandler } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tellEra } from './fixtures/era-teller.ts';
import { type ProgramBundle, bundlePrograms } from './program-bundle.ts';

let programs: ProgramBundle;
beforeAll(async () => {
  programs = await bundlePrograms(['era-teller-stdio']);
}, 60_000);
afterAll(() => programs.remove());

async function told(transport: Transport, options: ClientOptions = {}): Promise<unknown> {
  const client = new Client({ name: 'c', version: '1' }, options);
  await client.connect(transport);
  const { content } = await client.callTool({ name: 'era' });
  await client.close();
  return content;
}

const text = (value: string): unknown => [{ type: 'text', text: value }];
const AUTO: ClientOptions = { versionNegotiation: { mode: 'auto' } };

describe('one factory', () => {
  it.each(['sessions', 'stateless'] as const)(
    'W48 serves clients of both eras on one address and learns the era of each, legacy ones %s',
    async (legacy) => {
      const handler = createMcpHandler(tellEra, { legacy });
      const listening = createServer((request, response) => void toNodeHandler(handler)(request, response));
      await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
      const { port } = listening.address() as AddressInfo;
      const open = (): Transport =>
        new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${String(port)}/mcp`));
      const [asUsual, auto] = await Promise.all([told(open()), told(open(), AUTO)]);
      expect(asUsual).toEqual(text('made for legacy, used in legacy'));
      expect(auto).toEqual(text('made for modern, used in modern'));
      await handler.close();
      listening.closeAllConnections();
      await new Promise((resolve) => listening.close(resolve));
    },
  );

  it('W48 serves clients of both eras as a child and learns the era of each', async () => {
    const open = (): Transport =>
      new StdioClientTransport({ command: process.execPath, args: [programs.pathOf('era-teller-stdio')] });
    expect(await told(open())).toEqual(text('made for legacy, used in legacy'));
    expect(await told(open(), AUTO)).toEqual(text('made for modern, used in modern'));
    const pinned: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
    expect(await told(open(), pinned)).toEqual(text('made for modern, used in modern'));
  });

  it('W48 looks at the body: the header is only compared with it', async () => {
    const handler = createMcpHandler(tellEra);
    const call = async (version: string | undefined, modern: boolean): Promise<unknown> => {
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const params = { name: 'era', ...(modern ? { _meta: meta } : {}) };
      const headers = {
        host: 'localhost',
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-method': 'tools/call',
        'mcp-name': 'era',
        ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
      };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const response = await handler.fetch(
        new Request('http://localhost/mcp', { method: 'POST', headers, body }),
      );
      const answer = (await response.json()) as { result?: { content: unknown }; error?: { code: number } };
      return answer.result?.content ?? answer.error?.code;
    };
    expect(await call('2026-07-28', true)).toEqual(text('made for modern, used in modern'));
    expect(await call('2025-11-25', true)).toBe(-32_020);
    expect(await call(undefined, true)).toBe(-32_020);
    expect(await call('2025-11-25', false)).toEqual(text('made for legacy, used in legacy'));
    expect(await call('2026-07-28', false)).toBe(-32_602);
    await handler.close();
  });
});
