import { randomBytes } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** 160 random bits as 32 characters of lowercase base32: for addresses that must not be guessed. */
export function newToken(): string {
  return base32(randomBytes(20));
}

/** A name for a stored thing: a readable kind and 80 random bits. */
export function newId(kind: string): string {
  return `${kind}_${base32(randomBytes(10))}`;
}

/** Lowercase base32 without padding; the length of `bytes` should be a multiple of five. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(value >>> bits) & 31] ?? '';
    }
    value &= (1 << bits) - 1;
  }
  return text;
}
