import { createHmac, randomBytes } from 'node:crypto';
import type { SettingStore } from '../ports/stores.ts';
import { base32 } from '../random-ids.ts';

const SETTING = 'sandbox_secret';

/**
 * Names of sandbox hosts: always the same for one connector or artifact, so that its storage stays,
 * and not to be guessed by other pages.
 */
export interface SandboxLabels {
  /** 32 lowercase base32 characters. */
  labelOf(kind: 'connector' | 'artifact', id: string): string;
}

/** Reads the random that the names are made with; makes it on the first start. */
export async function loadSandboxLabels(settings: SettingStore): Promise<SandboxLabels> {
  let secret = await settings.get(SETTING);
  if (secret === undefined) {
    secret = randomBytes(32).toString('hex');
    await settings.put(SETTING, secret);
  }
  const key = Buffer.from(secret, 'hex');
  return {
    labelOf: (kind, id) => base32(createHmac('sha256', key).update(`${kind}:${id}`).digest().subarray(0, 20)),
  };
}
