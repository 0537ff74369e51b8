import { failureOf } from '@portico/client';
import type { Connector } from '@portico/api';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MODES, addWebConnector, connectorClients } from '../../../../testing/connector-clients.ts';
import type { ConnectorClients } from '../../../../testing/connector-clients.ts';
import { openHttp } from '../../../../testing/http.ts';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { openSignInDesk } from '../../../../testing/sign-in-desk.ts';
import type { SignInDesk } from '../../../../testing/sign-in-desk.ts';
import { startTalkativeServer } from '../../../../testing/talkative-server.ts';
import type { TalkativeServer } from '../../../../testing/talkative-server.ts';

const failure = (error: unknown) => failureOf(error);

describe('a connector that comes and goes, at its endpoint', () => {
  let host: InProcessHost;
  let clients: ConnectorClients;
  let server: TalkativeServer;
  let other: TalkativeServer;
  beforeAll(async () => {
    host = await startInProcessHost();
    clients = connectorClients(host);
    server = await startTalkativeServer('legacy');
    other = await startTalkativeServer('modern', 'another');
  });
  afterAll(async () => {
    await host.close();
    await Promise.all([server.close(), other.close()]);
  });
  const enable = (id: string, enabled: boolean): Promise<Connector> =>
    host.call('PUT', `/api/connectors/${id}/enabled`, { enabled });
  const ask = (id: string) => host.request('POST', `/api/connectors/${id}/mcp`, {});

  it('says in which state it is, and where that is put right', async () => {
    const command = { kind: 'stdio', command: process.execPath, args: ['-e', ''] };
    const stopped = await host.call<Connector>('POST', '/api/connectors', {
      name: 'Tool',
      transport: command,
    });
    const away = { kind: 'http', url: 'http://127.0.0.1:9/mcp', headers: {} };
    const failed = await host.call<Connector>('POST', '/api/connectors', { name: 'Away', transport: away });
    const off = await addWebConnector(host, server.url, { name: 'Off' });
    await enable(off.id, false);
    await host.untilConnector(failed.id, 'failed');
    for (const [{ id }, status, text] of [
      [stopped, 'stopped', '"Tool" cannot be used now (stopped). Its command waits'],
      [failed, 'failed', '"Away" cannot be used now (failed). 127.0.0.1:9 did not take the connection'],
      [off, 'disabled', '"Off" cannot be used now (disabled).'],
    ] as const) {
      const answer = await ask(id);
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toBe('1');
      const { error } = answer.json() as { error: { message: string; data: unknown } };
      expect(error.message).toContain(text);
      expect(error.message).toContain('Connectors page');
      expect(error.data).toEqual({ code: 'connector_not_ready', status });
    }
  });

  it.each(MODES)('fails calls of a %s client so that it tries again, and serves it then', async (mode) => {
    const { id } = await addWebConnector(host, server.url, { name: `Switched ${mode}` });
    const client = await clients.ours(id, mode);
    await enable(id, false);
    const refused = failure(await client.callTool({ name: 'echo' }).catch((error: unknown) => error));
    expect(refused).toMatchObject({ step: 'http', httpStatus: 503, retryable: true, retryAfterMs: 1_000 });
    await expect(clients.ours(id, mode)).rejects.toSatisfy((error) => failure(error).httpStatus === 503);
    await enable(id, true);
    await host.untilConnector(id, 'ready');
    expect((await client.callTool({ name: 'echo', arguments: { text: 'again' } })).isError).toBeUndefined();
    await client.close();
  });

  it('ends what clients were told of one server when it becomes another, and tells them of that', async () => {
    const { id } = await addWebConnector(host, server.url, { name: 'Changing' });
    const [legacy, modern] = await Promise.all([clients.ours(id, 'legacy'), clients.ours(id, 'modern')]);
    const subscription = await modern.listen({ toolsListChanged: true });
    const transport = { kind: 'http', url: other.url, headers: {} };
    await host.call('PUT', `/api/connectors/${id}`, { name: 'Changing', transport });
    await host.untilConnector(id, 'ready');
    expect(await subscription.closed).toBe('graceful');
    let renewed = 0;
    legacy.onsessionrenewed = () => void (renewed += 1);
    await legacy.listTools();
    expect([renewed, legacy.getServerVersion()?.name]).toEqual([1, 'another']);
    await modern.discover();
    expect(modern.getServerVersion()?.name).toBe('talkative');
    expect((await clients.ours(id, 'modern')).getServerVersion()?.name).toBe('another');
    await Promise.all([legacy.close(), modern.close()]);
  });

  it.each(MODES)('fails a call of a %s client that was under way once, and runs it once', async (mode) => {
    const { id } = await addWebConnector(host, server.url, { name: `Cut ${mode}` });
    const client = await clients.ours(id, mode);
    const before = server.stopped.length;
    let reported = (): void => undefined;
    const started = new Promise<void>((resolve) => (reported = resolve));
    const call = client.callTool(
      { name: 'wait', arguments: { text: mode } },
      { onprogress: () => reported() },
    );
    const ended = call.catch((error: unknown) => error);
    await started;
    await enable(id, false);
    expect(await ended).toMatchObject({ code: -32_603, data: { code: 'connection_lost' } });
    await expect.poll(() => server.stopped.slice(before)).toEqual([mode]);
    await enable(id, true);
    await host.untilConnector(id, 'ready');
    await client.listTools();
    expect(server.stopped.slice(before)).toEqual([mode]);
    await client.close();
  });

  it('is not there once it is removed, neither for who comes nor for who was there', async () => {
    const { id } = await addWebConnector(host, server.url, { name: 'Removed' });
    const client = await clients.ours(id, 'legacy');
    await host.call('DELETE', `/api/connectors/${id}`);
    expect(await ask(id)).toMatchObject({ status: 404 });
    const gone = failure(await client.listTools().catch((error: unknown) => error));
    expect(gone).toMatchObject({ httpStatus: 404, retryable: false });
    await client.close();
  });

  it('leaves no stream open behind a host that ends', async () => {
    const own = await startInProcessHost();
    const at = connectorClients(own);
    const { id } = await addWebConnector(own, server.url);
    const modern = await at.ours(id, 'modern');
    const subscription = await modern.listen({ toolsListChanged: true });
    const legacy = await at.ours(id, 'legacy');
    const call = legacy.callTool({ name: 'wait' }).catch((error: unknown) => error);
    await expect.poll(() => own.host.status().connectors.length).toBe(2);
    const { sessionId = '' } = legacy.transport ?? {};
    const stream = await openHttp(`http://127.0.0.1:${own.host.port}${at.urlOf(id).pathname}`, {
      headers: { ...at.headers, accept: 'text/event-stream', 'mcp-session-id': sessionId },
    });
    // The client has taken the one stream of its session, or this is it.
    expect([200, 409]).toContain(stream.statusCode);
    const over = new Promise((resolve) => stream.on('close', resolve).resume());
    await own.close();
    await over;
    expect(await subscription.closed).toBe('graceful');
    expect(await call).toBeInstanceOf(Error);
  });
});

