import { describe, expect, it } from 'vitest';
import type { AuthInfo } from '@portico/oauth/resource';
import { authInfoFor } from '../../../../testing/auth-info.ts';
import { HOSTINGS, hostSessions } from '../../../../testing/hosted-sessions.ts';
import { httpRequest, post } from '../../../../testing/mcp-http.ts';
import { modern } from '../../../../testing/mcp-wire.ts';
import { McpServer } from '../mcp/mcp-server.ts';
import { createMcpHandler } from './create-mcp-handler.ts';
import { SseSession } from './sse-session.ts';

const opening = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

const person = (sub: string, more: Partial<AuthInfo> = {}): AuthInfo =>
  authInfoFor('app', { extra: { sub, iss: 'https://as.example' }, ...more });
const nameless = (token: string): AuthInfo => authInfoFor('', { token });

interface Pair {
  readonly first: AuthInfo | undefined;
  readonly later: AuthInfo | undefined;
  readonly same: boolean;
}

/** Who opens, who comes later, and whether that is the same principal. */
const PAIRS: readonly (readonly [what: string, pair: Pair])[] = (
  [
    ['the same token', person('ada'), person('ada'), true],
    ['a fresh token of the same', person('ada'), person('ada', { token: 'fresh', scopes: ['more'] }), true],
    ['another person with the same client', person('ada'), person('eve'), false],
    ['the same name at another issuer', person('ada'), person('ada', { extra: { sub: 'ada' } }), false],
    ['the same person with another client', person('ada'), person('ada', { clientId: 'other' }), false],
    ['nobody', person('ada'), undefined, false],
    ['somebody in the session of nobody', undefined, person('ada'), false],
    ['nobody in the session of nobody', undefined, undefined, true],
    ['the same client without a person', authInfoFor('a'), authInfoFor('a', { token: 'fresh' }), true],
    ['another client', authInfoFor('a'), authInfoFor('b'), false],
    ['the same token without names', nameless('t'), nameless('t'), true],
    ['another token without names', nameless('t'), nameless('u'), false],
  ] as const
).map(([what, first, later, same]) => [what, { first, later, same }]);

const make = (): McpServer => {
  const server = new McpServer({ name: 's', version: '1' }, { tasks: {} });
  server.registerTool('job', {}, ({ tasks }) => tasks!.start(() => new Promise(() => undefined)));
  return server;
};

describe.each(HOSTINGS)('a session, %s', (hosting) => {
  it.each(PAIRS)('W93 is met or not by %s', async (_what, { first, later, same }) => {
    const hosted = hostSessions(hosting, make, { keepAliveMs: 0 });
    const opened = await post(hosted, opening, { authInfo: first });
    const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') };
    const ask = async (method: string, authInfo: AuthInfo | undefined): Promise<number> => {
      const body = method === 'POST' ? ping : '';
      const response = await hosted.fetch(httpRequest(body, { method, headers }), { authInfo });
      await response.body?.cancel();
      return response.status;
    };
    const statuses: number[] = [];
    for (const method of ['POST', 'GET', 'DELETE']) statuses.push(await ask(method, later));
    expect(statuses).toEqual(same ? [200, 200, 200] : [404, 404, 404]);
    // A stranger’s DELETE ends nothing.
    expect(await ask('POST', first)).toBe(same ? 404 : 200);
  });

  it('W93 looks the same to strangers as one that never was', async () => {
    const hosted = hostSessions(hosting, make, { keepAliveMs: 0 });
    const opened = await post(hosted, opening, { authInfo: person('ada') });
    const asEve = (id: string | null): ReturnType<typeof post> =>
      post(hosted, ping, { headers: { 'mcp-session-id': id }, authInfo: person('eve') });
    const strange = await asEve(opened.headers.get('mcp-session-id'));
    expect(strange.message).toMatchObject({ error: { code: -32_001, message: 'Session not found' } });
  });
});

it('W93 keeps posts of others out of a session of the oldest transport', async () => {
  const session = new SseSession('/messages');
  const seen: unknown[] = [];
  session.onmessage = (message) => void seen.push(message);
  await session.start();
  const send = async (authInfo: AuthInfo | undefined): Promise<number> =>
    (await session.handleRequest(httpRequest(ping), { authInfo })).status;
  expect([await send(person('ada')), await send(person('eve')), await send(undefined)]).toEqual([
    202, 404, 404,
  ]);
  expect(await send(person('ada', { token: 'fresh' }))).toBe(202);
  expect(seen).toEqual([ping, ping]);
});

describe('tasks', () => {
  const EXTENSION = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  it.each(PAIRS)('W197 are found or not by %s', async (_what, { first, later, same }) => {
    const handler = createMcpHandler(make());
    const ask = async (method: string, params: object, authInfo: AuthInfo | undefined): Promise<unknown> => {
      const body = {
        jsonrpc: '2.0',
        id: 1,
        method,
        params: modern({ ...params }, { capabilities: EXTENSION }),
      };
      const { message } = await post(handler, body, { authInfo });
      return message['result'] ?? message['error'];
    };
    const { taskId } = (await ask('tools/call', { name: 'job' }, first)) as { taskId: string };
    expect(await ask('tasks/get', { taskId }, first)).toMatchObject({ taskId, status: 'working' });
    const unknown = await ask('tasks/get', { taskId: 'nobody' }, later);
    for (const method of ['tasks/get', 'tasks/cancel']) {
      const answer = await ask(method, { taskId }, later);
      expect([method, JSON.stringify(answer) === JSON.stringify(unknown)]).toEqual([method, !same]);
    }
    expect(await ask('tasks/get', { taskId }, first)).toMatchObject({
      status: same ? 'cancelled' : 'working',
    });
    await handler.close();
  });
});
