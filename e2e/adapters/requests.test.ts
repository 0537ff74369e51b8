import { afterAll, describe, expect, it } from 'vitest';
import { Client, StreamableHTTPClientTransport } from '@portico/client';
import { type AuthInfo, McpServer, type McpServerFactory, createMcpHandler } from '@portico/server';
import { http, openHttp, postJson } from '../../testing/http.ts';
import { httpRequest } from '../../testing/mcp-http.ts';
import { modern } from '../../testing/mcp-wire.ts';
import { ADAPTERS, closeHosts } from './hosts.ts';

afterAll(closeHosts);

const ACCEPT = 'application/json, text/event-stream';

const callOf = (name: string): Record<string, unknown> => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name },
});

const modernCallOf = (name: string): { body: Record<string, unknown>; headers: Record<string, string> } => ({
  body: { ...callOf(name), params: modern({ name }) },
  headers: {
    accept: ACCEPT,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  },
});

describe.each(ADAPTERS)('a modern request on %s', (_name, serve) => {
  it('W69 ends with its client: the tool is told, what it started stops, nothing more is written', async () => {
    const log: string[] = [];
    let started = (): void => undefined;
    let ended = (): void => undefined;
    const running = new Promise<void>((resolve) => (started = resolve));
    const over = new Promise<void>((resolve) => (ended = resolve));
    const server = new McpServer({ name: 'disconnect', version: '1' });
    server.registerTool('work', {}, async ({ mcpReq }) => {
      mcpReq.progress({ progress: 1 });
      // Work that the tool hands its signal to.
      const work = new Promise<string>((resolve) => {
        mcpReq.signal.addEventListener('abort', () => resolve('work stopped'), { once: true });
      });
      started();
      log.push(await work, `aborted ${String(mcpReq.signal.aborted)}`);
      // Messages of a call that is over go nowhere, and do not fail either.
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data: 'late' } });
      ended();
      return { content: [] };
    });
    server.registerTool('after', {}, () => ({ content: [{ type: 'text', text: 'alive' }] }));
    const faults: string[] = [];
    const handler = createMcpHandler(server, { onerror: (error) => faults.push(error.message) });
    const { url } = await serve(handler);
    const { body, headers } = modernCallOf('work');
    const progress = { ...body, params: modern({ name: 'work', _meta: { progressToken: 'p' } }) };
    const answer = await openHttp(url.href, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(progress),
    });
    let text = '';
    answer.setEncoding('utf8');
    answer.on('data', (chunk: string) => (text += chunk));
    answer.on('error', () => undefined);
    await running;
    answer.destroy();
    await over;
    expect(log).toEqual(['work stopped', 'aborted true']);
    const after = modernCallOf('after');
    expect((await postJson(url.href, after.body, { headers: after.headers })).json()).toMatchObject({
      result: { content: [{ text: 'alive' }] },
    });
    expect(text).not.toContain('late');
    expect(faults.filter((fault) => !fault.includes('499'))).toEqual([]);
  });
});

interface Seen {
  readonly own: string | null | undefined;
  readonly method: string | undefined;
  readonly authInfo: unknown;
}

/** A factory that notes what it and its tool are shown. */
function watching(): { factory: McpServerFactory; seen: Seen[]; contexts: unknown[] } {
  const seen: Seen[] = [];
  const contexts: unknown[] = [];
  const factory: McpServerFactory = ({ authInfo, requestInfo, era }) => {
    contexts.push([era, authInfo, requestInfo?.headers.get('x-own')]);
    const server = new McpServer({ name: 'watching', version: '1' });
    server.registerTool('look', {}, ({ http: context }) => {
      const { req, authInfo: auth } = context ?? {};
      seen.push({ own: req?.headers.get('x-own'), method: req?.method, authInfo: auth });
      return { content: [] };
    });
    return server;
  };
  return { factory, seen, contexts };
}

const GATE = { token: 'good', clientId: 'c', scopes: ['read'] };
const authenticate = (authorization: string | undefined): AuthInfo | undefined =>
  authorization === 'Bearer good' ? GATE : undefined;

const ERAS = [
  ['modern', 'stateless'],
  ['legacy', 'stateless'],
  ['legacy', 'sessions'],
] as const;

describe.each(ADAPTERS)('what a handler on %s is shown', (_name, serve) => {
  it.each(ERAS)('W113 is the request and what the gate made of it (%s, %s)', async (era, legacy) => {
    const { factory, seen, contexts } = watching();
    const { url } = await serve(createMcpHandler(factory, { legacy }), { authenticate });
    const client = new Client(
      { name: 'c', version: '1' },
      { versionNegotiation: { mode: era === 'modern' ? 'auto' : 'legacy' } },
    );
    const requestInit = { headers: { authorization: 'Bearer good', 'x-own': 'mine' } };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    await client.callTool({ name: 'look' });
    await client.close();
    expect(seen).toEqual([{ own: 'mine', method: 'POST', authInfo: GATE }]);
    expect(seen[0]?.authInfo).toBe(GATE);
    expect(contexts).toContainEqual([era, GATE, 'mine']);
  });

  it.each(ERAS)(
    'W113 is nothing that no gate made, and nothing at all when it refuses (%s, %s)',
    async (era, legacy) => {
      const { factory, seen, contexts } = watching();
      const open = await serve(createMcpHandler(factory, { legacy: 'stateless' }));
      const { body, headers } =
        era === 'modern' ? modernCallOf('look') : { body: callOf('look'), headers: {} };
      const sent = { accept: ACCEPT, authorization: 'Bearer good', ...headers };
      expect((await postJson(open.url.href, body, { headers: sent })).status).toBe(200);
      expect(seen.map(({ authInfo }) => authInfo)).toEqual([undefined]);
      contexts.length = 0;
      const gated = await serve(createMcpHandler(factory, { legacy }), { authenticate });
      for (const authorization of ['Bearer bad', undefined]) {
        const asked = { ...sent, ...(authorization === undefined ? {} : { authorization }) };
        const { authorization: _left, ...none } = sent;
        const reply = await postJson(gated.url.href, body, {
          headers: authorization === undefined ? none : asked,
        });
        expect(reply.status).toBe(401);
      }
      expect((await http(gated.url.href, { headers: { accept: ACCEPT } })).status).toBe(401);
      expect([seen.length, contexts.length]).toEqual([1, 0]);
    },
  );
});

describe('what a handler at the bare entry is shown', () => {
  it('W113 is the request and the auth object of its caller', async () => {
    for (const era of ['modern', 'legacy'] as const) {
      const { factory, seen, contexts } = watching();
      const handler = createMcpHandler(factory);
      const body = era === 'modern' ? modernCallOf('look').body : callOf('look');
      const request = httpRequest(body, { headers: { 'x-own': 'mine', authorization: 'Bearer good' } });
      await handler.fetch(request.clone(), { authInfo: GATE });
      await handler.fetch(request);
      expect(seen.map(({ own, authInfo }) => [own, authInfo])).toEqual([
        ['mine', GATE],
        ['mine', undefined],
      ]);
      expect(seen[0]?.authInfo).toBe(GATE);
      expect(contexts[0]).toEqual([era, GATE, 'mine']);
    }
  });
});
