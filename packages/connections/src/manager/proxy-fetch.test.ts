import { SdkError, SdkHttpError, SseError, UnauthorizedError } from '@portico/client';
import { ProtocolError } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { createProxyFetch, isProxiableFailure, oauthProxyOf } from './proxy-fetch.ts';

const PROXY = 'https://proxy.example/api/proxy';
const SERVER = 'https://server.example/mcp?tenant=1';

describe('createProxyFetch', () => {
  it('R50 keeps method, body and status, and names the real address', async () => {
    const sent: [string, RequestInit | undefined][] = [];
    const fetch = createProxyFetch({
      proxyAddress: PROXY,
      proxyHeaders: { 'X-Proxy-Key': 'p', 'X-Both': 'proxy', 'x-target-url': 'https://evil.example' },
      fetch: async (url, init) => {
        sent.push([String(url), init]);
        return new Response('no', { status: 418 });
      },
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

const http = (status: number): SdkHttpError =>
  new SdkHttpError('CLIENT_HTTP_NOT_IMPLEMENTED', { status, statusText: '' });
const network = (step: string, systemCode?: string, cause?: unknown): SdkError =>
  new SdkError('CLIENT_HTTP_NETWORK', {
    data: { step, host: 'server.example', ...(systemCode === undefined ? {} : { systemCode }) },
    cause,
  });

describe('isProxiableFailure', () => {
  it.each([400, 404, 405, 406, 410, 415, 422, 429, 451, 499])('R46 takes the proxy after a %i', (status) => {
    expect(isProxiableFailure(http(status))).toBe(true);
    expect(isProxiableFailure(new SseError(status, 'refused'))).toBe(true);
  });

  it.each([301, 401, 402, 403, 500, 501, 502, 503, 504])('R46 stays with the server after a %i', (status) => {
    expect(isProxiableFailure(http(status))).toBe(false);
    expect(isProxiableFailure(new SseError(status, 'refused'))).toBe(false);
  });

  it('R46 takes the proxy when the server was not reached', () => {
    expect(isProxiableFailure(network('tcp', 'ECONNREFUSED'))).toBe(true);
    expect(isProxiableFailure(network('address', 'ENOTFOUND'))).toBe(true);
    expect(isProxiableFailure(network('unknown'))).toBe(true);
    const wrapped = new SdkError('ERA_NEGOTIATION_FAILED', { cause: network('unknown') });
    expect(isProxiableFailure(wrapped)).toBe(true);
    expect(isProxiableFailure(new SseError(undefined, 'x', { cause: network('unknown') }))).toBe(true);
  });

  it('R46 stays with the server after a time-out, an abort, a login and all that is no HTTP failure', () => {
    for (const error of [
      network('tcp', 'ETIMEDOUT'),
      network('tcp', 'UND_ERR_CONNECT_TIMEOUT'),
      network('tls', 'CERT_HAS_EXPIRED'),
      new SdkError('REQUEST_TIMEOUT'),
      new SdkError('REQUEST_ABORTED'),
      new SdkError('UNSUPPORTED_PROTOCOL_VERSION'),
      new SdkHttpError('CLIENT_HTTP_AUTHENTICATION', { status: 401, statusText: '' }),
      new UnauthorizedError(),
      new ProtocolError(-32603, 'no'),
      new TypeError('Failed to fetch'),
      undefined,
    ]) {
      expect(isProxiableFailure(error), String(error)).toBe(false);
    }
  });

  it.each([
    ['Chromium', 'Failed to fetch'],
    ['Firefox', 'NetworkError when attempting to fetch resource.'],
    ['WebKit', 'Load failed'],
  ])('R47 does not look at the wording of %s', (_engine, wording) => {
    expect(isProxiableFailure(network('unknown', undefined, new TypeError(wording)))).toBe(true);
    const refused = new SdkHttpError('CLIENT_HTTP_FORBIDDEN', {
      status: 403,
      statusText: wording,
      body: wording,
    });
    expect(isProxiableFailure(refused)).toBe(false);
    expect(isProxiableFailure(new SdkError('REQUEST_TIMEOUT', { message: wording }))).toBe(false);
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
    expect(oauthProxyOf(undefined, proxyInUse)).toBe(expected);
  });

  it('R51 R52 derives none without a proxy in use, and puts the given one first', () => {
    const given = 'https://own.example/oauth';
    expect(oauthProxyOf(undefined, undefined)).toBeUndefined();
    expect(oauthProxyOf(given, undefined)).toBe(given);
    expect(oauthProxyOf(given, PROXY)).toBe(given);
  });
});
