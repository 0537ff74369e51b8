import { expect, it } from 'vitest';
import { z } from 'zod';
import { assertSafePattern } from './safe-pattern.ts';

const verdict = (pattern: string): number | string => {
  try {
    return assertSafePattern(pattern, 1000);
  } catch (error) {
    return (error as { code: string }).code;
  }
};

it('W254 never runs patterns whose repetitions can share out a text in many ways', () => {
  const bad = [
    '(a+)+$',
    '(a*)*b',
    '(a|a)*b',
    '(a|aa)+$',
    '(.*a){12}',
    '^(\\w+\\s?)*$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(x+x+)+y',
    'a*a*b',
    '\\d+\\d+x',
    '(?:.*)+b',
    '^(a?){30}(a?){30}$',
    '(a{1,30}){1,30}b',
    '([a-z]+)\\1',
    '(?<n>a)\\k<n>',
    '^.*@.*\\..*:.*$',
    '(?=(a+)+$)x',
    'x'.repeat(1001),
  ];
  for (const pattern of bad) expect([pattern, verdict(pattern)]).toEqual([pattern, 'UNSAFE_PATTERN']);
});

it('runs the patterns that schemas have', () => {
  const good = [
    '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    '^[0-9a-fA-F]{64}$',
    '^https?://[^\\s/]+(/[^\\s]*)?$',
    '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
    '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)$',
    '^#?([a-f0-9]{6}|[a-f0-9]{3})$',
    '^\\+?[1-9]\\d{1,14}$',
    '^[A-Z][a-z]+( [A-Z][a-z]+)*$',
    '^\\/(?:[^/]+\\/)*[^/]*$',
    '\\u{1F600}|[\\x41-\\x5A]+',
    '^(?!admin)[a-z]{3,20}$',
    '^$',
    '',
  ];
  for (const pattern of good) expect([pattern, typeof verdict(pattern)]).toEqual([pattern, 'number']);
});

it('runs what zod writes for its text formats', () => {
  const schemas = [
    z.email(),
    z.uuid(),
    z.guid(),
    z.cuid(),
    z.cuid2(),
    z.ulid(),
    z.nanoid(),
    z.ipv4(),
    z.ipv6(),
    z.cidrv4(),
    z.base64(),
    z.base64url(),
    z.e164(),
    z.iso.date(),
    z.iso.time(),
    z.iso.datetime(),
    z.iso.duration(),
    z.jwt(),
    z.emoji(),
    z.url(),
    z.hostname(),
    z.hex(),
  ];
  for (const schema of schemas) {
    const { pattern } = z.toJSONSchema(schema) as { pattern?: string };
    if (pattern === undefined) continue;
    expect([pattern, typeof verdict(pattern)]).toEqual([pattern, 'number']);
  }
});

it('runs others on short texts only', () => {
  expect(verdict('^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$')).toBe(20_000);
  expect(verdict('a*b')).toBe(20_000);
  expect(verdict('^.*foo.*bar.*$')).toBe(500);
  expect(verdict('^a*b')).toBe(Infinity);
});