describe('a call through an endpoint that is refused for want of a sign-in', () => {
  let desk: SignInDesk;
  afterEach(() => desk.close());

  it.each(MODES)('K48 changes the state of the connector, from a %s client', async (mode) => {
    desk = await openSignInDesk({
      refuse: ({ method, scopes }) =>
        method === 'tools/call' && scopes === undefined
          ? { status: 401, challenge: 'Bearer scope="read"' }
          : undefined,
    });
    const id = await desk.add();
    await desk.until(id, ({ status }) => status === 'ready');
    const client = await connectorClients(desk.running).ours(id, mode);
    await expect(client.callTool({ name: 'whoami' })).rejects.toMatchObject({
      code: -32_603,
      data: { code: 'needs_sign_in' },
    });
    // What needs nobody to be signed in goes on.
    const asking = await desk.until(id, ({ auth }) => auth?.asks !== undefined);
    expect(asking).toMatchObject({ status: 'degraded', auth: { asks: { scopes: ['read'] } } });
    expect((await client.listTools()).tools).toHaveLength(1);
    await desk.signIn(id);
    await desk.until(id, (connector) => connector.status === 'ready');
    expect((await client.callTool({ name: 'whoami' })).content).toMatchObject([{ text: 'you' }]);
    await client.close();
  });

  it.each(MODES)(
    'K48 keeps a %s client out until somebody signs in where all of it is closed',
    async (mode) => {
      let closed = false;
      desk = await openSignInDesk({
        refuse: ({ scopes }) =>
          closed || scopes === undefined ? { status: 401, challenge: 'Bearer scope="read"' } : undefined,
      });
      const id = await desk.add();
      await desk.until(id, ({ status }) => status === 'needs_sign_in');
      const { running } = desk;
      expect(await running.request('POST', `/api/connectors/${id}/mcp`, {})).toMatchObject({ status: 503 });
      await desk.signIn(id);
      await desk.until(id, ({ status }) => status === 'ready');
      const client = await connectorClients(running).ours(id, mode);
      closed = true;
      await expect(client.callTool({ name: 'whoami' })).rejects.toMatchObject({
        data: { code: 'needs_sign_in' },
      });
      await desk.until(id, ({ status }) => status === 'needs_sign_in');
      const refused = failure(await client.callTool({ name: 'whoami' }).catch((error: unknown) => error));
      expect(refused).toMatchObject({ httpStatus: 503, retryable: true });
      closed = false;
      await desk.signIn(id);
      await desk.until(id, ({ status }) => status === 'ready');
      expect((await client.callTool({ name: 'whoami' })).content).toMatchObject([{ text: 'you' }]);
      await client.close();
    },
  );

  it.each(MODES)('K48 lets a call of a %s client end that the server had taken before', async (mode) => {
    let closed = false;
    desk = await openSignInDesk({
      refuse: ({ scopes }) =>
        closed || scopes === undefined ? { status: 401, challenge: 'Bearer scope="read"' } : undefined,
    });
    const id = await desk.add();
    await desk.until(id, ({ status }) => status === 'needs_sign_in');
    await desk.signIn(id);
    await desk.until(id, ({ status }) => status === 'ready');
    const clients = connectorClients(desk.running);
    const client = await clients.ours(id, mode);
    let answer = (): void => undefined;
    const waits = new Promise<void>((resolve) => (answer = resolve));
    const taken = new Promise<void>((resolve) => {
      desk.server.beforeAnswer = () => (resolve(), waits);
    });
    const call = client.callTool({ name: 'whoami' });
    await taken;
    closed = true;
    await expect((await clients.ours(id, mode)).callTool({ name: 'whoami' })).rejects.toMatchObject({
      data: { code: 'needs_sign_in' },
    });
    await desk.until(id, ({ status }) => status === 'needs_sign_in');
    answer();
    expect((await call).content).toMatchObject([{ text: 'you' }]);
    expect(desk.server.runs).toBe(1);
  });

  it('K48 counts a result that says so as a refusal, as everywhere', async () => {
    desk = await openSignInDesk({
      refuse: () => undefined,
      answer: (scopes) =>
        scopes === undefined
          ? {
              isError: true,
              content: [{ type: 'text', text: 'sign in' }],
              _meta: { 'mcp/www_authenticate': ['Bearer error="invalid_token", scope="read"'] },
            }
          : undefined,
    });
    const id = await desk.add();
    await desk.until(id, ({ status }) => status === 'ready');
    const client = await connectorClients(desk.running).ours(id, 'modern');
    await expect(client.callTool({ name: 'whoami' })).rejects.toMatchObject({
      data: { code: 'needs_sign_in' },
    });
    await desk.until(id, ({ auth }) => auth?.asks !== undefined || auth?.opens !== undefined);
    await client.close();
  });
});
