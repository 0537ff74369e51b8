import { randomBytes } from 'node:crypto';
import { HostError } from '../errors.ts';
import type { HostErrorOptions } from '../errors.ts';
import type { DataFolder } from '../data-folder/data-folder.ts';
import type { KeyHolder, KeyRing } from '../ports/secrets.ts';
import { KEY_BYTES } from './secret-box.ts';

const BASE64_KEY = /^[A-Za-z0-9+/_-]{43}=?$/;
const KEY_FILE = 'key';
/** Most keys in the file: a rotation adds one, and its end leaves one. */
const MAX_KEYS = 8;

/** Keys that the operator gives, each 32 bytes in base64. */
export interface GivenKeys {
  /** PORTICO_KEY */
  readonly key: string | undefined;
  /** PORTICO_PREVIOUS_KEY */
  readonly previousKey: string | undefined;
}

/**
 * The keys that secrets are sealed with: the operator's, else those in the data folder's file `key`,
 * which is made on first use. It has one key a line; the first one seals, all of them open.
 *
 * Throws HostError `key_invalid`.
 */
export async function openKeys(folder: DataFolder, given: GivenKeys): Promise<KeyHolder> {
  if (given.key === undefined) return await keysOfFile(folder);
  return operatorsKeys({
    current: decodeKey(given.key, notAKey('PORTICO_KEY')),
    previous:
      given.previousKey === undefined ? [] : [decodeKey(given.previousKey, notAKey('PORTICO_PREVIOUS_KEY'))],
  });
}

function operatorsKeys(ring: KeyRing): KeyHolder {
  return {
    ring,
    add() {
      // With another key given, everything can be sealed anew; a key of our own would be lost at the next start.
      if (ring.previous.length > 0) return Promise.resolve(ring);
      return Promise.reject(
        new HostError('bad_configuration', {
          message: 'PORTICO_KEY is given, so portico cannot make another key by itself',
          data: {
            setting: 'PORTICO_KEY',
            remedy:
              'start again with the old key in PORTICO_PREVIOUS_KEY and a new one in PORTICO_KEY, then run this command',
          },
        }),
      );
    },
    dropPrevious: () => Promise.resolve({ ...ring, previous: [] }),
  };
}

async function keysOfFile(folder: DataFolder): Promise<KeyHolder> {
  const stored = await folder.readText(KEY_FILE);
  let ring = stored === undefined ? await firstRing(folder) : readRing(stored, folder.pathOf(KEY_FILE));
  const keep = async (next: KeyRing): Promise<KeyRing> => {
    await folder.replaceText(KEY_FILE, textOf(next));
    ring = next;
    return next;
  };
  return {
    get ring() {
      return ring;
    },
    add: () => keep({ current: randomBytes(KEY_BYTES), previous: [ring.current, ...ring.previous] }),
    dropPrevious: () => keep({ current: ring.current, previous: [] }),
  };
}

async function firstRing(folder: DataFolder): Promise<KeyRing> {
  const ring: KeyRing = { current: randomBytes(KEY_BYTES), previous: [] };
  await folder.createText(KEY_FILE, textOf(ring));
  return ring;
}

function readRing(text: string, path: string): KeyRing {
  const refusal = {
    message: `${path} is not a key`,
    data: { path, remedy: 'put the key back from a backup; without it no stored secret can be read' },
  };
  const [current, ...previous] = text
    .trim()
    .split(/\s+/, MAX_KEYS)
    .map((line) => decodeKey(line, refusal));
  if (current === undefined) throw new HostError('key_invalid', refusal);
  return { current, previous };
}

function textOf({ current, previous }: KeyRing): string {
  return [current, ...previous]
    .slice(0, MAX_KEYS)
    .map((key) => `${Buffer.from(key).toString('base64')}\n`)
    .join('');
}

function notAKey(setting: string): HostErrorOptions {
  return {
    message: `${setting} is not 32 bytes of base64`,
    data: { setting, remedy: 'make one with: openssl rand -base64 32' },
  };
}

function decodeKey(text: string, refusal: HostErrorOptions): Uint8Array {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, 'base64');
  if (!BASE64_KEY.test(trimmed) || key.length !== KEY_BYTES) throw new HostError('key_invalid', refusal);
  return key;
}
