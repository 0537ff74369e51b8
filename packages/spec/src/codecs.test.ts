import { describe, expect, it } from 'vitest';
import type { ServerCodec, RequestEnvelope } from './codec.ts';
import { CODECS } from './codecs.ts';
import { serverCodecFor } from './server-codecs.ts';

function codec(version: string): ServerCodec {
  const found = serverCodecFor(version);
  if (found === undefined) throw new TypeError(`no codec for ${version}`);
  return found;
}

const modern = codec('2026-07-28');
const legacies = CODECS.filter(({ era }) => era === 'legacy').map(({ version }) => codec(version));
const envelope: RequestEnvelope = {
  protocolVersion: '2026-07-28',
  clientCapabilities: { sampling: {} },
  clientInfo: { name: 'c', version: '1' },
  logLevel: 'warning',
};
const wireMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { sampling: {} },
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  'io.modelcontextprotocol/logLevel': 'warning',
};

describe('params', () => {
  it('get the envelope beside the caller’s own keys, and the caller’s object stays as it is', () => {
    const own = { progressToken: 3, traceparent: '00-a-b-01', 'com.example/x': { y: [1] } };
    const params = Object.freeze({ name: 't', _meta: Object.freeze(own) });
    expect(modern.encodeParams(params, envelope)).toEqual({
      name: 't',
      _meta: { ...wireMeta, ...own },
    });
    expect(modern.encodeParams(undefined, envelope)).toEqual({ _meta: wireMeta });
  });

  it('leave out what the client does not tell', () => {
    const least = { protocolVersion: '2026-07-28', clientCapabilities: {} };
    expect(modern.encodeParams({}, least)).toEqual({
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    });
  });

  it('cannot be made to carry another envelope', () => {
    const params = { _meta: { 'io.modelcontextprotocol/protocolVersion': '1999-01-01' } };
    const encoded = modern.encodeParams(params, envelope);
    expect(encoded?.['_meta']).toEqual(wireMeta);
  });

  it('pass unchanged in the legacy era', () => {
    const params = { a: 1 };
    for (const legacy of legacies) {
      expect(legacy.encodeParams(params, envelope)).toBe(params);
      expect(legacy.encodeParams(undefined, envelope)).toBeUndefined();
      expect(legacy.decodeRequest(params)).toEqual({
        ok: true,
        request: { params, envelope: undefined },
      });
    }
  });

  it('come back without the envelope and with every other key', () => {
    const own = { progressToken: 0, 'com.example/x': 1, 'io.modelcontextprotocol/other': 2 };
    const sent = { name: 't', _meta: { ...wireMeta, ...own } };
    expect(modern.decodeRequest(sent)).toEqual({
      ok: true,
      request: { params: { name: 't', _meta: own }, envelope },
    });
    expect(modern.decodeRequest({ name: 't', _meta: wireMeta })).toEqual({
      ok: true,
      request: { params: { name: 't' }, envelope },
    });
  });

  it.each([
    ['io.modelcontextprotocol/protocolVersion', undefined],
    ['io.modelcontextprotocol/protocolVersion', 3],
    ['io.modelcontextprotocol/clientCapabilities', undefined],
    ['io.modelcontextprotocol/clientCapabilities', []],
    ['io.modelcontextprotocol/clientCapabilities', { roots: true }],
    ['io.modelcontextprotocol/clientInfo', { name: 'x' }],
    ['io.modelcontextprotocol/clientInfo', null],
    ['io.modelcontextprotocol/logLevel', 'loud'],
  ])('are refused with %s being %j', (key, value) => {
    const outcome = modern.decodeRequest({ _meta: { ...wireMeta, [key]: value } });
    expect(outcome).toMatchObject({ ok: false, error: { code: -32602 } });
    expect(!outcome.ok && outcome.error.message.includes(key)).toBe(true);
  });

  it('are refused without any envelope, naming both required keys', () => {
    for (const params of [undefined, {}, { _meta: null }, { _meta: [] }]) {
      expect(modern.decodeRequest(params)).toMatchObject({
        error: { message: expect.stringMatching(/protocolVersion.*clientCapabilities/) as string },
      });
    }
  });

  it('keep a key called __proto__ as data', () => {
    const params = JSON.parse('{"__proto__":{"x":1},"_meta":{"__proto__":{"y":2}}}') as object;
    const encoded = modern.encodeParams(params, envelope);
    expect(JSON.stringify(encoded)).toContain('"__proto__":{"x":1}');
    expect(JSON.stringify(encoded)).toContain('"__proto__":{"y":2}');
    expect(Object.getPrototypeOf(encoded)).toBe(Object.prototype);
  });
});

