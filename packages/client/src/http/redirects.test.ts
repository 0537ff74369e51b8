import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createScriptedFetch, initializeResult, jsonResult } from '../../../../testing/scripted-fetch.ts';
import { Client } from '../client.ts';
import { StreamableHTTPClientTransport } from './transport.ts';

const SECRET = 'canary';

/** Connects where `location` of a request's n-th answer is a redirect; afterwards the server answers. */
async function connect(status: number, locations: readonly string[]) {
  const asked: string[] = [];
  const server = createScriptedFetch((request) => {
    const location = locations[asked.length - 1];
    if (location !== undefined) return new Response(null, { status, headers: { location } });
    if (request.method === 'GET') return new Response(null, { status: 405 });
    if (request.body?.id === undefined) return new Response(null, { status: 202 });
    return jsonResult(request, initializeResult());
  });
  const clock = createManualClock();
  const client = new Client(
    { name: 'test', version: '1' },
    { clock, versionNegotiation: { mode: 'legacy' } },
  );
  const transport = new StreamableHTTPClientTransport('http://server.test/mcp', {
    clock,
    requestInit: { headers: { 'x-key': SECRET } },
    fetch: (url, init) => {
      asked.push(url.href);
      expect(init.redirect).toBe('manual');
      return server.fetch(url, init);
    },
  });
  const failure = await client.connect(transport).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { failure, asked, log: server.log };
}

describe('redirects', () => {
  it.each([301, 302, 307, 308])(
    'with status %i within the origin are followed as they were asked',
    async (status) => {
      const { failure, asked, log } = await connect(status, ['/mcp/', 'http://server.test/v1/']);
      expect(failure).toBeUndefined();
      expect(asked.slice(0, 3)).toEqual([
        'http://server.test/mcp',
        'http://server.test/mcp/',
        'http://server.test/v1/',
      ]);
      expect(log[2]).toMatchObject({ method: 'POST', rpc: 'initialize' });
      expect(log[2]?.headers.get('x-key')).toBe(SECRET);
    },
  );

  it.each([
    'http://other.test/mcp',
    'https://server.test/mcp',
    'http://server.test:81/mcp',
    '//other.test/mcp',
    'http://user:word@server.test/mcp',
    'file:///etc/passwd',
    'http://169.254.169.254/latest',
    'http://[',
  ])('to %s get neither the request nor its headers', async (location) => {
    const { failure, asked } = await connect(307, [location]);
    expect(failure).toMatchObject({ data: { status: 307, location } });
    expect(new Set(asked)).toEqual(new Set(['http://server.test/mcp']));
  });

  it('in circles end', async () => {
    const { failure, asked } = await connect(
      302,
      Array.from({ length: 50 }, () => '/mcp'),
    );
    expect(failure).toMatchObject({ data: { status: 302 } });
    expect(asked.length).toBeLessThan(20);
  });

  it('that would drop the content are none', async () => {
    const { failure } = await connect(303, ['/elsewhere']);
    expect(failure).toMatchObject({ data: { status: 303 } });
  });
});
