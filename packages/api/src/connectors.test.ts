import { describe, expect, it } from 'vitest';
import { connectorInputSchema } from './connectors.ts';

const command = (name: string, env: object = {}) => ({
  name,
  transport: { kind: 'stdio', command: 'x', env },
});
const address = (url: string) => ({ name: 'a', transport: { kind: 'http', url } });
const secrets = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`K${index}`, 'v']));

describe('connectorInputSchema', () => {
  it.each([
    command('Ämter 日本 e\u0301'),
    command('__proto__'),
    command('a', secrets(256)),
    address('https://h.example/mcp?key=a@b:c'),
    address('HTTP://localhost:3001/mcp'),
  ])('takes %j', (input) => {
    expect(connectorInputSchema.safeParse(input).success).toBe(true);
  });

  it.each([
    ['a direction character', command('a\u202Eb')],
    ['a character of no width', command('a\u200Bb')],
    ['NUL', command('a\0b')],
    ['half a character', command('a\uD800')],
    ['a tag character', command('a\u{E0041}')],
  ])('refuses a name with %s, under which it could pass for another', (_case, input) => {
    expect(connectorInputSchema.safeParse(input).success).toBe(false);
  });

  it.each([
    ['a password', address('http://user:canary@h.example/')],
    ['a user name', address('http://canary@h.example/')],
    ['half a character', address('http://h.example/\uD800canary')],
    ['a direction character', address('http://h.example/\u202Ecanary')],
    ['another scheme', address('file:///canary')],
  ])('refuses an address with %s, without repeating it', (_case, input) => {
    const parsed = connectorInputSchema.safeParse(input);
    expect(parsed.success).toBe(false);
    expect(JSON.stringify(parsed.error?.issues)).not.toContain('canary');
  });

  it('refuses more secrets than a connector can need', () => {
    expect(connectorInputSchema.safeParse(command('a', secrets(257))).success).toBe(false);
  });
});
