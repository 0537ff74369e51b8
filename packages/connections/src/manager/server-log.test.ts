import { describe, expect, it } from 'vitest';
import { maskSecrets } from './mask-secrets.ts';
import { createServerLog } from './server-log.ts';
import type { ServerLog, WrittenLevel } from './server-log.ts';
import type { LogLevel } from './server-config.ts';

interface LogSetting {
  readonly log: ServerLog;
  readonly printed: [method: string, message: string][];
}

function createLog(level: LogLevel = 'silent', secrets: readonly string[] = []): LogSetting {
  const printed: [string, string][] = [];
  const print =
    (method: string) =>
    (message: string): void =>
      void printed.push([method, message]);
  const console = { error: print('error'), warn: print('warn'), info: print('info'), debug: print('debug') };
  const log = createServerLog({ now: () => 1_234, level: () => level, secrets: () => secrets, console });
  return { log, printed };
}

const LEVELS = ['error', 'warn', 'info', 'http', 'verbose', 'debug', 'silly'] as const;
const NONE: readonly LogLevel[] = ['silent'];

describe('createServerLog', () => {
  it.each([...NONE, ...LEVELS])('R122 fills the array at level %s', (level) => {
    const { log } = createLog(level);
    for (const written of LEVELS) log.write(written, written);
    expect(log.entries.map(({ level: kept, message, timestamp }) => [kept, message, timestamp])).toEqual([
      ['error', 'error', 1_234],
      ['warn', 'warn', 1_234],
      ['info', 'info', 1_234],
      ['debug', 'http', 1_234],
      ['debug', 'verbose', 1_234],
      ['debug', 'debug', 1_234],
      ['debug', 'silly', 1_234],
    ]);
  });

  it('R122 keeps the last 100, oldest first', () => {
    const { log } = createLog();
    const before = log.entries;
    for (let count = 1; count <= 101; count++) log.write('info', String(count));
    expect(log.entries).toHaveLength(100);
    expect([log.entries[0]?.message, log.entries.at(-1)?.message]).toEqual(['2', '101']);
    expect(before).toEqual([]);
    expect(() => log.entries.pop()).toThrow(TypeError);
  });

  it('R122 R170 keeps 2 KiB of each text and cuts no character', () => {
    const { log } = createLog();
    log.write('info', 'x'.repeat(2_049));
    log.write('info', `x${'\u{1F600}'.repeat(600)}`);
    log.write('info', 'word '.repeat(400_000));
    expect(log.entries[0]?.message).toBe('x'.repeat(2_048));
    expect(log.entries[1]?.message).toBe(`x${'\u{1F600}'.repeat(511)}`);
    expect(log.entries[2]?.message.length).toBe(2_048);
  });

  it('R123 prints nothing when silent', () => {
    const { log, printed } = createLog();
    for (const written of LEVELS) log.write(written, 'x');
    expect(printed).toEqual([]);
  });

  it.each(LEVELS)('R123 prints at level %s what is as severe or more', (level) => {
    const { log, printed } = createLog(level);
    for (const written of LEVELS) log.write(written, written);
    const expected: readonly WrittenLevel[] = LEVELS.slice(0, LEVELS.indexOf(level) + 1);
    expect(printed.map(([, message]) => message)).toEqual(expected);
    const methods = ['error', 'warn', 'info', 'debug', 'debug', 'debug', 'debug'];
    expect(printed.map(([method]) => method)).toEqual(methods.slice(0, expected.length));
  });

  it('R125 masks entries and console lines alike', () => {
    const { log, printed } = createLog('silly', ['Bearer CANARY-TOKEN', 'blue-CANARY']);
    log.write('error', 'failed with CANARY-TOKEN and blue-CANARY at https://a.example/?key=CANARY');
    expect(log.entries[0]?.message).toBe('failed with *** and *** at https://a.example/?key=***');
    expect(printed).toEqual([['error', log.entries[0]?.message]]);
  });

  it('R125 shows no part of a secret that a cut goes through', () => {
    const secret = `CANARY${'Z'.repeat(4_000)}`;
    const { log } = createLog('silent', [secret]);
    // Most of what is read is masked, so what is at its end is kept.
    log.write('info', `${secret} ${secret} ${secret}`);
    expect(log.entries[0]?.message).not.toContain('CANARY');
  });
});

describe('maskSecrets', () => {
  it.each([
    ['https://me:CANARY@a.example/x', 'https://***@a.example/x'],
    ['wss://me:p@CANARY@a.example', 'wss://***@a.example'],
    [
      'at https://a.example/cb?code=CANARY&state=CANARY#t=CANARY.',
      'at https://a.example/cb?code=***&state=***#t=***',
    ],
    ['/back?error=x&iss=CANARY', '/back?error=***&iss=***'],
    ['Authorization: Bearer CANARY.a-b_c', 'Authorization: *** ***'],
    ['sent bearer CANARY', 'sent bearer ***'],
    ['DPoP CANARY', 'DPoP ***'],
    ['{"access_token":"CANARY","refresh_token": "CANARY"}', '{"access_token":"***","refresh_token": "***"}'],
    ['code=CANARY code_verifier=CANARY client_secret=CANARY', 'code=*** code_verifier=*** client_secret=***'],
    ['{"code": "CANARY", "id_token":"CANARY"}', '{"code": "***", "id_token":"***"}'],
    ['token eyJhbGciOiJub25lIn0.CANARY.CANARY was refused', 'token *** was refused'],
    ['x-api-key: CANARY', 'x-api-key: ***'],
  ])('R125 takes out what must not be told from %s', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  it.each([
    'the server answered with error code: -32601',
    'connected to https://a.example:8443/mcp after 12 ms',
    'tools/list: 30 tools, 2 pages; code -1 came back',
    'what the token server said was no JSON',
  ])('R125 leaves the rest alone: %s', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  it('R125 takes out known secrets, whole and in words, the longer ones first', () => {
    expect(maskSecrets('a Bearer abcd efgh, efghij', ['efgh', 'Bearer abcd', 'efghij'])).toBe(
      'a *** ***, ***',
    );
    // A word of one letter would take everything apart.
    expect(maskSecrets('a b c', ['a', 'b c'])).toBe('a b c');
  });

  it('R170 takes no longer with hostile text', () => {
    for (const piece of ['a', 'a+', '?a', '://', 'bearer ', 'eyJa.', 'code=', 'a@', 'https://a']) {
      const text = piece.repeat(8_192 / piece.length);
      const startMs = performance.now();
      maskSecrets(text);
      expect(performance.now() - startMs, piece).toBeLessThan(250);
    }
  });
});
