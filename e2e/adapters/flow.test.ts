import { StreamableHTTPClientTransport } from '@portico/client';
import { createMcpHandler } from '@portico/server';
import { StreamableHTTPClientTransport as OfficialTransport } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it } from 'vitest';
import { postJson } from '../../testing/http.ts';
import { itConverses, itInteroperates } from '../interop/behaviour.ts';
import { createOurServer } from '../interop/fixtures/our-server.ts';
import { type InteropClient, officialV2Client, ourClient } from '../interop/interop-client.ts';
import { ADAPTERS, closeHosts } from './hosts.ts';

afterAll(closeHosts);

describe.each(ADAPTERS)('a handler on %s', (_name, serve) => {
  const start = async (): Promise<URL> =>
    (await serve(createMcpHandler(createOurServer(), { legacy: 'sessions' }))).url;
  const ours = async (mode: 'auto' | 'legacy'): Promise<InteropClient> =>
    ourClient(new StreamableHTTPClientTransport(await start()), mode);
  const official = async (mode: 'auto' | 'legacy'): Promise<InteropClient> =>
    officialV2Client(new OfficialTransport(await start()), mode);

  describe.each([
    ['our client, modern', { era: 'modern', connect: () => ours('auto') }],
    ['our client, legacy', { era: 'legacy', connect: () => ours('legacy') }],
    [
      'the official client, modern',
      { era: 'modern', connect: () => official('auto'), progressMayBeLost: true },
    ],
    [
      'the official client, legacy',
      { era: 'legacy', connect: () => official('legacy'), progressMayBeLost: true },
    ],
  ] as const)('serves %s', (_client, pairing) => {
    itInteroperates(pairing);
    itConverses(pairing);
  });

  it('W235 serves a handshake, lists and calls to both clients in both eras, and adds nothing', async () => {
    for (const client of [
      await ours('auto'),
      await ours('legacy'),
      await official('auto'),
      await official('legacy'),
    ]) {
      expect(client.serverName()).toBe('interop');
      expect(await client.toolNames()).toContain('echo');
      expect(await client.call('echo', { text: 'ship' })).toMatchObject({ text: 'ship', isError: false });
      await client.close();
    }
    // What a client reads of the protocol's headers is the handler's own, whatever carries it.
    const { url } = await serve(createMcpHandler(createOurServer()));
    const answer = await postJson(
      url.href,
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      {
        headers: { accept: 'application/json, text/event-stream' },
      },
    );
    expect(answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    const names = Object.keys(answer.headers).filter((name) => name.startsWith('mcp-'));
    expect(names).toEqual([]);
  });
});
