import type { TokenStore } from '@portico/oauth';
import type { TextStorage } from '../environment.ts';

/** Whose sign-in a part of the storage holds. */
export interface AccountPlace {
  readonly storageKeyPrefix: string;
  /** Of the server. */
  readonly url: string;
}

/** Names hold no space once they are encoded, and addresses never do: a key reads one way only. Source: R77. */
function prefixOf({ storageKeyPrefix, url }: AccountPlace): string {
  return `${storageKeyPrefix} ${new URL(url).href} `;
}

/** The name of what is kept under a key, if the key is one of this place. */
function nameIn(prefix: string, key: string): string | undefined {
  const encoded = key.slice(prefix.length);
  if (!key.startsWith(prefix) || encoded.includes(' ')) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function parse(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The part of the storage that belongs to one account: its keys hold the prefix and the whole address. */
export function createAccountStore(storage: TextStorage, place: AccountPlace): TokenStore {
  const prefix = prefixOf(place);
  const keyOf = (name: string): string => prefix + encodeURIComponent(name);
  return {
    get: async (name) => parse(await storage.getItem(keyOf(name))),
    set: async (name, value) => storage.setItem(keyOf(name), JSON.stringify(value)),
    delete: async (name) => storage.removeItem(keyOf(name)),
    names: async () =>
      (await storage.keys()).map((key) => nameIn(prefix, key)).filter((name) => name !== undefined),
  };
}

/** The name that only one who renews the tokens of an account, or replaces them, holds at a time. */
export function lockNameOf(place: AccountPlace): string {
  return prefixOf(place).trimEnd();
}

/** The place that holds something of this name, whatever its prefix and address are. */
export async function findPlace(storage: TextStorage, name: string): Promise<AccountPlace | undefined> {
  const ending = ` ${encodeURIComponent(name)}`;
  for (const key of await storage.keys()) {
    if (!key.endsWith(ending)) continue;
    const place = key.slice(0, -ending.length);
    const at = place.lastIndexOf(' ');
    const url = place.slice(at + 1);
    if (at >= 0 && URL.canParse(url)) return { storageKeyPrefix: place.slice(0, at), url };
  }
  return undefined;
}
