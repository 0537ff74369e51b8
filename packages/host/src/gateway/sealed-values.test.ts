import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecretBox } from '../secrets/secret-box.ts';
import type { ConnectorRecord, StoredTransport } from '../ports/stores.ts';
import { openHeaders, openVariables, sealTransport } from './sealed-values.ts';

const secrets = createSecretBox({ current: randomBytes(32), previous: [] });
const stdio = (env: Record<string, string | null>) => ({
  kind: 'stdio' as const,
  command: 'x',
  args: [],
  env,
});
const http = (headers: Record<string, string | null>) => ({
  kind: 'http' as const,
  url: 'http://h.example/',
  headers,
});
type Input = Parameters<typeof sealTransport>[1]['input'];
const seal = (input: Input, previous?: StoredTransport) =>
  sealTransport(secrets, { connectorId: 'c1', input, previous });
const record = (transport: StoredTransport, id = 'c1'): ConnectorRecord => ({
  id,
  name: 'x',
  label: '',
  groupId: id,
  transport,
  enabled: true,
  starts: 'with_portico',
  approvedHash: null,
  createdAtMs: 0,
});

describe('sealed values', () => {
  it('are not in what is stored, and open again for their connector only', () => {
    const transport = seal(stdio({ KEY: 'canary', TWIN: 'canary' }));
    expect(JSON.stringify(transport)).not.toContain('canary');
    if (transport.kind !== 'stdio') throw new TypeError('wrong kind');
    expect(transport.env['KEY']).not.toBe(transport.env['TWIN']);
    expect(openVariables(secrets, record(transport))).toEqual({ KEY: 'canary', TWIN: 'canary' });
    expect(() => openVariables(secrets, record(transport, 'c2'))).toThrowError(
      expect.objectContaining({ code: 'secret_unreadable' }),
    );
  });

  it('of headers open to exactly what was typed', () => {
    expect(openHeaders(secrets, record(seal(http({ Authorization: 'Bearer x' }))))).toEqual({
      Authorization: 'Bearer x',
    });
  });

  it('null keeps the stored value and other names are dropped', () => {
    const first = seal(stdio({ A: '1', B: '2' }));
    const second = seal(stdio({ A: null, C: '3' }), first);
    expect(openVariables(secrets, record(second))).toEqual({ A: '1', C: '3' });
  });

  it.each([
    ['a kept value that is not there', stdio({ A: null })],
    ['a variable name with an equals sign', stdio({ 'A=B': '1' })],
    ['a value with NUL', stdio({ A: 'a\0b' })],
    ['a value with half a character', stdio({ A: 'a\ud800' })],
    ['a variable name with half a character', stdio({ 'A\ud800': 'a' })],
    ['an argument with NUL', { ...stdio({}), args: ['a', 'b\0'] }],
    ['an argument with half a character', { ...stdio({}), args: ['\udc00'] }],
    ['a folder with NUL', { ...stdio({}), cwd: '/tmp/\0x' }],
    ['a header name with a space', http({ 'X Y': '1' })],
    ['a header value with a line break', http({ X: 'a\r\nHost: evil' })],
    ['a header of the transport itself', http({ Host: 'evil' })],
  ])('refuses %s', (_case, input) => {
    expect(() => seal(input)).toThrowError(expect.objectContaining({ code: 'bad_request' }));
  });
});
