import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { HostError } from '../errors.ts';
import type { KeyRing, TurnableSecretBox } from '../ports/secrets.ts';

/** Length of a key: 256 bits, in bytes. */
export const KEY_BYTES: number = 32;

const CIPHER = 'aes-256-gcm';
const FORMAT = 'p1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals with AES-256-GCM (K34). A sealed text is `p1.<key id>.<nonce>.<text and tag>`, the last two in
 * base64url; key id and context are bound to it, so that it opens nowhere else.
 */
export function createSecretBox(initial: KeyRing): TurnableSecretBox {
  let current = namedKey(initial.current);
  let byId = keysById(initial);
  return {
    seal(plain, context) {
      const { id, key } = current;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundTo(id, context));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [FORMAT, id, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
    },
    open(sealed, context) {
      const [format, sealedWith = '', nonceText, body] = sealed.split('.');
      if (format !== FORMAT || nonceText === undefined || body === undefined) {
        throw unreadable('is not in a format that this version knows');
      }
      const key = byId.get(sealedWith);
      if (key === undefined) throw unreadable('was sealed with another key');
      try {
        return decrypt({ key, aad: boundTo(sealedWith, context), nonceText, body });
      } catch (cause) {
        throw unreadable('was changed or moved from its place', cause);
      }
    },
    isCurrent: (sealed) => sealed.startsWith(`${FORMAT}.${current.id}.`),
    turnTo(ring) {
      current = namedKey(ring.current);
      byId = keysById(ring);
    },
  };
}

interface NamedKey {
  readonly id: string;
  readonly key: Uint8Array;
}

function namedKey(key: Uint8Array): NamedKey {
  return { id: keyIdOf(key), key };
}

function keysById({ current, previous }: KeyRing): ReadonlyMap<string, Uint8Array> {
  return new Map([...previous, current].map((key) => [keyIdOf(key), key]));
}

interface Sealed {
  readonly key: Uint8Array;
  readonly aad: Buffer;
  readonly nonceText: string;
  readonly body: string;
}

function decrypt({ key, aad, nonceText, body }: Sealed): string {
  const bytes = Buffer.from(body, 'base64url');
  const nonce = Buffer.from(nonceText, 'base64url');
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(aad);
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
}

/** Names a key without telling anything about it. */
function keyIdOf(key: Uint8Array): string {
  return createHmac('sha256', key).update('portico key id').digest('hex').slice(0, 16);
}

function boundTo(keyId: string, context: string): Buffer {
  return Buffer.from(`${FORMAT}.${keyId}.${context}`, 'utf8');
}

function unreadable(what: string, cause?: unknown): HostError {
  return new HostError('secret_unreadable', {
    message: `a stored secret ${what}`,
    data: { remedy: 'give the key it was stored with (the file "key", or PORTICO_KEY), or enter it again' },
    cause,
  });
}
