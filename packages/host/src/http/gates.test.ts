import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES, SIGN_IN_PAGES } from '@portico/api';
import { http } from '../../../../testing/http.ts';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { createConsoleApp } from './console-app.ts';
import type { ConsoleServices } from './console-app.ts';
import { createQuietLog } from '../../../../testing/quiet-log.ts';
import { OPAQUE_PATH, createSandboxApp } from '../sandbox/sandbox-app.ts';
import { createSandboxDocuments } from '../sandbox/sandbox-documents.ts';

interface Route {
  readonly method: string;
  readonly path: string;
}

const LABEL = 'abcdefghijklmnopqrstuvwxyz234567';
const log = createQuietLog();
const port = (): number => 0;

const isFirst = (route: Route, index: number, all: readonly Route[]): boolean =>
  all.findIndex((other) => other.method === route.method && other.path === route.path) === index;

/** Every method and path that a router knows, read from the router itself. */
function routesOf(app: { readonly routes: readonly Route[] }): Route[] {
  return app.routes
    .filter((route) => route.method !== 'ALL')
    .map(({ method, path }) => ({ method, path: path.replace(/:\w+/g, 'x').replace('*', 'some/page') }))
    .filter(isFirst);
}

function consoleRoutes(): Route[] {
  const gate = { sessions: {} as never, launchLinks: {} as never, port };
  return routesOf(
    createConsoleApp({ services: {} as ConsoleServices, gate, consoleFolder: '/nowhere', log }),
  );
}

function sandboxRoutes(): Route[] {
  return routesOf(createSandboxApp({ documents: createSandboxDocuments(), port, log }));
}

/** Documents with an opaque origin, which the console's own hosts serve. */
function opaqueRoutes(): Route[] {
  return sandboxRoutes().filter(({ path }) => path.startsWith(OPAQUE_PATH));
}

describe('gates of every route', () => {
  let running: InProcessHost;
  beforeAll(async () => {
    running = await startInProcessHost();
  });
  afterAll(() => running.close());

  const send = (route: Route, headers: Record<string, string>) =>
    http(running.origin + route.path, {
      method: route.method,
      headers,
      body: ['POST', 'PUT', 'PATCH'].includes(route.method) ? '{}' : '',
    });

  it('the router knows every route of the API', () => {
    const known = new Set(consoleRoutes().map(({ path }) => path));
    for (const path of Object.values(ROUTES)) expect(known).toContain(path.replace(/:\w+/g, 'x'));
    expect(consoleRoutes().length).toBeGreaterThan(Object.keys(ROUTES).length);
  });

  it.each([...consoleRoutes(), ...sandboxRoutes()])(
    'K197 $method $path refuses a forged, a missing and a doubled Host, also with any other method and as an upgrade',
    async (route) => {
      const json = { 'content-type': 'application/json', cookie: running.cookie };
      const { port: ours } = running.host;
      const forged = [
        'evil.example',
        `evil.example:${ours}`,
        'portico.localhost',
        `portico.localhost:${ours + 1}`,
      ];
      for (const host of forged) {
        const answer = await send(route, { ...json, host });
        expect([host, answer.status]).toEqual([host, 403]);
        expect(answer.text).toContain(host.split(':')[0]);
        expect(answer.text).toContain(`portico.localhost:${ours}`);
      }
      const twice = `Host: localhost:${ours}\r\n`.repeat(2);
      const upgrade = `Host: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
      for (const method of [route.method, 'OPTIONS', 'HEAD', 'PUT', 'TRACE']) {
        for (const headers of [`${twice}Connection: close\r\n\r\n`, 'Connection: close\r\n\r\n', upgrade]) {
          expect(await rawStatus(ours, `${method} ${route.path} HTTP/1.1\r\n${headers}`)).toBe(403);
        }
      }
    },
  );

  it.each([
    ...consoleRoutes().map((route) => ({ ...route, host: 'portico.localhost' })),
    ...sandboxRoutes().map((route) => ({ ...route, host: `${LABEL}.localhost` })),
    ...opaqueRoutes().map((route) => ({ ...route, host: 'portico.localhost' })),
  ])('K197 $method $path on $host refuses a foreign Origin with any method', async ({ host, ...route }) => {
    const { port: ours, origin } = running.host;
    const foreign = [
      'http://evil.example',
      'null',
      `http://localhost:${ours + 1}`,
      `https://localhost:${ours}`,
      `${origin}.evil.example`,
    ];
    const headers = { 'content-type': 'application/json', cookie: running.cookie, host: `${host}:${ours}` };
    for (const method of [route.method, 'OPTIONS', 'HEAD', 'PUT']) {
      for (const from of foreign) {
        const answer = await send({ ...route, method }, { ...headers, origin: from });
        expect([method, from, answer.status]).toEqual([method, from, 403]);
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      }
    }
  });

  const open = ({ path }: Route): boolean => path.startsWith('/launch') || path === SIGN_IN_PAGES.callback;

  it.each(consoleRoutes().filter((route) => !open(route)))('$method $path wants a session', async (route) => {
    for (const cookie of ['', `portico_session_${running.host.port}=AAAA`]) {
      const answer = await send(route, { 'content-type': 'application/json', cookie });
      expect(answer.status).toBe(401);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  it.each(consoleRoutes().filter(({ method }) => method !== 'GET' && method !== 'DELETE'))(
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

  it.each(consoleRoutes().filter(({ path }) => path.startsWith('/api/')))(
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

  it.each(consoleRoutes())('$method $path is not there on a sandbox host', async (route) => {
    const answer = await send(route, {
      'content-type': 'application/json',
      cookie: running.cookie,
      host: `${LABEL}.localhost:${running.host.port}`,
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
