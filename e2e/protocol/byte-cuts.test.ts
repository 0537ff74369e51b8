import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { Client, SSEClientTransport } from '@portico/client';
import { StdioClientTransport } from '@portico/client/stdio';
import { ReadBuffer, createLineReader, createSseParser, serializeLine } from '@portico/rpc';
import { createMcpHandler } from '@portico/server';
import { StdioServerTransport, serveStdio } from '@portico/server/stdio';
import { describe, expect, it } from 'vitest';
import { openHttpPeer } from '../../testing/http-peer.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { httpRequest, readReply } from '../../testing/mcp-http.ts';
import { modern } from '../../testing/mcp-wire.ts';
import { CLIENT_ROUTES } from './client-routes.ts';
import { createTestServer, until } from './test-server.ts';

const TOOL = { name: 'rd', description: '讀檔 — café 🎉', inputSchema: { type: 'object' } };
const MESSAGE = { jsonrpc: '2.0', id: 7, result: { tools: [TOOL] } } as const;
const encoder = new TextEncoder();

/** The bytes cut in two at each place, then one by one. */
function cutsOf(bytes: Uint8Array): readonly (readonly Uint8Array[])[] {
  const inTwo = Array.from({ length: bytes.length + 1 }, (_, at) => [
    bytes.subarray(0, at),
    bytes.subarray(at),
  ]);
  return [...inTwo, Array.from(bytes, (byte) => Uint8Array.of(byte))];
}

const streamOf = (chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) if (chunk.length > 0) controller.enqueue(chunk);
      controller.close();
    },
  });

