import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { applyMiddlewares, createMiddleware, withLogging } from './middleware.ts';
import type { LoggedRequest, Middleware } from './middleware.ts';

const stamp = (name: string, log: string[]): Middleware =>
  createMiddleware(async (next, input, init) => {
    log.push(`${name} in`);
    const response = await next(input, init);
    log.push(`${name} out`);
    return response;
  });

describe('middlewares', () => {
  it('stand around each other, the last one outermost, and none is none', async () => {
    const log: string[] = [];
    const fetch = applyMiddlewares(
      stamp('a', log),
      stamp('b', log),
    )(async () => {
      log.push('fetch');
      return new Response('x');
    });
    expect(await (await fetch('http://a.test')).text()).toBe('x');
    expect(log).toEqual(['b in', 'a in', 'fetch', 'a out', 'b out']);
    const plain = async (): Promise<Response> => new Response('y');
    expect(applyMiddlewares()(plain)).toBe(plain);
  });

  it('may change requests and answers', async () => {
    const seen: unknown[] = [];
    const fetch = createMiddleware(async (next, input, init) => {
      const response = await next(`${String(input)}/more`, { ...init, headers: { 'x-own': '1' } });
      return new Response(`${await response.text()}!`, { status: 201 });
    })(async (input, init) => {
      seen.push([input, init]);
      return new Response('x');
    });
    const response = await fetch('http://a.test', { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([201, 'x!']);
    expect(seen).toEqual([['http://a.test/more', { method: 'POST', headers: { 'x-own': '1' } }]]);
  });
});

describe('logging', () => {
  const build = (
    options: Omit<Parameters<typeof withLogging>[0] & object, 'logger' | 'clock'>,
    answer: () => Response,
  ): { entries: LoggedRequest[]; fetch: (method?: string) => Promise<Response> } => {
    const entries: LoggedRequest[] = [];
    const clock = createManualClock();
    const logger = (entry: LoggedRequest): void => {
      entries.push(entry);
      throw new TypeError('a logger that throws');
    };
    const fetch = withLogging({ ...options, logger, clock })(async () => {
      await clock.advance(25);
      return answer();
    });
    return {
      entries,
      fetch: (method) =>
        fetch('http://a.test/mcp', {
          ...(method === undefined ? {} : { method }),
          headers: { 'x-sent': 's' },
          body: 'secret',
        }),
    };
  };

  it('reports method, address, status and time, and changes nothing', async () => {
    const answer = new Response('body', { status: 202, statusText: 'Taken', headers: { 'x-got': 'g' } });
    const { entries, fetch } = build({}, () => answer);
    expect(await fetch('POST')).toBe(answer);
    expect(entries).toEqual([
      { method: 'POST', url: 'http://a.test/mcp', status: 202, statusText: 'Taken', duration: 25 },
    ]);
    await fetch();
    expect(entries[1]?.method).toBe('GET');
  });

  it('adds headers when it is asked to, and never a body', async () => {
    const { entries, fetch } = build(
      { includeRequestHeaders: true, includeResponseHeaders: true },
      () => new Response('body', { headers: { 'x-got': 'g' } }),
    );
    await fetch();
    expect(entries[0]?.requestHeaders?.get('x-sent')).toBe('s');
    expect(entries[0]?.responseHeaders?.get('x-got')).toBe('g');
    expect(JSON.stringify(entries)).not.toContain('secret');
  });

  it('leaves out what is below the level, but no failure', async () => {
    const quiet = build({ statusLevel: 400 }, () => new Response(null, { status: 204 }));
    await quiet.fetch();
    expect(quiet.entries).toEqual([]);
    const loud = build({ statusLevel: 400 }, () => new Response(null, { status: 404 }));
    await loud.fetch();
    expect(loud.entries).toMatchObject([{ status: 404 }]);
    const failure = new TypeError('no network');
    const failing = build({ statusLevel: 600 }, () => {
      throw failure;
    });
    await expect(failing.fetch()).rejects.toBe(failure);
    expect(failing.entries).toMatchObject([{ status: 0, error: failure, duration: 25 }]);
  });
});
