import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createPkcePair } from './pkce.ts';

it('makes another verifier each time, with its SHA-256 as challenge', async () => {
  const [one, two] = await Promise.all([createPkcePair(), createPkcePair()]);
  expect(one.codeVerifier).toMatch(/^[\w-]{43,128}$/);
  expect(one.codeChallenge).toBe(createHash('sha256').update(one.codeVerifier).digest('base64url'));
  expect(two.codeVerifier).not.toBe(one.codeVerifier);
});
