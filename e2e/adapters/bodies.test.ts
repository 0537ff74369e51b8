import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { McpServer, createMcpHandler } from '@portico/server';
import { httpRequest as webRequest } from '../../testing/mcp-http.ts';
import { ADAPTERS, closeHosts } from './hosts.ts';

afterAll(closeHosts);

const MIB = 1024 * 1024;
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A request that is JSON-RPC and has exactly so many bytes. */
function bodyOf(bytes: number): string {
  const start = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"pad":"';
  return `${start}${'x'.repeat(bytes - start.length - 3)}"}}`;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Posts parts one after the other; without a stated length they go as chunks. */
function send(
  url: URL,
  parts: readonly (string | Uint8Array)[],
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url,
      { method: 'POST', agent: false, headers: { ...HEADERS, ...headers } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    request.on('error', reject);
    for (const part of parts) request.write(part);
    request.end();
  });
}

const lengthOf = (text: string): Record<string, string> => ({
  'content-length': String(Buffer.byteLength(text)),
});

/** A request in chunks of 1 MiB. */
function chunksOf(bytes: number): string[] {
  const text = bodyOf(bytes);
  return Array.from({ length: Math.ceil(bytes / MIB) }, (_, index) =>
    text.slice(index * MIB, (index + 1) * MIB),
  );
}

describe.each(ADAPTERS)('a body on %s', (name, serve) => {
  const inflates = name === 'Express';
  const seen: string[] = [];
  const start = async (maxBodyBytes?: number): Promise<URL> => {
    seen.length = 0;
    const server = new McpServer({ name: 'bodies', version: '1' });
    server.server.setRequestHandler('ping', () => {
      seen.push('ping');
      return {};
    });
    const limit = maxBodyBytes === undefined ? {} : { maxBodyBytes };
    return (await serve(createMcpHandler(server, limit), limit)).url;
  };

  it('W238 may have 4 MiB and no more, with and without a stated length', async () => {
    const url = await start();
    const largest = bodyOf(4 * MIB);
    expect((await send(url, [largest], lengthOf(largest))).status).toBe(200);
    expect((await send(url, chunksOf(4 * MIB))).status).toBe(200);
    expect(seen).toHaveLength(2);
    const longer = bodyOf(4 * MIB + 1);
    expect((await send(url, [longer], lengthOf(longer))).status).toBe(413);
    const refused = await send(url, chunksOf(5 * MIB));
    expect(refused.status).toBe(413);
    expect(JSON.parse(refused.text)).toMatchObject({ jsonrpc: '2.0', error: { code: -32_600 } });
    expect(seen).toHaveLength(2);
  });

  it('W238 is bounded by the limit that is given', async () => {
    const url = await start(1000);
    expect((await send(url, [bodyOf(1000)])).status).toBe(200);
    expect((await send(url, [bodyOf(1001)])).status).toBe(413);
  });

  it('W238 that is packed counts unpacked where it is unpacked, and is refused elsewhere', async () => {
    const url = await start();
    const packed = { 'content-encoding': 'gzip' };
    const bomb = gzipSync(bodyOf(64 * MIB));
    expect(bomb.byteLength).toBeLessThan(MIB);
    expect((await send(url, [bomb], packed)).status).toBe(inflates ? 413 : 415);
    expect(seen).toHaveLength(0);
    expect((await send(url, [gzipSync(PING)], packed)).status).toBe(inflates ? 200 : 415);
  });

  it('that is no JSON is answered as the protocol says', async () => {
    const answer = await send(await start(), ['{"jsonrpc":']);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '2.0', error: { code: -32_700 } });
  });
});

describe('a body at the bare entry', () => {
  const handler = createMcpHandler(new McpServer({ name: 'bare', version: '1' }));

  /** A body of which nobody said how long it is. */
  async function stream(parts: readonly string[]): Promise<number> {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
        controller.close();
      },
    });
    const init = { method: 'POST', headers: { ...HEADERS, host: 'localhost' }, body, duplex: 'half' };
    return (await handler.fetch(new Request('http://localhost/mcp', init))).status;
  }

  it('W238 may have 4 MiB and no more, also without a stated length, and is not packed', async () => {
    expect(await stream(chunksOf(4 * MIB))).toBe(200);
    expect(await stream(chunksOf(5 * MIB))).toBe(413);
    for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'x-gzip']) {
      const request = webRequest(PING, { headers: { 'content-encoding': encoding } });
      expect([encoding, (await handler.fetch(request)).status]).toEqual([encoding, 415]);
    }
    const plain = webRequest(PING, { headers: { 'content-encoding': 'identity' } });
    expect((await handler.fetch(plain)).status).toBe(200);
  });
});
