import { describe, expect, it } from 'vitest';
import { oauthProxyOf, proxiedFetch } from './proxied-fetch.ts';

const PROXY = 'https://proxy.example/api/proxy';
const SERVER = 'https://server.example/mcp?tenant=1';

describe('proxiedFetch', () => {
  it('R50 keeps method, body and status, and names the real address', async () => {
    const sent: [string, RequestInit | undefined][] = [];
    const answerTo = async (url: string | URL, init?: RequestInit): Promise<Response> => {
      sent.push([String(url), init]);
      return new Response('no', { status: 418 });
    };
    const fetch = proxiedFetch(answerTo, {
      proxyAddress: PROXY,
      headers: { 'X-Proxy-Key': 'p', 'X-Both': 'proxy', 'X-Target-Url': 'https://evil.example' },
    });
    const { signal } = new AbortController();
    const answer = await fetch(new URL(SERVER), {
      method: 'DELETE',
      body: 'text',
      signal,
      headers: { authorization: 'Bearer a', 'x-both': 'server', 'X-TARGET-URL': 'https://evil.example' },
    });
    expect(answer.status).toBe(418);
    const [[url, init] = []] = sent;
    expect(sent).toHaveLength(1);
    expect(url).toBe(PROXY);
    expect(init).toMatchObject({ method: 'DELETE', body: 'text', signal });
    expect(Object.fromEntries(new Headers(init?.headers))).toEqual({
      authorization: 'Bearer a',
      'x-both': 'server',
      'x-proxy-key': 'p',
      'x-target-url': SERVER,
    });
    await fetch(SERVER);
    expect(new Headers(sent[1]?.[1]?.headers).get('x-target-url')).toBe(SERVER);
  });
});

describe('oauthProxyOf', () => {
  it.each([
    ['https://proxy.example/proxy', 'https://proxy.example/oauth'],
    ['https://proxy.example/proxy/', 'https://proxy.example/oauth'],
    ['https://proxy.example/inspector/api/proxy', 'https://proxy.example/inspector/api/oauth'],
    ['https://proxy.example/proxy/proxy', 'https://proxy.example/proxy/oauth'],
    ['https://proxy', undefined],
    ['https://proxy.example/', undefined],
    ['https://proxy.example/myproxy', undefined],
    ['https://proxy.example/proxy/x', undefined],
    ['https://proxy.example/proxy?key=1', undefined],
    ['https://proxy.example/Proxy', undefined],
  ])('R52 derives from %s the address %s', (proxyInUse, expected) => {
    expect(oauthProxyOf(proxyInUse)).toBe(expected);
  });

  it('R52 derives none while nothing is proxied', () => {
    expect(oauthProxyOf(undefined)).toBeUndefined();
  });
});
