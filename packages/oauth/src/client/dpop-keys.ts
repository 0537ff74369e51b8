import { DPoP, calculatePKCECodeChallenge, generateKeyPair } from 'oauth4webapi';

/** Algorithms that proofs may be signed with: asymmetric ones only. Source: RFC 9449, section 11.6. */
export const DPOP_SUPPORTED_ALGS: readonly [
  'ES256',
  'ES384',
  'ES512',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'EdDSA',
] = ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'EdDSA'];

export type DpopAlg = (typeof DPOP_SUPPORTED_ALGS)[number];

/** The key that tokens are bound to. */
export interface DpopKeyPair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  /** Shown in each proof. */
  readonly publicJwk: JsonWebKey;
  /** SHA-256 of the public key, which the server binds tokens to. Source: RFC 7638. */
  readonly thumbprint: string;
  readonly alg: DpopAlg;
}

export interface GenerateDpopKeyPairOptions {
  /** ES256 by default. */
  readonly alg?: DpopAlg;
  /** False by default: a key that cannot be taken out cannot be stolen. */
  readonly extractable?: boolean;
}

/** What a proof shows of a key: no more than identifies it. */
const PUBLIC_MEMBERS: readonly (keyof JsonWebKey)[] = ['kty', 'crv', 'x', 'y', 'n', 'e'];

/** Makes a key pair to bind tokens to. */
export async function generateDpopKeyPair(options: GenerateDpopKeyPairOptions = {}): Promise<DpopKeyPair> {
  const { alg = 'ES256', extractable = false } = options;
  const keys = await generateKeyPair(alg === 'EdDSA' ? 'Ed25519' : alg, { extractable });
  const exported = await crypto.subtle.exportKey('jwk', keys.publicKey);
  const publicJwk = Object.fromEntries(
    PUBLIC_MEMBERS.filter((name) => name in exported).map((name) => [name, exported[name]]),
  );
  const thumbprint = await DPoP({}, keys).calculateThumbprint();
  return { ...keys, publicJwk, thumbprint, alg };
}

/** What a proof says of the token that it goes with: its SHA-256 in base64url. Source: RFC 9449, section 4.2. */
export function accessTokenHash(accessToken: string): Promise<string> {
  return calculatePKCECodeChallenge(accessToken);
}
