import { SIGN_IN_CAUSES } from '@portico/api';
import { describe, expect, it } from 'vitest';
import { signIn as de } from '../i18n/de/sign-in.ts';
import { signIn as en } from '../i18n/en/sign-in.ts';
import { SIGN_IN_ACTIONS } from './sign-in-actions.ts';

/** The ten that have to be told apart. */
const TEN = [
  'no_metadata',
  'registration_refused',
  'redirect_mismatch',
  'access_denied',
  'unknown_state',
  'issuer_mismatch',
  'invalid_grant',
  'wrong_clock',
  'scope_too_small',
  'tls',
] as const;

describe.each([
  ['English', en],
  ['German', de],
])('causes in %s', (_language, texts) => {
  it.each(['cause', 'remedy', 'action'] as const)('K43 have ten different texts of the kind %s', (kind) => {
    expect(new Set(TEN.map((cause) => texts[kind][cause])).size).toBe(TEN.length);
  });

  it('have all three texts for every cause that there is, and none for others', () => {
    for (const kind of ['cause', 'remedy', 'action'] as const)
      expect(Object.keys(texts[kind]).toSorted()).toEqual([...SIGN_IN_CAUSES].toSorted());
  });
});

describe('what can be done', () => {
  it('K43 K44 leads to the client id first where nobody but the person can go on', () => {
    const first = (cause: keyof typeof SIGN_IN_ACTIONS): string => SIGN_IN_ACTIONS[cause][0];
    const byHand = ['registration_refused', 'redirect_mismatch', 'client_id_needed'] as const;
    expect(byHand.map(first)).toEqual(['identity', 'identity', 'identity']);
    // What may be an attack is looked at before anything else.
    expect(first('issuer_mismatch')).toBe('steps');
  });

  it('never leaves anybody without a way to sign in, and to the steps', () => {
    for (const actions of Object.values(SIGN_IN_ACTIONS))
      expect(actions).toEqual(expect.arrayContaining(['sign-in', 'steps']));
  });
});