describe('text cut anywhere', () => {
  it('field-D2 is the same for the readers of lines, of messages and of events', () => {
    const line = `${JSON.stringify(MESSAGE)}\n`;
    for (const chunks of cutsOf(encoder.encode(line))) {
      const lines: unknown[] = [];
      const reader = createLineReader({
        onLine: (text) => lines.push(JSON.parse(text)),
        onError: (error) => lines.push(error),
      });
      const buffer = new ReadBuffer();
      for (const chunk of chunks) {
        reader.push(chunk);
        buffer.append(chunk);
      }
      expect(lines).toEqual([MESSAGE]);
      expect([buffer.readMessage(), buffer.readMessage()]).toEqual([MESSAGE, null]);
    }
    for (const chunks of cutsOf(encoder.encode(`data: ${line}\n`))) {
      const events: unknown[] = [];
      const parser = createSseParser({
        onEvent: ({ data }) => events.push(JSON.parse(data)),
        onError: (error) => events.push(error),
      });
      for (const chunk of chunks) parser.push(chunk);
      expect(events).toEqual([MESSAGE]);
    }
  });

  it.each([
    ['legacy', 'application/json'],
    ['legacy', 'text/event-stream'],
    ['modern', 'application/json'],
    ['modern', 'text/event-stream'],
  ] as const)('field-D2 is the same in %s answers as %s', async (era, type) => {
    let cut = 0;
    const result = { resultType: 'complete', tools: [TOOL] };
    const bytesFor = (id: unknown): Uint8Array => {
      const text = JSON.stringify({ jsonrpc: '2.0', id, result });
      return encoder.encode(type === 'application/json' ? text : `data: ${text}\n\n`);
    };
    const { client, errors } = await openHttpPeer(
      era,
      ({ body, method }) => {
        if (method === 'GET') return new Response(null, { status: 405 });
        const cuts = cutsOf(bytesFor(body?.id));
        return new Response(streamOf(cuts[cut] ?? cuts.at(-1) ?? []), { headers: { 'content-type': type } });
      },
      { clock: createManualClock() },
    );
    const count = cutsOf(bytesFor(999)).length;
    for (cut = 0; cut < count; cut += 1) {
      expect((await client.request({ method: 'tools/list' }))['tools']).toEqual([TOOL]);
    }
    expect(errors).toEqual([]);
    await client.close();
  });

  it('field-D2 is the same in the bodies that a server reads, and in what it gets on its input', async () => {
    const value = TOOL.description;
    const body = (id: number): object => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: modern({ name: 'echo', arguments: { value } }),
    });
    const { make } = createTestServer();
    const handler = createMcpHandler(make);
    for (const chunks of cutsOf(encoder.encode(JSON.stringify(body(1))))) {
      const { url, headers } = httpRequest(body(1));
      const init = { method: 'POST', headers, body: streamOf(chunks), duplex: 'half' };
      const reply = await readReply(await handler.fetch(new Request(url, init as RequestInit)));
      expect(reply.message).toMatchObject({ id: 1, result: { content: [{ text: value }] } });
    }
    await handler.close();

    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const answers: string[] = [];
    stdout.setEncoding('utf8').on('data', (chunk: string) => answers.push(chunk));
    const transport = new StdioServerTransport(stdin, stdout, { clock: createManualClock() });
    const handle = serveStdio(make, { transport });
    const cutsFor = (id: number): ReturnType<typeof cutsOf> =>
      cutsOf(encoder.encode(`${JSON.stringify(body(id))}\n`));
    const cuts = cutsFor(1000);
    for (const index of cuts.keys()) {
      for (const chunk of cutsFor(1000 + index)[index] ?? []) if (chunk.length > 0) stdin.write(chunk);
    }
    const told = (): unknown[] => answers.join('').split('\n').filter(Boolean);
    await until(() => told().length === cuts.length, 'all answers');
    for (const line of told()) {
      expect(JSON.parse(String(line))).toMatchObject({ result: { content: [{ text: value }] } });
    }
    await handle.close();
  });

  it('field-D2 is the same on the old transport of two channels', async () => {
    const text = `event: endpoint\ndata: /post\n\nevent: message\ndata: ${JSON.stringify({ ...MESSAGE, id: undefined, method: 'x', params: { TOOL }, result: undefined })}\n\n`;
    for (const chunks of cutsOf(encoder.encode(text))) {
      const transport = new SSEClientTransport(new URL('http://server.test/sse'), {
        fetch: () =>
          Promise.resolve(
            new Response(streamOf(chunks), { headers: { 'content-type': 'text/event-stream' } }),
          ),
      });
      const got: unknown[] = [];
      const over = new Promise<void>((resolve) => {
        transport.onmessage = (message) => {
          got.push(message);
          resolve();
        };
      });
      await transport.start();
      await over;
      await transport.close();
      expect(got).toEqual([{ jsonrpc: '2.0', method: 'x', params: { TOOL } }]);
    }
  });
});

describe('bytes that are no text', () => {
  it.each(['legacy', 'modern'] as const)(
    'field-D2 cost a %s child that one line: told once, the next is read, the waiting call ends in time',
    async (era) => {
      const capabilities = { tools: {} };
      const hello = {
        initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'b', version: '1' } },
        'server/discover': { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities },
      };
      const script = `
        const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
        const hello = ${JSON.stringify(hello)};
        require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
          const { id, method } = JSON.parse(line);
          if (id === undefined) return;
          if (hello[method] !== undefined) return say({ id, result: hello[method] });
          say({ method: 'com.example/before' });
          process.stdout.write(Buffer.from([0x7b, 0x22, 0xb0, 0x22, 0x7d, 0x0a]));
          say({ method: 'com.example/after' });
        });`;
      const clock = createManualClock();
      const mode = era === 'legacy' ? era : { pin: '2026-07-28' };
      const client = new Client({ name: 'rows', version: '1' }, { clock, versionNegotiation: { mode } });
      const errors: Error[] = [];
      const seen: string[] = [];
      client.onerror = (error) => errors.push(error);
      client.fallbackNotificationHandler = ({ method }) => void seen.push(method);
      await client.connect(new StdioClientTransport({ command: process.execPath, args: ['-e', script] }));
      const call = client.callTool({ name: 'x' }, { timeout: 1_000 }).catch((error: unknown) => error);
      await until(() => seen.length === 2, 'the line after');
      expect(errors).toHaveLength(1);
      await clock.advance(1_000);
      expect(await call).toMatchObject({ code: 'REQUEST_TIMEOUT' });
      expect(seen).toEqual(['com.example/before', 'com.example/after']);
      await client.close();
    },
  );
});

