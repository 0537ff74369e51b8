import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServerCodec } from './codec.ts';
import { serverCodecFor } from './server-codecs.ts';
import { decodeHeaderValue, encodeHeaderValue } from './rev-2026-07-28/header-values.ts';
import { checkParamHeaders, encodeParamHeaders, findParamHeaders } from './rev-2026-07-28/param-headers.ts';

function codec(version: string): ServerCodec {
  const found = serverCodecFor(version);
  if (found === undefined) throw new TypeError(`no codec for ${version}`);
  return found;
}

const modern = codec('2026-07-28');
const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

const reader =
  (headers: Record<string, string>) =>
  (name: string): string | null =>
    new Headers(headers).get(name);

describe('header values', () => {
  it.each([
    ['us-west1', 'us-west1'],
    ['a b\tc', 'a b\tc'],
    ['Grüße', '=?base64?R3LDvMOfZQ==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['a\nb', '=?base64?YQpi?='],
    ['', '=?base64??='],
    ['=?base64?x?=', '=?base64?PT9iYXNlNjQ/eD89?='],
  ])('carry %j as %j', (value, header) => {
    expect(encodeHeaderValue(value)).toBe(header);
    expect(decodeHeaderValue(header)).toBe(value);
  });

  it.each([['=?base64?***?='], ['=?base64?YQ?='], ['=?base64?/w==?='], [' x'], ['a\u0000b'], ['é']])(
    'are malformed as %j',
    (header) => {
      expect(decodeHeaderValue(header)).toBeUndefined();
    },
  );

  it('come back from any text and never break a header', () => {
    const property = fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      const header = encodeHeaderValue(value);
      expect(header).toMatch(/^[\x20-\x7e\t]*$/);
      expect(new Headers({ x: header }).get('x')).toBe(header);
      expect(decodeHeaderValue(header)).toBe(value);
    });
    fc.assert(property, { seed: 6, numRuns: 500 });
    const long = 'é'.repeat(200_000);
    expect(decodeHeaderValue(encodeHeaderValue(long))).toBe(long);
  });
});

describe('standard headers', () => {
  it.each([
    ['tools/call', { name: 'echo', _meta: meta }, 'echo'],
    ['prompts/get', { name: 'Grüße' }, '=?base64?R3LDvMOfZQ==?='],
    ['resources/read', { uri: 'a:b' }, 'a:b'],
    ['tasks/get', { taskId: 't' }, 't'],
    ['tools/list', { name: 'no' }, undefined],
    ['tools/call', { name: 3 }, undefined],
    ['tools/call', undefined, undefined],
    ['vendor/x', { name: 'no' }, undefined],
  ])('of %s %j name %s', (method, params, name) => {
    const message = params === undefined ? { method, id: 1 } : { method, id: 1, params };
    expect(modern.headersFor(message)).toEqual({
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(name === undefined ? {} : { 'Mcp-Name': name }),
    });
  });

  it('are only the version on legacy wires that know it, and nothing for initialize', () => {
    const message = { method: 'tools/call', id: 1, params: { name: 'x' } };
    const version = { 'MCP-Protocol-Version': '2025-11-25' };
    expect(codec('2025-11-25').headersFor(message)).toEqual(version);
    expect(codec('2025-11-25').headersFor({ method: 'initialize', id: 1 })).toEqual({});
    expect(codec('2025-03-26').headersFor(message)).toEqual({});
    expect(codec('2025-11-25').checkHeaders(reader({}), message)).toBeUndefined();
  });

  const message = { method: 'tools/call', id: 1, params: { name: 'Grüße', _meta: meta } };
  const good = modern.headersFor(message);

  it('pass when they fit the body, whatever the case of their names', () => {
    expect(modern.checkHeaders(reader(good), message)).toBeUndefined();
    const lower = Object.fromEntries(
      Object.entries(good).map(([name, value]) => [name.toLowerCase(), value]),
    );
    expect(modern.checkHeaders(reader(lower), message)).toBeUndefined();
  });

  it.each([
    ['MCP-Protocol-Version', undefined],
    ['MCP-Protocol-Version', '2025-11-25'],
    ['Mcp-Method', undefined],
    ['Mcp-Method', 'TOOLS/CALL'],
    ['Mcp-Method', 'tools/list'],
    ['Mcp-Name', undefined],
    ['Mcp-Name', 'Gruesse'],
    ['Mcp-Name', '=?base64?!?='],
  ])('are refused with %s being %s', (name, value) => {
    const headers = { ...good };
    if (value === undefined) Reflect.deleteProperty(headers, name);
    else headers[name] = value;
    const error = modern.checkHeaders(reader(headers), message);
    expect(error).toMatchObject({ code: -32020 });
    expect(error?.message).toContain(name);
  });

  it('may be missing on notifications, but not contradict them', () => {
    const note = { method: 'notifications/x', params: { _meta: meta } };
    expect(modern.checkHeaders(reader({}), note)).toBeUndefined();
    expect(modern.checkHeaders(reader({ 'Mcp-Method': 'y' }), note)).toMatchObject({ code: -32020 });
  });
});

