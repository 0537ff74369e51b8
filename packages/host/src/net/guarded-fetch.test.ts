import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { AddressClass } from './address-class.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import type { GuardedFetch, GuardedFetchOptions } from './guarded-fetch.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

interface Site {
  readonly port: number;
  readonly seen: IncomingMessage[];
}

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Site> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, seen };
}

function open(options: Partial<GuardedFetchOptions> = {}): GuardedFetch {
  const guarded = createGuardedFetch({
    mayReach: (kind) => kind === 'loopback',
    resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    ...options,
  });
  cleanUps.push(() => guarded.close());
  return guarded;
}

const REFUSED = { code: 'address_refused' };
const found = (address: string) => ({ address, family: address.includes(':') ? 6 : 4 });

describe('a guarded fetch', () => {
  it('talks to what it may reach, by name and by address', async () => {
    const site = await serve((_request, response) => response.end('hello'));
    const { fetch } = open();
    expect(await (await fetch(`http://a.example:${site.port}/x?y=1`)).text()).toBe('hello');
    const answer = await fetch(`http://127.0.0.1:${site.port}/`);
    expect(await answer.text()).toBe('hello');
    expect([answer instanceof Response, answer.headers instanceof Headers]).toEqual([true, true]);
    expect(site.seen.map(({ url, headers }) => [url, headers.host])).toEqual([
      ['/x?y=1', `a.example:${site.port}`],
      ['/', `127.0.0.1:${site.port}`],
    ]);
  });

  it.each([
    'http://127.0.0.1:1/',
    'http://2130706433:1/',
    'http://0x7f.1:1/',
    'http://0177.0.0.1:1/',
    'http://[::1]:1/',
    'http://[::ffff:127.0.0.1]:1/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://0.0.0.0:1/',
  ])('refuses %s where only the internet may be reached', async (url) => {
    const { fetch } = open({ mayReach: () => false });
    await expect(fetch(url)).rejects.toMatchObject(REFUSED);
  });

  it('refuses metadata services whatever may be reached', async () => {
    const { fetch } = open({ mayReach: () => true });
    await expect(fetch('http://169.254.169.254/')).rejects.toMatchObject({
      ...REFUSED,
      data: { host: '169.254.169.254', reason: 'a metadata address' },
    });
  });

  it('refuses a name if one of its addresses is refused', async () => {
    const site = await serve((_request, response) => response.end());
    const { fetch } = open({ resolve: () => Promise.resolve([found('127.0.0.1'), found('10.0.0.1')]) });
    await expect(fetch(`http://mixed.example:${site.port}/`)).rejects.toMatchObject(REFUSED);
    expect(site.seen).toEqual([]);
  });

  it('connects to the addresses that it looked at: a name that changes its mind gains nothing', async () => {
    const site = await serve((_request, response) => response.end('first'));
    const answers = ['127.0.0.1', '10.0.0.1'];
    const asked: string[] = [];
    const { fetch } = open({
      resolve: (name) => {
        asked.push(name);
        return Promise.resolve([found(answers[asked.length - 1] ?? '10.0.0.1')]);
      },
    });
    expect(await (await fetch(`http://moving.example:${site.port}/`)).text()).toBe('first');
    expect(asked).toEqual(['moving.example']);
    await expect(fetch('http://moving.example:9999/')).rejects.toMatchObject(REFUSED);
  });

  it.each(['ftp://a.example/', 'file:///etc/passwd', 'javascript:alert(1)', 'http://user:pass@a.example/'])(
    'refuses %s',
    async (url) => {
      await expect(open().fetch(url)).rejects.toMatchObject(REFUSED);
    },
  );

  it('looks at every hop, and keeps credentials with their origin', async () => {
    const second = await serve((_request, response) => response.end('there'));
    const first = await serve(({ url }, response) => {
      const target = url === '/inside' ? 'http://10.0.0.1/' : `http://b.example:${second.port}/`;
      response.writeHead(302, { location: target }).end();
    });
    const { fetch } = open();
    const headers = { authorization: 'Bearer t', 'x-own': '1' };
    const answer = await fetch(`http://a.example:${first.port}/`, { headers });
    expect(await answer.text()).toBe('there');
    expect(first.seen[0]?.headers.authorization).toBe('Bearer t');
    expect(second.seen[0]?.headers.authorization).toBeUndefined();
    expect(second.seen[0]?.headers['x-own']).toBe('1');
    await expect(fetch(`http://a.example:${first.port}/inside`)).rejects.toMatchObject(REFUSED);
  });

  it('follows five hops and no more, and none for a request that changes something', async () => {
    const site = await serve(({ url }, response) => {
      const at = Number(url?.slice(1));
      if (at === 5) response.end('end');
      else response.writeHead(307, { location: `/${at + 1}` }).end();
    });
    const { fetch } = open();
    expect(await (await fetch(`http://a.example:${site.port}/0`)).text()).toBe('end');
    await expect(fetch(`http://a.example:${site.port}/-1`)).rejects.toMatchObject(REFUSED);
    const posted = await fetch(`http://a.example:${site.port}/0`, { method: 'POST', body: 'secret' });
    expect(posted.status).toBe(307);
    const manual = await fetch(`http://a.example:${site.port}/0`, { redirect: 'manual' });
    expect(manual.status).toBe(307);
  });

  it('tells which places a caller lets it reach', async () => {
    const asked: [AddressClass, string][] = [];
    const { fetch } = open({
      mayReach: (kind, target) => {
        asked.push([kind, target.host]);
        return false;
      },
      resolve: () => Promise.resolve([found('192.168.1.1')]),
    });
    await expect(fetch('http://home.example/')).rejects.toMatchObject(REFUSED);
    expect(asked).toEqual([['private', 'home.example']]);
  });

  it('passes failures of names and connections on as they are', async () => {
    const failure = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    const lost = await open({ resolve: () => Promise.reject(failure) })
      .fetch('http://lost.example/')
      .catch((error: unknown) => error);
    expect(lost).toMatchObject({ cause: { code: 'ENOTFOUND' } });
    const empty = await open({ resolve: () => Promise.resolve([]) })
      .fetch('http://empty.example/')
      .catch((error: unknown) => error);
    expect(empty).toMatchObject({ cause: { code: 'ENOTFOUND' } });
    const gone = await serve((_request, response) => response.end());
    await cleanUps.pop()?.();
    const closed = await open()
      .fetch(`http://closed.example:${gone.port}/`)
      .catch((error: unknown) => error);
    expect(closed).toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });
});
