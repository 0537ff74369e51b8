import * as officialClient from '@modelcontextprotocol/client';
import * as officialServer from '@modelcontextprotocol/server';
import * as client from '@portico/client';
import * as server from '@portico/server';
import { describe, expect, it } from 'vitest';

const constants = (names: object): [string, unknown][] =>
  Object.entries(names).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
const outcome = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error instanceof TypeError ? 'TypeError' : 'error';
  }
};

describe('constants of the official packages', () => {
  const ours: Readonly<Record<string, unknown>> = { ...client, ...server };
  // Names that are not built yet are the business of the list of names.
  const shared = [...constants(officialClient), ...constants(officialServer)].filter(([name]) =>
    Object.hasOwn(ours, name),
  );
  it.each(shared)('%s has the same value', (name, value) => {
    expect(ours[name]).toBe(value);
  });

  it('have every code and number', () => {
    const codes: object = { ...officialClient.SdkErrorCode };
    expect(client.SdkErrorCode).toMatchObject(codes);
    const numbers = Object.entries(officialClient.ProtocolErrorCode).filter(
      ([, value]) => typeof value === 'number',
    );
    expect(client.ProtocolErrorCode).toMatchObject(Object.fromEntries(numbers));
    const versions: readonly string[] = officialClient.SUPPORTED_PROTOCOL_VERSIONS;
    expect(versions.filter((version) => !client.SUPPORTED_PROTOCOL_VERSIONS.includes(version))).toEqual([]);
  });
});

describe('functions that answer as the official ones do', () => {
  it.each([
    { name: 'a' },
    { name: 'a', title: '' },
    { name: 'a', title: 'A' },
    { name: 'a', annotations: { title: 'noted' } },
    { name: 'a', title: '', annotations: { title: '' } },
    { name: 'a', title: 'A', annotations: { title: 'noted' } },
  ])('getDisplayName of %j', (thing) => {
    expect(client.getDisplayName(thing)).toBe(officialClient.getDisplayName(thing));
  });

  const addresses = [
    'https://a.example/',
    'https://a.example/api',
    'https://a.example/api/',
    'https://a.example/api/x?q#f',
    'https://a.example/api123',
    'http://a.example/api',
    'https://a.example:8443/api',
    'https://b.example/api',
  ];
  it.each(addresses)('checkResourceAllowed and resourceUrlFromServerUrl with %s', (requestedResource) => {
    for (const configuredResource of addresses) {
      const pair = { requestedResource, configuredResource };
      expect(client.checkResourceAllowed(pair)).toBe(officialClient.checkResourceAllowed(pair));
    }
    expect(client.resourceUrlFromServerUrl(requestedResource).href).toBe(
      officialClient.resourceUrlFromServerUrl(requestedResource).href,
    );
  });

  it.each([
    null,
    undefined,
    '',
    'application/json',
    'Application/JSON; charset=utf-8',
    ' application/json ',
    'application/json;',
    'application/json; charset=',
    'application/json; charset="utf-8"',
    'application/json; a="x,y"',
    'application/json, application/json',
    'application/json; charset=utf-8, text/plain',
    'application/jsonx',
    'application/json-rpc',
    'text/plain; a=application/json',
    'text/plain',
  ])('isJsonContentType of %s', (header) => {
    expect(server.isJsonContentType(header)).toBe(officialServer.isJsonContentType(header));
  });

  const hosts = [
    null,
    undefined,
    '',
    'localhost',
    'localhost:3000',
    '[::1]:80',
    '127.0.0.1',
    'LOCALHOST',
    'evil.example',
    'a b',
    'localhost:notaport',
    ':80',
    '%',
  ];
  it.each(hosts)('validateHostHeader of %s', (header) => {
    const verdict = (of: typeof server | typeof officialServer): object => {
      const { message: _message, ...rest } = {
        message: '',
        ...of.validateHostHeader(header, of.localhostAllowedHostnames()),
      };
      return rest;
    };
    expect(verdict(server)).toEqual(verdict(officialServer));
  });

  it.each([
    null,
    undefined,
    '',
    'null',
    'http://localhost:5173',
    'https://[::1]',
    'https://evil.example',
    'file://',
    'no url',
  ])('validateOriginHeader of %s', (header) => {
    const verdict = (of: typeof server | typeof officialServer): object => {
      const { message: _message, ...rest } = {
        message: '',
        ...of.validateOriginHeader(header, of.localhostAllowedOrigins()),
      };
      return rest;
    };
    expect(verdict(server)).toEqual(verdict(officialServer));
  });

  it.each(['localhost:1', 'evil.example'])(
    'the answers to a request for %s of a page there',
    async (host) => {
      const request = new Request('http://localhost/mcp', { headers: { host, origin: `http://${host}` } });
      const shape = async (response: Response | undefined): Promise<unknown> =>
        response && {
          status: response.status,
          type: response.headers.get('content-type'),
          code: ((await response.json()) as { error: { code: number } }).error.code,
        };
      expect(await shape(server.hostHeaderValidationResponse(request, ['localhost']))).toEqual(
        await shape(officialServer.hostHeaderValidationResponse(request, ['localhost'])),
      );
      expect(await shape(server.originValidationResponse(request, ['localhost']))).toEqual(
        await shape(officialServer.originValidationResponse(request, ['localhost'])),
      );
    },
  );

  const messages = [
    {
      method: 'initialize',
      params: { protocolVersion: '1', capabilities: {}, clientInfo: { name: 'n', version: '1' } },
    },
    { method: 'initialize', params: { protocolVersion: '1', capabilities: {} } },
    { method: 'ping' },
    { method: 'notifications/initialized' },
    { method: 'notifications/initialized', params: { _meta: 1 } },
    { task: { ttl: 1 } },
    { task: { ttl: '1' } },
    {},
    null,
    'text',
  ];
  it.each(messages)('the guards of openings and tasks on %j', (value) => {
    const guards = (of: typeof client | typeof officialClient): boolean[] => [
      of.isInitializeRequest(value),
      of.isInitializedNotification(value),
      of.isTaskAugmentedRequestParams(value),
    ];
    expect(guards(client)).toEqual(guards(officialClient));
  });

  it('assertCompleteRequestPrompt and assertCompleteRequestResourceTemplate', () => {
    const argument = { name: 'a', value: '' };
    const refs = [
      { type: 'ref/prompt', name: 'p' },
      { type: 'ref/resource', uri: 'x:{a}' },
    ] as const;
    for (const ref of refs) {
      const request = { method: 'completion/complete' as const, params: { ref, argument } };
      const both = (of: typeof client | typeof officialClient): unknown[] => [
        outcome(() => of.assertCompleteRequestPrompt(request)),
        outcome(() => of.assertCompleteRequestResourceTemplate(request)),
      ];
      expect(both(client)).toEqual(both(officialClient));
    }
  });

  it.each(['x:y', 'x:{a}', 'x:{?a,b}', 'x:{}', 'x:{a b}', 'x:}{'])('UriTemplate.isTemplate of %s', (text) => {
    expect(client.UriTemplate.isTemplate(text)).toBe(officialClient.UriTemplate.isTemplate(text));
  });

  it('createFetchWithInit merges settings and headers', async () => {
    const seen: unknown[] = [];
    const record = (url: string | URL, init?: RequestInit): Promise<Response> => {
      const headers = Object.fromEntries(new Headers(init?.headers));
      seen.push([String(url), init?.method, init?.credentials, headers]);
      return Promise.resolve(new Response());
    };
    for (const of of [client, officialClient]) {
      const settings: RequestInit = { credentials: 'include', headers: { a: '1', b: '1' } };
      await of.createFetchWithInit(record, settings)('https://a.example/', {
        method: 'POST',
        headers: { b: '2' },
      });
      await of.createFetchWithInit(record, settings)('https://a.example/');
    }
    expect(seen.slice(0, 2)).toEqual(seen.slice(2));
  });
});