describe('parameter headers', () => {
  const schema = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      query: { type: 'string', default: { 'x-mcp-header': 'data, not schema' } },
      nested: {
        type: 'object',
        properties: {
          count: { type: 'integer', 'x-mcp-header': 'Count' },
          properties: { type: 'boolean', 'x-mcp-header': 'Flag' },
        },
      },
    },
  };

  it('are found along chains of properties', () => {
    expect(findParamHeaders(schema)).toEqual({
      ok: true,
      headers: [
        { header: 'Mcp-Param-Region', path: ['region'], type: 'string' },
        { header: 'Mcp-Param-Count', path: ['nested', 'count'], type: 'integer' },
        { header: 'Mcp-Param-Flag', path: ['nested', 'properties'], type: 'boolean' },
      ],
    });
    expect(findParamHeaders({ type: 'object' })).toEqual({ ok: true, headers: [] });
  });

  const at = (property: object): object => ({ type: 'object', properties: { a: property } });
  const marked = { type: 'string', 'x-mcp-header': 'A' };
  let deep: object = marked;
  for (let level = 0; level < 150; level += 1) deep = at(deep);

  it.each([
    [at({ type: 'string', 'x-mcp-header': '' })],
    [at({ type: 'string', 'x-mcp-header': 'a b' })],
    [at({ type: 'string', 'x-mcp-header': 'a\r\nb' })],
    [at({ type: 'string', 'x-mcp-header': 3 })],
    [at({ type: 'number', 'x-mcp-header': 'A' })],
    [at({ type: ['string', 'null'], 'x-mcp-header': 'A' })],
    [at({ 'x-mcp-header': 'A' })],
    [at({ type: 'array', items: marked })],
    [at({ anyOf: [marked] })],
    [at({ not: { properties: { b: marked } } })],
    [{ type: 'object', $defs: { a: marked }, properties: { a: { $ref: '#/$defs/a' } } }],
    [{ type: 'object', 'x-mcp-header': 'A' }],
    [{ properties: { a: marked, b: { type: 'string', 'x-mcp-header': 'a' } } }],
    [deep],
  ])('make a tool unusable when misplaced (case %#)', (wrong) => {
    expect(findParamHeaders(wrong)).toMatchObject({ ok: false });
  });

  const found = findParamHeaders(schema);
  const headers = found.ok ? found.headers : [];

  it('repeat the arguments that are there', () => {
    const args = { region: 'Zürich', nested: { count: -7, properties: false } };
    expect(encodeParamHeaders(headers, args)).toEqual({
      'Mcp-Param-Region': '=?base64?WsO8cmljaA==?=',
      'Mcp-Param-Count': '-7',
      'Mcp-Param-Flag': 'false',
    });
    expect(encodeParamHeaders(headers, { region: null, nested: { count: 2 ** 60 } })).toEqual({});
    expect(encodeParamHeaders(headers, undefined)).toEqual({});
  });

  it('are compared after decoding, integers by value', () => {
    const args = { region: 'Zürich', nested: { count: 42, properties: true } };
    const good = encodeParamHeaders(headers, args);
    expect(checkParamHeaders(headers, args, reader(good))).toBeUndefined();
    expect(checkParamHeaders(headers, args, reader({ ...good, 'Mcp-Param-Count': '42.0' }))).toBeUndefined();
    for (const wrong of [
      { 'Mcp-Param-Count': '43' },
      { 'Mcp-Param-Region': 'Zuerich' },
      { 'Mcp-Param-Region': '=?base64?!?=' },
      { 'Mcp-Param-Flag': 'TRUE' },
    ]) {
      const sent = { ...good, ...wrong };
      expect(checkParamHeaders(headers, args, reader(sent))).toMatchObject({ code: -32020 });
    }
  });

  it('W106 are needed for values only, and compared as what they stand for', () => {
    const count = { nested: { count: 42 } };
    const rows: readonly [
      args: object | undefined,
      header: string,
      sent: string | undefined,
      fits: boolean,
    ][] = [
      [{ region: 'eu' }, 'Region', 'eu', true],
      [{ region: 'eu' }, 'Region', undefined, false],
      [{ region: 'eu' }, 'Region', 'us', false],
      [{ region: 'eu' }, 'Region', 'EU', false],
      [{ region: 'Zürich' }, 'Region', '=?base64?WsO8cmljaA==?=', true],
      [{ region: 'Zürich' }, 'Region', 'Zuerich', false],
      [{ region: 'Zürich' }, 'Region', '=?base64?!?=', false],
      [{ region: '' }, 'Region', '', true],
      [{ region: '42' }, 'Region', '42.0', false],
      [{ region: null }, 'Region', undefined, true],
      [{ region: null }, 'Region', 'surplus', true],
      [{}, 'Region', undefined, true],
      [{}, 'Region', 'surplus', true],
      [undefined, 'Region', 'surplus', true],
      [{}, 'Region', '=?base64?!?=', false],
      [{ region: ['eu'] }, 'Region', undefined, true],
      [{ region: ['eu'] }, 'Region', 'eu', false],
      [count, 'Count', '42', true],
      [count, 'Count', '42.0', true],
      [count, 'Count', '4.2e1', true],
      [count, 'Count', '0x2a', false],
      [count, 'Count', '42.5', false],
      [count, 'Count', '', false],
      [count, 'Count', undefined, false],
      [{ nested: { count: null } }, 'Count', '42', true],
      [{ nested: null }, 'Count', '42', true],
      [{ nested: { count: 2 ** 53 - 1 } }, 'Count', '9007199254740991', true],
      // Beyond the safe integers different numbers would compare as equal.
      [{ nested: { count: 2 ** 60 } }, 'Count', '1152921504606846977', false],
      [{ nested: { properties: true } }, 'Flag', 'true', true],
      [{ nested: { properties: true } }, 'Flag', 'TRUE', false],
      [{ nested: { properties: false } }, 'Flag', '0', false],
      [{ region: 'eu' }, 'Other', 'unknown', false],
    ];
    const judged = rows.map(([args, header, sent]) => {
      const given = sent === undefined ? {} : { [`Mcp-Param-${header}`]: sent };
      const fault = checkParamHeaders(headers, args, reader(given));
      return fault === undefined ? true : fault.code;
    });
    expect(judged).toEqual(rows.map(([, , , fits]) => (fits ? true : -32_020)));
    const known = { 'Mcp-Param-Region': 'eu', 'Mcp-Param-Other': 'x' };
    expect(checkParamHeaders(headers, { region: 'eu' }, reader(known))).toBeUndefined();
  });
});
