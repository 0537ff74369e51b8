import { randomBytes } from 'node:crypto';
import { HostError } from '../errors.ts';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { KEY_BYTES } from './secret-box.ts';

const BASE64_KEY = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * The key that secrets are sealed with: the operator's, else the one in the data folder's file `key`,
 * which is made on first use and never written again.
 *
 * Throws HostError `key_invalid`.
 *
 * @param fromEnvironment value of PORTICO_KEY: 32 bytes in base64
 */
export async function loadKey(folder: DataFolder, fromEnvironment: string | undefined): Promise<Uint8Array> {
  if (fromEnvironment !== undefined) {
    return decodeKey(fromEnvironment, {
      message: 'PORTICO_KEY is not 32 bytes of base64',
      data: { setting: 'PORTICO_KEY', remedy: 'make one with: openssl rand -base64 32' },
    });
  }
  const stored = await folder.readText('key');
  if (stored !== undefined) {
    const path = folder.pathOf('key');
    return decodeKey(stored, {
      message: `${path} is not a key`,
      data: { path, remedy: 'put the key back from a backup; without it no stored secret can be read' },
    });
  }
  const key = randomBytes(KEY_BYTES);
  await folder.createText('key', `${key.toString('base64')}\n`);
  return key;
}

function decodeKey(text: string, refusal: { message: string; data: Record<string, string> }): Uint8Array {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, 'base64');
  if (!BASE64_KEY.test(trimmed) || key.length !== KEY_BYTES) throw new HostError('key_invalid', refusal);
  return key;
}
