import { type Clock, systemClock } from '@portico/rpc';
import { type CryptoKey, createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { ResourceConfigError } from '../config-errors.ts';
import {
  askUpstream,
  isConfidential,
  jsonObjectOf,
  UpstreamError,
  type UpstreamOptions,
} from '../upstream.ts';

/** How the keys of an issuer are fetched and kept. */
export interface RemoteKeysOptions extends UpstreamOptions {
  /** Milliseconds until keys are fetched anew. Default 600 000. */
  readonly maxAgeMs?: number;
  /** Least milliseconds between two fetches, however many unknown keys are named. Default 30 000. */
  readonly cooldownMs?: number;
  /** Milliseconds that keys serve on while the issuer cannot be reached. Default 86 400 000. */
  readonly maxStaleMs?: number;
}

/** Keys that one document may hold; more are refused. */
const MAX_KEYS = 100;
const DEFAULT_MAX_AGE_MS = 600_000;
const DEFAULT_COOLDOWN_MS = 30_000;
const DEFAULT_MAX_STALE_MS = 86_400_000;

/** The key of a token, from a document that is given. */
export function localKeys(keys: JSONWebKeySet): JWTVerifyGetKey {
  return createLocalJWKSet(keys);
}

/**
 * The key of a token, from a document that is fetched when it is first needed, again when it is old,
 * and again for a key that it does not hold. Of parallel needs one fetches.
 *
 * @throws ResourceConfigError `keys_address_refused`
 */
export function remoteKeys(url: URL, options: RemoteKeysOptions = {}): JWTVerifyGetKey {
  if (!isConfidential(url)) throw new ResourceConfigError('keys_address_refused', { url: url.href });
  const keys = new RemoteKeys(url, options);
  return (header, token) => keys.find((from) => from(header, token));
}

class RemoteKeys {
  readonly #url: URL;
  readonly #options: RemoteKeysOptions;
  readonly #clock: Clock;
  #known: { readonly keys: JWTVerifyGetKey; readonly fetchedAtMs: number } | undefined;
  #triedAtMs = Number.NEGATIVE_INFINITY;
  #fetching: Promise<void> | undefined;

  constructor(url: URL, options: RemoteKeysOptions) {
    this.#url = url;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async find(pick: (keys: JWTVerifyGetKey) => ReturnType<JWTVerifyGetKey>): Promise<CryptoKey> {
    if (this.#ageMs() > (this.#options.maxAgeMs ?? DEFAULT_MAX_AGE_MS)) await this.#refresh();
    try {
      return (await pick(this.#current())) as CryptoKey;
    } catch (error) {
      // Issuers change keys at any time: an unknown one may be new.
      if (!(error instanceof errors.JWKSNoMatchingKey) || this.#coolingDown()) throw error;
      await this.#refresh();
      return (await pick(this.#current())) as CryptoKey;
    }
  }

  #current(): JWTVerifyGetKey {
    const stale = this.#ageMs() > (this.#options.maxStaleMs ?? DEFAULT_MAX_STALE_MS);
    if (this.#known === undefined || stale) {
      throw new UpstreamError('unreachable', { url: this.#url.origin + this.#url.pathname });
    }
    return this.#known.keys;
  }

  #ageMs(): number {
    return this.#clock.now() - (this.#known?.fetchedAtMs ?? Number.NEGATIVE_INFINITY);
  }

  #coolingDown(): boolean {
    return this.#clock.now() - this.#triedAtMs < (this.#options.cooldownMs ?? DEFAULT_COOLDOWN_MS);
  }

  /** Does nothing so soon after the last try. Rejects only where no keys are left. */
  async #refresh(): Promise<void> {
    if (this.#fetching === undefined && this.#coolingDown()) return;
    this.#fetching ??= this.#fetch().finally(() => (this.#fetching = undefined));
    try {
      await this.#fetching;
    } catch (error) {
      const age = this.#ageMs();
      if (age > (this.#options.maxStaleMs ?? DEFAULT_MAX_STALE_MS)) throw error;
    }
  }

  async #fetch(): Promise<void> {
    this.#triedAtMs = this.#clock.now();
    const accept = 'application/jwk-set+json, application/json';
    const answer = await askUpstream(this.#url, { headers: { accept } }, this.#options);
    const { keys } = jsonObjectOf(answer, this.#url);
    const data = { url: this.#url.origin + this.#url.pathname, status: answer.status };
    if (answer.status !== 200 || !Array.isArray(keys) || keys.length > MAX_KEYS) {
      throw new UpstreamError('unusable', data);
    }
    let known: JWTVerifyGetKey;
    try {
      known = createLocalJWKSet({ keys } as JSONWebKeySet);
    } catch (cause) {
      throw new UpstreamError('unusable', data, cause);
    }
    this.#known = { keys: known, fetchedAtMs: this.#clock.now() };
  }
}
