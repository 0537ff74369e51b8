import { generateRandomNonce } from 'oauth4webapi';
import { systemClock } from '@portico/rpc';
import type { Clock } from '@portico/rpc';
import { wantsNonce } from '../challenge.ts';
import { accessTokenHash, generateDpopKeyPair } from './dpop-keys.ts';
import type { DpopAlg, DpopKeyPair } from './dpop-keys.ts';
import { signJwt } from './sign-jwt.ts';

/** What one proof is about. */
export interface DpopProofRequest {
  /** The request's method. */
  readonly htm: string;
  /** The request's address; query and fragment are left out. */
  readonly htu: string | URL;
  /** The token that goes with the request. */
  readonly accessToken?: string;
  /** The one that was last heard from the origin unless it is given. */
  readonly nonce?: string;
}

/** Origins whose nonces are remembered: a sign-in has two. */
const MAX_ORIGINS = 64;
/** The characters that nonces are made of, and how many of them are kept. Source: RFC 9449, section 8.1. */
const NONCE = /^[\u0021\u0023-\u005b\u005d-\u007e]{1,1024}$/;

/**
 * A key and the nonces that servers want in its proofs. One session lasts as long as the client's
 * registration. Source: RFC 9449.
 */
export class DpopSession {
  readonly #keys: DpopKeyPair;
  readonly #clock: Clock;
  readonly #nonces = new Map<string, string>();

  private constructor(keys: DpopKeyPair, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /** A session with the given key, else with a new one. */
  static async create(
    options: { readonly alg?: DpopAlg; readonly keyPair?: DpopKeyPair; readonly clock?: Clock } = {},
  ): Promise<DpopSession> {
    const { alg, keyPair, clock = systemClock } = options;
    return new DpopSession(keyPair ?? (await generateDpopKeyPair(alg === undefined ? {} : { alg })), clock);
  }

  /** What tokens are bound to. */
  get thumbprint(): string {
    return this.#keys.thumbprint;
  }

  get alg(): DpopAlg {
    return this.#keys.alg;
  }

  get publicJwk(): JsonWebKey {
    return this.#keys.publicJwk;
  }

  /** The nonce that was last heard from the origin of an address. */
  nonceFor(url: string | URL): string | undefined {
    return this.#nonces.get(new URL(url).origin);
  }

  /** Takes a nonce for the origin of an address; the newest one counts. */
  rememberNonce(url: string | URL, nonce: string): void {
    if (!NONCE.test(nonce)) return;
    const { origin } = new URL(url);
    this.#nonces.delete(origin);
    this.#nonces.set(origin, nonce);
    const [oldest] = this.#nonces.keys();
    if (this.#nonces.size > MAX_ORIGINS && oldest !== undefined) this.#nonces.delete(oldest);
  }

  /** Takes the nonce of an answer, if it brings one: any answer may. */
  observeNonce(response: Response, url: string | URL): void {
    const nonce = response.headers.get('dpop-nonce');
    if (nonce !== null) this.rememberNonce(url, nonce);
  }

  /** Makes a proof for one request, never the same twice. Source: RFC 9449, section 4.2. */
  async buildProof(request: DpopProofRequest): Promise<string> {
    const { htm, accessToken } = request;
    const { origin, pathname } = new URL(request.htu);
    const nonce = request.nonce ?? this.nonceFor(origin);
    const { alg, publicJwk, privateKey } = this.#keys;
    const claims = {
      jti: generateRandomNonce(),
      htm: htm.toUpperCase(),
      htu: origin + pathname,
      iat: Math.floor(this.#clock.now() / 1_000),
      ...(accessToken === undefined ? {} : { ath: await accessTokenHash(accessToken) }),
      ...(nonce === undefined ? {} : { nonce }),
    };
    return signJwt({ alg, typ: 'dpop+jwt', jwk: publicJwk }, claims, privateKey);
  }
}

/** Whether a refusal asks for a proof with a nonce, which came with it. Source: RFC 9449, section 9. */
export function isDpopNonceChallenge(response: Response): boolean {
  return response.status === 401 && wantsNonce(response.headers.get('www-authenticate'));
}
