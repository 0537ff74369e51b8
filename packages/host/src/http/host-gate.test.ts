import { describe, expect, it } from 'vitest';
import { consoleOrigins, judgeHost, sandboxOrigin } from './host-gate.ts';

const PORT = 6874;
const LABEL = 'abcdefghijklmnopqrstuvwxyz234567';
const judge = (...hosts: string[]) =>
  judgeHost(
    hosts.flatMap((host) => ['Host', host]),
    PORT,
  );

describe('judgeHost', () => {
  it.each(['portico.localhost:6874', 'localhost:6874', '127.0.0.1:6874', '[::1]:6874', 'LOCALHOST:6874'])(
    'takes %s for the console',
    (host) => expect(judge(host)).toEqual({ kind: 'console' }),
  );

  it('takes a label of 32 base32 characters below localhost for a sandbox', () => {
    expect(judge(`${LABEL}.localhost:6874`)).toEqual({ kind: 'sandbox', label: LABEL });
  });

  it.each([
    'evil.example:6874',
    'localhost',
    'localhost:80',
    'localhost:6875',
    '127.0.0.2:6874',
    '0.0.0.0:6874',
    'portico.localhost.evil.example:6874',
    'evil-localhost:6874',
    `${LABEL}.portico.localhost:6874`,
    `x.${LABEL}.localhost:6874`,
    'short.localhost:6874',
    `${LABEL}a.localhost:6874`,
    `${LABEL.replace('a', '1')}.localhost:6874`,
    'localhost.:6874',
    'user@localhost:6874',
    'localhost:6874 ',
    '',
  ])('refuses %j and names a way to be allowed', (host) => {
    const verdict = judge(host);
    expect(verdict).toMatchObject({ kind: 'refused' });
    expect(JSON.stringify(verdict)).toContain('portico.localhost:6874');
  });

  it('refuses a missing and a doubled header, whatever the case of its name', () => {
    expect(judgeHost([], PORT)).toMatchObject({ kind: 'refused' });
    expect(judge('localhost:6874', 'localhost:6874')).toMatchObject({ kind: 'refused' });
    expect(judgeHost(['Host', 'localhost:6874', 'hOST', 'evil.example'], PORT)).toMatchObject({
      kind: 'refused',
    });
  });

  it('shows the refused name as plain characters', () => {
    const verdict = judge('evil\u202e.example:1');
    expect(JSON.stringify(verdict)).toContain('evil?.example:1');
  });
});

it('console and sandbox origins carry the port', () => {
  expect(consoleOrigins(PORT)).toContain('http://portico.localhost:6874');
  expect(sandboxOrigin(LABEL, PORT)).toBe(`http://${LABEL}.localhost:6874`);
});
