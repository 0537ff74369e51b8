import { SdkError, SdkHttpError, SseError, UnauthorizedError } from '@portico/client';
import { ProtocolError } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { proxyReason } from './proxy-reason.ts';

const http = (status: number): SdkHttpError =>
  new SdkHttpError('CLIENT_HTTP_NOT_IMPLEMENTED', { status, statusText: '' });
const network = (step: string, systemCode?: string, cause?: unknown): SdkError =>
  new SdkError('CLIENT_HTTP_NETWORK', {
    data: { step, host: 'server.example', ...(systemCode === undefined ? {} : { systemCode }) },
    cause,
  });

describe('proxyReason', () => {
  it.each([400, 404, 405, 406, 410, 415, 422, 429, 451, 499])('R46 takes the proxy after a %i', (status) => {
    expect(proxyReason(http(status))).toBeTypeOf('string');
    expect(proxyReason(new SseError(status, 'refused'))).toBeTypeOf('string');
  });

  it.each([301, 401, 402, 403, 500, 501, 502, 503, 504])('R46 stays with the server after a %i', (status) => {
    expect(proxyReason(http(status))).toBeUndefined();
    expect(proxyReason(new SseError(status, 'refused'))).toBeUndefined();
  });

  it('R46 takes the proxy when the server was not reached', () => {
    expect(proxyReason(network('tcp', 'ECONNREFUSED'))).toBeTypeOf('string');
    expect(proxyReason(network('address', 'ENOTFOUND'))).toBeTypeOf('string');
    expect(proxyReason(network('unknown'))).toBeTypeOf('string');
    const wrapped = new SdkError('ERA_NEGOTIATION_FAILED', { cause: network('unknown') });
    expect(proxyReason(wrapped)).toBeTypeOf('string');
    expect(proxyReason(new SseError(undefined, 'x', { cause: network('unknown') }))).toBeTypeOf('string');
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
      expect(proxyReason(error), String(error)).toBeUndefined();
    }
  });

  it.each([
    ['Chromium', 'Failed to fetch'],
    ['Firefox', 'NetworkError when attempting to fetch resource.'],
    ['WebKit', 'Load failed'],
  ])('R47 does not look at the wording of %s', (_engine, wording) => {
    expect(proxyReason(network('unknown', undefined, new TypeError(wording)))).toBeTypeOf('string');
    const refused = new SdkHttpError('CLIENT_HTTP_FORBIDDEN', {
      status: 403,
      statusText: wording,
      body: wording,
    });
    expect(proxyReason(refused)).toBeUndefined();
    expect(proxyReason(new SdkError('REQUEST_TIMEOUT', { message: wording }))).toBeUndefined();
  });
});
