import { SdkHttpError } from '@portico/client';
import { OAuthClientFlowError, OAuthError } from '@portico/oauth';
import { describe, expect, it } from 'vitest';
import { createBench, requestsTo } from '../../../testing/connection-bench.ts';
import { createScriptedServer } from '../../../testing/scripted-server.ts';
import { createConnections } from './connections.ts';

describe('health', () => {
  it('K28 pings only what is in use, and nothing when that is switched off', async () => {
    const counts: number[] = [];
    for (const [pingEveryMs, used] of [
      [60_000, true],
      [60_000, false],
      [0, true],
      [0, false],
    ] as const) {
      const bench = createBench(
        { answers: { 'tools/call': () => ({ content: [] }) } },
        { limits: { pingEveryMs } },
      );
      const { connections, clock, servers } = bench;
      connections.add('a', {});
      await connections.connect('a');
      for (let minute = 0; minute < 3; minute++) {
        if (used) await connections.callTool('a', { name: 'x' });
        await clock.advance(60_000);
      }
      await clock.advance(600_000);
      counts.push(requestsTo(servers[0], 'ping'));
      await connections.close();
      expect(clock.armed).toBe(0);
    }
    expect(counts).toEqual([3, 0, 0, 0]);
  });

  it('K28 calls a connection degraded after two missed pings, not lost, and ready after the next answer', async () => {
    let release = (_result: unknown): void => undefined;
    const bench = createBench({
      answers: {
        'tools/call': () =>
          new Promise((resolve) => {
            release = resolve;
          }),
        ping: () => new Promise(() => undefined),
      },
    });
    const { connections, clock } = bench;
    connections.add('a', {});
    await connections.connect('a');
    const call = connections.callTool('a', { name: 'x' });
    await clock.advance(129_999);
    expect(connections.get('a')?.status).toBe('ready');
    await clock.advance(1);
    expect(connections.get('a')).toMatchObject({ status: 'degraded', error: { step: 'timeout' } });
    release({ content: [] });
    expect(await call).toEqual({ content: [] });
    expect(connections.get('a')?.status).toBe('ready');
    expect(connections.get('a')?.error).toBeUndefined();
  });

  it.each(['progress', 'a message'] as const)(
    'K28 judges by traffic: %s of a busy server makes up for a ping that it leaves aside',
    async (sign) => {
      const bench = createBench({
        answers: {
          'tools/call': (_params, context) => {
            let progress = 0;
            const tell = (): void => {
              progress += 1;
              if (sign === 'progress') context.progress({ progress });
              else void bench.servers[0]?.peer.notify('notifications/message', { level: 'info', data: '' });
              if (progress < 60) bench.clock.setTimer(5_000, tell);
            };
            tell();
            return new Promise(() => undefined);
          },
          ping: () => new Promise(() => undefined),
        },
      });
      const { connections, clock, servers } = bench;
      connections.add('a', {});
      await connections.connect('a');
      const patient = { timeoutMs: 3_600_000 };
      const call = connections.callTool('a', { name: 'x' }, patient).catch((error: unknown) => error);
      await clock.advance(290_000);
      expect(requestsTo(servers[0], 'ping')).toBe(4);
      expect(connections.get('a')?.status).toBe('ready');
      // From here on it says nothing.
      await clock.advance(150_000);
      expect(connections.get('a')?.status).toBe('degraded');
      await servers[0]?.peer.notify('notifications/message', { level: 'info', data: '' });
      await clock.advance(0);
      expect(connections.get('a')?.status).toBe('ready');
      await connections.close();
      await call;
    },
  );

  it('K27 asks for a sign-in when a call is refused for want of one', async () => {
    const bench = createBench();
    let locked = false;
    const connections = createConnections({
      clock: bench.clock,
      clientInfo: { name: 'test', version: '1' },
      versionNegotiation: { mode: 'legacy' },
      async createTransport() {
        const { transport } = await createScriptedServer({ clock: bench.clock });
        const send = transport.send.bind(transport);
        transport.send = (message, options) =>
          locked
            ? Promise.reject(new SdkHttpError('CLIENT_HTTP_AUTHENTICATION', { status: 401, statusText: '' }))
            : send(message, options);
        return transport;
      },
    });
    connections.add('a', {});
    await connections.connect('a');
    locked = true;
    await expect(connections.callTool('a', { name: 'x' })).rejects.toMatchObject({
      code: 'needs_sign_in',
    });
    expect(connections.get('a')).toMatchObject({ status: 'needs_sign_in' });
  });

  it.each([
    new OAuthClientFlowError('network', { data: { url: 'https://id.test' } }),
    new OAuthError('server_error', 'HTTP 503'),
    new OAuthError('temporarily_unavailable', 'later'),
  ])('K46 takes trouble of who renews tokens for no lost grant: $code', async (trouble) => {
    const bench = createBench();
    let fails = false;
    const connections = createConnections({
      clock: bench.clock,
      clientInfo: { name: 'test', version: '1' },
      versionNegotiation: { mode: 'legacy' },
      async createTransport() {
        const { transport } = await createScriptedServer({ clock: bench.clock });
        const send = transport.send.bind(transport);
        transport.send = (message, options) =>
          fails ? Promise.reject(Object.assign(trouble, { reachesCaller: true })) : send(message, options);
        return transport;
      },
    });
    connections.add('a', {});
    await connections.connect('a');
    fails = true;
    await expect(connections.callTool('a', { name: 'x' })).rejects.toMatchObject({ code: 'unreachable' });
    expect(connections.get('a')?.status).toBe('ready');
    // Also where it is opened anew: it is tried again, and nobody is sent to sign in.
    expect(await connections.reconnect('a')).toMatchObject({ status: 'failed', error: { step: 'sign_in' } });
    expect(connections.get('a')?.retryAtMs).toBeDefined();
    fails = false;
    await bench.clock.advance(2_000);
    expect(connections.get('a')?.status).toBe('ready');
  });
});
