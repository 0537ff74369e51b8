import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Connector, HostEvent, ToolCall, ToolInfo } from '@portico/api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { startShiftingServer } from '../../../../testing/shifting-server.ts';
import type { ShiftingServer } from '../../../../testing/shifting-server.ts';
import { createSkippingClock } from '../../../../testing/skipping-clock.ts';
import type { SkippingClock } from '../../../../testing/skipping-clock.ts';

/** Takes connections and never says a word. */
interface SilentServer {
  readonly url: string;
  close(): Promise<void>;
}

async function startSilentServer(): Promise<SilentServer> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).resume());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('remote connectors', () => {
  let clock: SkippingClock;
  let running: InProcessHost;
  let server: ShiftingServer;
  const closing: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    clock = createSkippingClock();
    running = await startInProcessHost({ clock });
  });
  afterEach(async () => {
    await running.close();
    await server.stop();
    for (const close of closing.splice(0)) await close();
  });

  const add = async (name: string, url: string): Promise<Connector> =>
    await running.call('POST', '/api/connectors', { name, transport: { kind: 'http', url } });
  const now = async (id: string): Promise<Connector | undefined> =>
    (await running.bootstrap()).connectors.find((connector) => connector.id === id);
  const until = (id: string, fits: (connector: Connector) => boolean): Promise<Connector> =>
    vi.waitFor(
      async () => {
        const connector = await now(id);
        if (connector !== undefined && fits(connector)) return connector;
        throw new TypeError(`it is ${JSON.stringify(connector)}`);
      },
      { timeout: 20_000, interval: 25 },
    );
  const toolsOf = async (id: string): Promise<string[]> =>
    (await running.call<{ tools: ToolInfo[] }>('GET', `/api/connectors/${id}/tools`)).tools.map(
      ({ name }) => name,
    );
  /** Begins a call in a conversation of its own. */
  const begin = async (connectorId: string, tool: string, token: string) => {
    const { id } = await running.newConversation();
    const body = { connectorId, tool, arguments: { token } };
    const call = await running.call<ToolCall>('POST', `/api/conversations/${id}/calls`, body);
    const isOver = (item: { type: string }): boolean =>
      item.type === 'tool_call' && (item as ToolCall).status !== 'running';
    return {
      ended: async () =>
        (await running.untilItem(id, (item) => item.id === call.id && isOver(item))) as ToolCall,
    };
  };
  /** What pages were told of a connector's state, one after another. */
  const told = async (id: string): Promise<Connector['status'][]> => {
    const events = await running.stores.events.after(0, 10_000);
    const all = events.map(({ data }) => JSON.parse(data) as HostEvent);
    return all.flatMap((event) =>
      event.type === 'connector.changed' && event.connector.id === id ? [event.connector.status] : [],
    );
  };

  it('K28 are twenty of which five hang: fifteen are ready, what else is asked is answered, and all ends', async () => {
    server = await startShiftingServer('modern', ['one']);
    const silent = await startSilentServer();
    closing.push(() => silent.close());
    const added: Connector[] = [];
    for (let index = 0; index < 20; index += 1) {
      const url = index % 4 === 0 ? silent.url : server.url;
      added.push(await add(`Number ${index}`, `${url}?n=${index}`));
    }
    const good = added.filter((_, index) => index % 4 !== 0);
    const ready = await Promise.all(good.map(({ id }) => until(id, ({ status }) => status === 'ready')));
    expect(ready).toHaveLength(15);
    const hanging = added.filter((_, index) => index % 4 === 0);
    for (const { id } of hanging) expect((await now(id))?.status).toBe('connecting');
    expect(await (await begin(good[0]?.id ?? '', 'one', 'x')).ended()).toMatchObject({ status: 'done' });
    // One that hangs is switched off, deleted and connected anew without a wait.
    const [first, second, third] = hanging as [Connector, Connector, Connector];
    await running.call('PUT', `/api/connectors/${first.id}/enabled`, { enabled: false });
    expect((await now(first.id))?.status).toBe('disabled');
    await running.call('DELETE', `/api/connectors/${second.id}`);
    await running.call('POST', `/api/connectors/${third.id}/reconnect`, {});
    expect((await now(third.id))?.status).toBe('connecting');
    clock.skip(30_000);
    await until(third.id, ({ status, cause }) => status === 'failed' && /in time/.test(cause.message));
  });

  it('K28 come back by themselves after a restart of their server, and their five calls say what may have happened', async () => {
    server = await startShiftingServer('modern', ['old', 'same']);
    const { id } = await add('Shifting', server.url);
    const before = await until(id, ({ status }) => status === 'ready');
    server.beforeAnswer = () => new Promise(() => undefined);
    const calls = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((token) => begin(id, 'same', token)));
    await vi.waitFor(() => expect(server.runs).toHaveLength(5), { timeout: 20_000 });
    await server.stop();
    const ended = await Promise.all(calls.map((call) => call.ended()));
    for (const { status, problem } of ended) {
      expect([status, problem?.kind]).toEqual(['failed', 'connectionLost']);
      expect(problem?.message).toBe('The server stopped; the action may have happened.');
    }
    await until(id, ({ status }) => status === 'connecting' || status === 'failed');
    server.tools = ['new', 'same'];
    server.beforeAnswer = () => Promise.resolve();
    await server.start();
    // No later than the longest first wait, unless a try has failed meanwhile.
    clock.skip(2_400);
    const after = await until(id, ({ status }) => status === 'ready');
    expect(await toolsOf(id)).toEqual(['new', 'same']);
    // As many as before, but pages learn that they are others.
    expect(after.toolCount).toBe(before.toolCount);
    expect(after.toolsVersion).not.toBe(before.toolsVersion);
    // Nothing was sent a second time, and a drop is no want of a sign-in.
    expect([...server.runs].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await told(id)).not.toContain('needs_sign_in');
    expect(await (await begin(id, 'new', 'f')).ended()).toMatchObject({ status: 'done' });
  });

  it('K28 act at once when a person reconnects them, however long the wait had become', async () => {
    server = await startShiftingServer('modern', ['one']);
    await server.stop();
    const { id } = await add('Gone', server.url);
    const failures = async (): Promise<number> =>
      (await told(id)).filter((status) => status === 'failed').length;
    for (let tries = 1; tries < 8; tries += 1) {
      await vi.waitFor(async () => expect(await failures()).toBe(tries), { timeout: 20_000 });
      clock.skip(72_000);
    }
    // The next try is a minute away, and nobody moves the clock any more.
    await vi.waitFor(async () => expect(await failures()).toBe(8), { timeout: 20_000 });
    await server.start();
    const lines = server.lines.length;
    expect(await running.call('POST', `/api/connectors/${id}/reconnect`, {})).toMatchObject({
      status: 'connecting',
    });
    await until(id, ({ status }) => status === 'ready');
    expect(server.lines.length).toBeGreaterThan(lines);
  });

  it('K28 field-D4 begin one new session for five calls when theirs is forgotten, and nobody sees it', async () => {
    server = await startShiftingServer('legacy', ['old']);
    const { id } = await add('Forgetful', server.url);
    await until(id, ({ status }) => status === 'ready');
    const states = await told(id);
    server.tools = ['old', 'new'];
    await server.forgetSessions();
    const calls = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((token) => begin(id, 'old', token)));
    const ended = await Promise.all(calls.map((call) => call.ended()));
    expect(ended.map(({ status }) => status)).toEqual(Array(5).fill('done'));
    expect([...server.runs].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    // The second without a session, and no third.
    const opened = server.lines.filter((line) => line.startsWith('POST initialize'));
    expect(opened).toEqual(['POST initialize', 'POST initialize']);
    await vi.waitFor(async () => expect(await toolsOf(id)).toEqual(['old', 'new']), { timeout: 20_000 });
    expect(new Set((await told(id)).slice(states.length))).toEqual(new Set(['ready']));
  });

  it.each(['legacy', 'modern'] as const)(
    'K28 field-D40 list their tools anew when a %s server says so, for pages and callers alike',
    async (era) => {
      server = await startShiftingServer(era, ['first']);
      const { id } = await add('Changing', server.url);
      const before = await until(id, ({ status }) => status === 'ready');
      await vi.waitFor(
        () => expect(server.lines.some((line) => /^GET|subscriptions\/listen/.test(line))).toBe(true),
        { timeout: 20_000 },
      );
      let answer = (): void => undefined;
      server.beforeAnswer = () => new Promise((resolve) => (answer = resolve));
      const call = await begin(id, 'first', 'under way');
      await vi.waitFor(() => expect(server.runs).toHaveLength(1), { timeout: 20_000 });
      server.tools = ['second'];
      server.listFails = true;
      server.announceTools();
      // What is known stays while the list cannot be read, and it is read again.
      await until(id, ({ status }) => status === 'degraded');
      expect(await toolsOf(id)).toEqual(['first']);
      server.listFails = false;
      clock.skip(1_200);
      const after = await until(id, ({ status, toolsVersion }) => {
        return status === 'ready' && toolsVersion !== before.toolsVersion;
      });
      expect([after.toolCount, await toolsOf(id)]).toEqual([1, ['second']]);
      // A call that is under way ends as it began.
      answer();
      expect(await call.ended()).toMatchObject({ status: 'done', tool: 'first' });
    },
  );
});