describe('results', () => {
  const serverInfo = { name: 's', version: '1' };
  const key = 'io.modelcontextprotocol/serverInfo';

  it('get type and identity in the modern era', () => {
    const result = Object.freeze({ content: [], _meta: Object.freeze({ 'com.example/x': 1 }) });
    expect(modern.encodeResult('tools/call', result, { serverInfo })).toEqual({
      resultType: 'complete',
      content: [],
      _meta: { [key]: serverInfo, 'com.example/x': 1 },
    });
    expect(modern.encodeResult('vendor/x', {})).toEqual({ resultType: 'complete' });
  });

  it('keep the identity and type that the handler set', () => {
    const mine = { name: 'mine', version: '2' };
    const result = { resultType: 'input_required', requestState: 's', _meta: { [key]: mine } };
    expect(modern.encodeResult('tools/call', result, { serverInfo })).toEqual(result);
  });

  it('get cache hints where the method is cacheable and the result complete', () => {
    const stamp = { ttlMs: 5, cacheScope: 'public' } as const;
    const encode = (method: string, result: object): object => modern.encodeResult(method, result, stamp);
    expect(encode('tools/list', { tools: [] })).toMatchObject({ ttlMs: 5, cacheScope: 'public' });
    expect(encode('tools/list', { tools: [], ttlMs: 9, cacheScope: 'private' })).toMatchObject({
      ttlMs: 9,
      cacheScope: 'private',
    });
    expect(encode('tools/list', { tools: [], ttlMs: -1 })).toMatchObject({ ttlMs: 5 });
    expect(encode('tools/call', { content: [] })).not.toHaveProperty('ttlMs');
    expect(encode('resources/read', { resultType: 'input_required' })).not.toHaveProperty('ttlMs');
    expect(modern.encodeResult('prompts/list', { prompts: [] })).toMatchObject({
      ttlMs: 0,
      cacheScope: 'private',
    });
  });

  it('name the subscription that they end', () => {
    expect(modern.encodeResult('subscriptions/listen', {}, { subscriptionId: 0 })).toEqual({
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/subscriptionId': 0 },
    });
  });

  it('show nothing modern on a legacy wire', () => {
    const result = {
      tools: [],
      resultType: 'complete',
      ttlMs: 1,
      cacheScope: 'public',
      _meta: { [key]: serverInfo, a: 1 },
    };
    for (const legacy of legacies) {
      expect(legacy.encodeResult('tools/list', result, { serverInfo })).toEqual({
        tools: [],
        _meta: { a: 1 },
      });
      const plain = { ttlMs: 1 };
      expect(legacy.encodeResult('vendor/x', plain)).toBe(plain);
    }
  });

  it.each([
    [{ content: [] }, { kind: 'complete', result: { content: [] } }],
    [
      { resultType: 'complete', content: [] },
      { kind: 'complete', result: { content: [] } },
    ],
    [{ resultType: 'task' }, { kind: 'invalid', resultType: 'task' }],
    [{ resultType: 3 }, { kind: 'unsupported', resultType: 3 }],
    [{ resultType: 'input_required' }, { kind: 'invalid' }],
    [{ resultType: 'input_required', requestState: 3 }, { kind: 'invalid' }],
    [
      { resultType: 'input_required', inputRequests: { a: { method: 'tools/call', params: {} } } },
      { kind: 'invalid' },
    ],
    ['text', { kind: 'invalid' }],
    [null, { kind: 'invalid' }],
    [[], { kind: 'invalid' }],
  ])('are read by their type first: %j', (result, expected) => {
    expect(modern.decodeResult('tools/call', result)).toEqual(expected);
  });

  it('may ask for input only where the method allows it', () => {
    const result = {
      resultType: 'input_required',
      inputRequests: { r: { method: 'roots/list' }, e: { method: 'elicitation/create', params: {} } },
      requestState: '',
    };
    for (const method of ['tools/call', 'prompts/get', 'resources/read']) {
      expect(modern.decodeResult(method, result)).toEqual({ kind: 'input_required', result });
    }
    for (const method of ['tools/list', 'completion/complete', 'vendor/x']) {
      expect(modern.decodeResult(method, result)).toEqual({ kind: 'invalid' });
    }
  });

  it('are taken as they are in the legacy era, when they are objects', () => {
    for (const legacy of legacies) {
      const result = { resultType: 'anything' };
      expect(legacy.decodeResult('tools/call', result)).toEqual({ kind: 'complete', result });
      expect(legacy.decodeResult('tools/call', 3)).toEqual({ kind: 'invalid' });
    }
  });

  it('of a tool may lack content beside a structured value', () => {
    for (const each of CODECS) {
      expect(each.decodeResult('tools/call', { structuredContent: 0 })).toEqual({
        kind: 'complete',
        result: { structuredContent: 0, content: [] },
      });
      expect(each.decodeResult('tools/call', {})).toEqual({ kind: 'complete', result: {} });
    }
  });

  it('tell the server’s identity when it is well formed', () => {
    expect(modern.serverInfoOf({ _meta: { [key]: serverInfo } })).toEqual(serverInfo);
    for (const bad of [undefined, null, 'x', { name: 's' }, []]) {
      expect(modern.serverInfoOf({ _meta: { [key]: bad } })).toBeUndefined();
    }
    const initialized: object = { serverInfo };
    expect(codec('2025-11-25').serverInfoOf(initialized)).toEqual(serverInfo);
    expect(codec('2025-11-25').serverInfoOf({})).toBeUndefined();
  });
});

describe('notifications', () => {
  it('name their subscription in the modern era only', () => {
    const params = Object.freeze({ uri: 'a:b', _meta: { x: 1 } });
    expect(modern.encodeNotification(params, 'sub')).toEqual({
      uri: 'a:b',
      _meta: { x: 1, 'io.modelcontextprotocol/subscriptionId': 'sub' },
    });
    expect(modern.encodeNotification(undefined, 0)).toEqual({
      _meta: { 'io.modelcontextprotocol/subscriptionId': 0 },
    });
    expect(modern.encodeNotification(params)).toBe(params);
    expect(codec('2025-11-25').encodeNotification(params, 'sub')).toBe(params);
  });
});