describe('lines', () => {
  const NASTY = 'a\nb\r\nc\rd\u2028e\u2029f\u0085g\u0000h"\\n';

  it('W76 hold one message each however they are joined or cut, with either end', () => {
    const strings = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => `${text}\n${NASTY}`);
    const property = fc.property(
      fc.array(fc.tuple(strings, fc.boolean()), { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(60), { maxLength: 12 }),
      (texts, sizes) => {
        const messages = texts.map(([text]) => ({ jsonrpc: '2.0', method: 'm', params: { text } }) as const);
        const lines = messages.map((message) => serializeLine(message));
        for (const line of lines) expect(line.indexOf('\n')).toBe(line.length - 1);
        const joined = lines.map((line, at) =>
          texts[at]?.[1] === true ? line.replace(/\n$/, '\r\n') : line,
        );
        const bytes = encoder.encode(joined.join(''));
        const buffer = new ReadBuffer();
        const got: unknown[] = [];
        const take = (chunk: Uint8Array): void => {
          buffer.append(chunk);
          for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage()) {
            got.push(message);
          }
        };
        let at = 0;
        for (const size of sizes) {
          take(bytes.subarray(at, at + size));
          at += size;
        }
        take(bytes.subarray(at));
        expect(got).toEqual(messages);
      },
    );
    fc.assert(property, { seed: 76, numRuns: 300 });
  });

  it('W76 are what a server writes and reads on its streams, in any chunks', async () => {
    const { make } = createTestServer();
    const request = (id: number): string =>
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: modern({ name: 'echo', arguments: { value: `${NASTY}${String(id)}` } }),
      });
    const bytes = encoder.encode(
      Array.from({ length: 12 }, (_, id) => `${request(id)}${id % 2 === 0 ? '\n' : '\r\n'}`).join(''),
    );
    for (const size of [1, 7, 100, bytes.length]) {
      const stdin = new PassThrough();
      const stdout = new PassThrough();
      let text = '';
      stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      const handle = serveStdio(make, {
        transport: new StdioServerTransport(stdin, stdout, { clock: createManualClock() }),
      });
      for (let at = 0; at < bytes.length; at += size) stdin.write(bytes.subarray(at, at + size));
      await until(() => text.split('\n').length === 13, 'twelve answers');
      const answers = text
        .split('\n')
        .slice(0, 12)
        .map((line) => JSON.parse(line) as { id: number });
      expect(answers.sort((a, b) => a.id - b.id)).toMatchObject(
        Array.from({ length: 12 }, (_, id) => ({
          id,
          result: { content: [{ text: `${NASTY}${String(id)}` }] },
        })),
      );
      expect(text).not.toMatch(/\r/);
      expect(text.endsWith('\n')).toBe(true);
      await handle.close();
    }
  });

  it.each(CLIENT_ROUTES.filter(({ transport }) => transport === 'stdio'))(
    'W76 are what a client writes to a child over $name',
    async (route) => {
      const end = await route.open();
      const call = end.client.callTool({ name: 'n', arguments: { NASTY } });
      const request = await end.next(({ method }) => method === 'tools/call');
      expect(request['params']).toMatchObject({ arguments: { NASTY } });
      const content = [{ type: 'text', text: NASTY }];
      const result = { resultType: 'complete', content };
      end.say(request['id'], { jsonrpc: '2.0', id: request['id'], result });
      expect((await call).content).toEqual(content);
      await end.close();
    },
  );
});
