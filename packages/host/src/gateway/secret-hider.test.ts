import { describe, expect, it } from 'vitest';
import { secretHider } from './secret-hider.ts';

describe('secretHider', () => {
  const hide = secretHider({
    TOKEN: 'canary-token',
    LONGER: 'canary-token-and-more',
    Authorization: 'Bearer canary-bearer',
    KEY: '-----BEGIN KEY-----\nAbCdEfGh/$&\n-----END KEY-----',
    PORT: '8080',
    EMPTY: '',
  });

  it.each([
    ['token canary-token refused', 'token [value of TOKEN] refused'],
    ['canary-token, canary-token', '[value of TOKEN], [value of TOKEN]'],
    ['canary-token-and-more', '[value of LONGER]'],
    ['sent: Bearer canary-bearer', 'sent: [value of Authorization]'],
    ['sent: canary-bearer', 'sent: [value of Authorization]'],
    ['AbCdEfGh/$&', '[value of KEY]'],
    ['cut in the middle: canary-to', 'cut in the middle: [value of LONGER]'],
    ['wanted: Bearer of something', 'wanted: Bearer of something'],
    ['listening on 8080', 'listening on 8080'],
    ['nothing of it', 'nothing of it'],
    ['', ''],
  ])('makes of %j %j', (text, hidden) => {
    expect(hide(text)).toBe(hidden);
  });

  it('leaves everything where there is no secret', () => {
    expect(secretHider({})('a canary-token')).toBe('a canary-token');
  });
});
