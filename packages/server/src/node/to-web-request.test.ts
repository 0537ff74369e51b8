import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type ToWebRequestOptions, toWebRequest } from './http.ts';

const open: Server[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
});

/** Sends a request and looks at what it is turned into. */
async function converted<Seen>(
  look: (request: Request) => Promise<Seen> | Seen,
  sent: {
    readonly init?: RequestInit;
    readonly parsed?: unknown;
    readonly options?: ToWebRequestOptions;
  } = {},
): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      const answer = async (): Promise<Seen> => look(await toWebRequest(request, sent.parsed, sent.options));
      answer()
        .then(resolve, reject)
        .finally(() => void response.end());
    });
    open.push(server);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      fetch(`http://127.0.0.1:${String(port)}/a/b?c=d`, sent.init).catch(reject);
    });
  });
}

const POST = {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-own': 'own' },
  body: '{"a":"ü"}',
};

describe('a Node request as a web request', () => {
  it('W234 has its method, address, headers and body', async () => {
    const seen = await converted(
      async (request) => {
        const { pathname, search } = new URL(request.url);
        return [request.method, pathname, search, request.headers.get('x-own'), await request.json()];
      },
      { init: POST },
    );
    expect(seen).toEqual(['POST', '/a/b', '?c=d', 'own', { a: 'ü' }]);
    expect(await converted((request) => [request.method, request.body])).toEqual(['GET', null]);
  });

  it('W234 has the body that was parsed, written out again', async () => {
    const init = { ...POST, headers: { ...POST.headers, 'content-encoding': 'gzip' } };
    const seen = await converted(
      async (request) => [
        request.headers.get('content-encoding'),
        request.headers.get('content-length'),
        await request.text(),
      ],
      { init, parsed: { b: 'é' } },
    );
    expect(seen).toEqual([null, '10', '{"b":"é"}']);
    // What has no JSON form makes no body.
    const none = await converted((request) => [request.body, request.headers.get('content-length')], {
      init,
      parsed: () => 0,
    });
    expect(none).toEqual([null, '0']);
  });

  it('W234 has the signal it is given, and no body over the limit', async () => {
    const controller = new AbortController();
    const aborted = await converted(
      (request) => {
        controller.abort();
        return request.signal.aborted;
      },
      { options: { signal: controller.signal } },
    );
    expect(aborted).toBe(true);
    const tooLong = converted(() => 'read', { init: POST, options: { maxRequestBodySize: 5 } });
    await expect(tooLong).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' });
  });
});
