import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '@portico/api';
import { http } from '../../../../testing/http.ts';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { createConsoleApp } from './console-app.ts';
import type { ConsoleServices } from './console-app.ts';

/** Every method and path that the router knows, read from the router itself. */
function routes(): { method: string; path: string }[] {
  const gate = { sessions: {} as never, launchLinks: {} as never, port: () => 0 };
  const app = createConsoleApp({
    services: {} as ConsoleServices,
    gate,
    consoleFolder: '/nowhere',
    log: { info() {}, warn() {}, error() {} },
  });
  const fill = (path: string): string => path.replace(/:\w+/g, 'x').replace('*', 'some/page');
  return app.routes
    .filter((route) => route.method !== 'ALL')
    .map(({ method, path }) => ({ method, path: fill(path) }))
    .filter(
      (route, index, all) =>
        all.findIndex((other) => other.method === route.method && other.path === route.path) === index,
    );
}

describe('gates of every route', () => {
  let running: InProcessHost;
  beforeAll(async () => {
    running = await startInProcessHost();
  });
  afterAll(() => running.close());

  const send = (route: { method: string; path: string }, headers: Record<string, string | string[]>) =>
    http(running.origin + route.path, {
      method: route.method,
      headers,
      body: ['GET', 'DELETE'].includes(route.method) ? '' : '{}',
    });

  it('the router knows every route of the API', () => {
    const known = new Set(routes().map(({ path }) => path));
    for (const path of Object.values(ROUTES)) expect(known).toContain(path.replace(/:\w+/g, 'x'));
    expect(routes().length).toBeGreaterThan(Object.keys(ROUTES).length);
  });

  it.each(routes())('$method $path refuses a forged, a missing and a doubled Host', async (route) => {
    const { port } = running.host;
    const json = { 'content-type': 'application/json', cookie: running.cookie };
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `portico.localhost`,
      `portico.localhost:${port + 1}`,
    ]) {
      const answer = await send(route, { ...json, host });
      expect([host, answer.status]).toEqual([host, 403]);
      expect(answer.text).toContain(host.split(':')[0]);
      expect(answer.text).toContain(`portico.localhost:${port}`);
    }
    const twice = `Host: localhost:${port}\r\n`.repeat(2);
    expect(
      await rawStatus(port, `${route.method} ${route.path} HTTP/1.1\r\n${twice}Connection: close\r\n\r\n`),
    ).toBe(403);
    expect(await rawStatus(port, `${route.method} ${route.path} HTTP/1.1\r\nConnection: close\r\n\r\n`)).toBe(
      403,
    );
  });

  it.each(routes())('$method $path refuses a foreign Origin', async (route) => {
    const { port, origin } = running.host;
    for (const foreign of [
      'http://evil.example',
      'null',
      `http://localhost:${port + 1}`,
      `https://localhost:${port}`,
      `${origin}.evil.example`,
    ]) {
      const answer = await send(route, {
        'content-type': 'application/json',
        cookie: running.cookie,
        origin: foreign,
      });
      expect([foreign, answer.status]).toEqual([foreign, 403]);
    }
  });

  it.each(routes().filter(({ path }) => !path.startsWith('/launch')))(
    '$method $path wants a session',
    async (route) => {
      for (const cookie of ['', `portico_session_${running.host.port}=AAAA`]) {
        const answer = await send(route, { 'content-type': 'application/json', cookie });
        expect(answer.status).toBe(401);
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
    },
  );

  it.each(routes().filter(({ method }) => method !== 'GET' && method !== 'DELETE'))(
    '$method $path takes nothing but JSON',
    async (route) => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
        const answer = await send(route, {
          'content-type': type,
          cookie: running.cookie,
          origin: running.origin,
        });
        expect([type, answer.status]).toEqual([type, 415]);
      }
    },
  );

  it.each(routes().filter(({ path }) => path.startsWith('/api/')))(
    '$method $path refuses cross-site requests without Origin',
    async (route) => {
      for (const site of ['cross-site', 'same-site']) {
        const answer = await send(route, {
          'content-type': 'application/json',
          cookie: running.cookie,
          'sec-fetch-site': site,
        });
        expect([site, answer.status]).toEqual([site, 403]);
      }
    },
  );

  it.each(routes())('$method $path is not there on a sandbox host', async (route) => {
    const answer = await send(route, {
      'content-type': 'application/json',
      cookie: running.cookie,
      host: `abcdefghijklmnopqrstuvwxyz234567.localhost:${running.host.port}`,
    });
    expect(answer.status).toBe(404);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('refuses upgrades and whole addresses as request target', async () => {
    const { port } = running.host;
    const host = `Host: localhost:${port}\r\n`;
    const upgrade = `GET /api/events HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    expect(await rawStatus(port, upgrade)).toBe(403);
    expect(
      await rawStatus(port, `GET http://evil.example/ HTTP/1.1\r\n${host}Connection: close\r\n\r\n`),
    ).toBe(403);
    expect(await rawStatus(port, 'nonsense\r\n\r\n')).toBe(400);
  });
});

function rawStatus(port: number, request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.on('data', (data) => {
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString('latin1'))?.[1]));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}
