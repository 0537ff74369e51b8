import { OAuthClientFlowError } from '../flow-errors.ts';

/** What a signature is made with, by the name that JOSE has for it. Source: RFC 7518, section 3.1; RFC 8037. */
const ALGORITHMS: Readonly<Record<string, { readonly name: string; readonly [parameter: string]: unknown }>> =
  {
    ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
    ES384: { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
    ES512: { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' },
    RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    RS384: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-384' },
    RS512: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-512' },
    PS256: { name: 'RSA-PSS', hash: 'SHA-256', saltLength: 32 },
    PS384: { name: 'RSA-PSS', hash: 'SHA-384', saltLength: 48 },
    PS512: { name: 'RSA-PSS', hash: 'SHA-512', saltLength: 64 },
    EdDSA: { name: 'Ed25519' },
    HS256: { name: 'HMAC', hash: 'SHA-256' },
    HS384: { name: 'HMAC', hash: 'SHA-384' },
    HS512: { name: 'HMAC', hash: 'SHA-512' },
  };

/** A private or secret key: PEM (PKCS#8) or a secret's text, its bytes, or a JWK. */
export type SigningKey = string | Uint8Array | Record<string, unknown>;

function algorithmOf(alg: string): { readonly name: string; readonly [parameter: string]: unknown } {
  const algorithm = Object.hasOwn(ALGORITHMS, alg) ? ALGORITHMS[alg] : undefined;
  if (algorithm !== undefined) return algorithm;
  throw new OAuthClientFlowError('signing_key_unusable', { data: { alg, reason: 'no such algorithm' } });
}

/** Bytes in the alphabet of URLs, without padding. */
function base64url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function encodedJson(value: unknown): string {
  return base64url(new TextEncoder().encode(JSON.stringify(value)));
}

/** The bytes between the lines of a PEM text. */
function fromPem(pem: string): Uint8Array<ArrayBuffer> {
  const body = /-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----/.exec(pem)?.[1];
  if (body === undefined) throw new TypeError('the text is no PKCS#8 private key');
  return Uint8Array.from(atob(body.replaceAll(/\s/g, '')), (character) => character.codePointAt(0) ?? 0);
}

function bytesOf(key: string | Uint8Array, symmetric: boolean): Uint8Array<ArrayBuffer> {
  if (typeof key === 'string') return symmetric ? new TextEncoder().encode(key) : fromPem(key);
  const pem = !symmetric && key[0] === '-'.codePointAt(0);
  return pem ? fromPem(new TextDecoder().decode(key)) : Uint8Array.from(key);
}

/**
 * Makes a key usable for one algorithm.
 *
 * @throws OAuthClientFlowError `signing_key_unusable`
 */
export async function importSigningKey(key: SigningKey, alg: string): Promise<CryptoKey> {
  const algorithm = algorithmOf(alg);
  const symmetric = algorithm.name === 'HMAC';
  try {
    if (typeof key === 'string' || key instanceof Uint8Array) {
      const format = symmetric ? 'raw' : 'pkcs8';
      return await crypto.subtle.importKey(format, bytesOf(key, symmetric), algorithm, false, ['sign']);
    }
    const { key_ops: _operations, use: _use, ...jwk } = key;
    return await crypto.subtle.importKey('jwk', jwk as JsonWebKey, algorithm, false, ['sign']);
  } catch (error) {
    const data = { alg, reason: 'the key cannot be read' };
    throw new OAuthClientFlowError('signing_key_unusable', { data, cause: error });
  }
}

/** Signs claims as a JWT in its compact form. Source: RFC 7515, section 7.1. */
export async function signJwt(
  header: { readonly alg: string; readonly [member: string]: unknown },
  claims: Readonly<Record<string, unknown>>,
  key: CryptoKey,
): Promise<string> {
  const input = `${encodedJson(header)}.${encodedJson(claims)}`;
  const signature = await crypto.subtle.sign(algorithmOf(header.alg), key, new TextEncoder().encode(input));
  return `${input}.${base64url(new Uint8Array(signature))}`;
}