describe('framing for transports of one’s own', () => {
  const lines = [
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    'restarting…',
    '{"jsonrpc":"2.0","method":"n"}\r',
  ];
  it('reads the same messages out of the same chunks', () => {
    const bytes = Buffer.from(`${lines.join('\n')}\n{"jsonrpc"`);
    const read = (buffer: client.ReadBuffer | officialClient.ReadBuffer): unknown[] => {
      const messages: unknown[] = [];
      for (let at = 0; at < bytes.length; at += 7) {
        buffer.append(bytes.subarray(at, at + 7));
        for (let next = buffer.readMessage(); next !== null; next = buffer.readMessage()) messages.push(next);
      }
      return messages;
    };
    const ours = read(new client.ReadBuffer());
    expect(ours).toHaveLength(2);
    expect(ours).toEqual(read(new officialClient.ReadBuffer()));
  });

  it('throws for JSON that is no message and reads on, and lets go of what is too long', () => {
    for (const buffer of [
      new client.ReadBuffer({ maxBufferSize: 60 }),
      new officialClient.ReadBuffer({ maxBufferSize: 60 }),
    ]) {
      buffer.append(Buffer.from('{"jsonrpc":"1.0"}\n'));
      expect(outcome(() => buffer.readMessage())).toBe('error');
      expect(outcome(() => buffer.append(Buffer.alloc(61, 'x')))).toBe('error');
      buffer.append(Buffer.from(`${lines[0]}\n`));
      expect(buffer.readMessage()).toMatchObject({ method: 'ping' });
      buffer.clear();
      expect(buffer.readMessage()).toBeNull();
    }
  });

  it('writes and reads one message as one line', () => {
    const message = { jsonrpc: '2.0' as const, id: 1, method: 'ping' };
    expect(server.serializeMessage(message)).toBe(officialServer.serializeMessage(message));
    expect(server.deserializeMessage(JSON.stringify(message))).toEqual(message);
    expect(server.parseJSONRPCMessage(message)).toEqual(message);
    for (const value of [undefined, [], { jsonrpc: '2.0' }]) {
      expect(outcome(() => officialServer.parseJSONRPCMessage(value))).toBe('error');
      expect(outcome(() => server.parseJSONRPCMessage(value))).toBe('error');
    }
  });
});
