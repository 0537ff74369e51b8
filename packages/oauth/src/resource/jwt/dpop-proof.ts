import { type Clock, systemClock } from '@portico/rpc';
import { calculateJwkThumbprint, EmbeddedJWK, errors, jwtVerify } from 'jose';
import { OAuthError } from '../../errors.ts';
import { createExpiringMap } from '../expiring-map.ts';
import { DpopNonceError } from '../dpop-nonce-error.ts';
import { sha256 } from '../sha256.ts';
import type { TokenPresentation } from '../token-verifier.ts';
import { createDpopNonces } from './dpop-nonces.ts';

export interface DpopProofOptions {
  readonly algorithms: readonly string[];
  readonly clock?: Clock;
  /** Milliseconds that a proof is good for, either side of its making. Default 60 000. */
  readonly maxAgeMs?: number;
  /**
   * Milliseconds after which proofs need another nonce of this resource; the one before is taken, too.
   * Default: no nonces.
   */
  readonly nonceLifetimeMs?: number;
  /** Proofs that are remembered, so that none is taken twice. Default 10 000. */
  readonly maxProofs?: number;
}

/** Checks proofs of possession for tokens that are bound to a key. Source: RFC 9449, section 4.3. */
export interface DpopProofs {
  /**
   * @param thumbprint the key that the token is bound to
   * @throws OAuthError `invalid_dpop_proof`
   */
  check(presented: TokenPresentation, token: string, thumbprint: string): Promise<void>;
}

const DEFAULT_MAX_AGE_MS = 60_000;
const DEFAULT_MAX_PROOFS = 10_000;
const MAX_PROOF_LENGTH = 8192;
const MAX_ID_LENGTH = 256;

export function createDpopProofs(options: DpopProofOptions): DpopProofs {
  const { clock = systemClock, maxAgeMs = DEFAULT_MAX_AGE_MS } = options;
  const seen = createExpiringMap<true>(clock, options.maxProofs ?? DEFAULT_MAX_PROOFS);
  const { nonceLifetimeMs } = options;
  const nonces = nonceLifetimeMs === undefined ? undefined : createDpopNonces(clock, nonceLifetimeMs);
  return {
    async check({ proof, method, url }, token, thumbprint) {
      if (proof === undefined || proof.length > MAX_PROOF_LENGTH) throw invalidProof('There is no proof.');
      const claims = await claimsOf(proof, { ...options, thumbprint });
      const { iat, jti, htm, htu, ath, nonce } = claims;
      if (htm !== method) throw invalidProof('The proof is for another method.');
      if (typeof htu !== 'string' || !isSameAddress(htu, url)) {
        throw invalidProof('The proof is for another address.');
      }
      if (ath !== (await sha256(token))) throw invalidProof('The proof is for another token.');
      if (typeof iat !== 'number' || Math.abs(clock.now() - iat * 1000) > maxAgeMs) {
        throw invalidProof('The proof is too old.');
      }
      if (nonces?.accepts(nonce) === false) throw new DpopNonceError(nonces.current());
      if (typeof jti !== 'string' || jti === '' || jti.length > MAX_ID_LENGTH) {
        throw invalidProof('The proof has no id.');
      }
      // Ids are chosen by clients, so they count for one key only.
      const name = `${thumbprint} ${jti}`;
      if (seen.get(name) !== undefined) throw invalidProof('The proof was used before.');
      seen.set(name, true, iat * 1000 + maxAgeMs + 1);
    },
  };
}

async function claimsOf(
  proof: string,
  { algorithms, clock = systemClock, thumbprint }: DpopProofOptions & { readonly thumbprint: string },
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      algorithms: [...algorithms],
      typ: 'dpop+jwt',
      currentDate: new Date(clock.now()),
    });
    const { jwk } = protectedHeader;
    if (jwk !== undefined && (await calculateJwkThumbprint(jwk)) === thumbprint) return payload;
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    throw invalidProof('The proof cannot be verified.');
  }
  throw invalidProof('The proof is signed by another key.');
}

/** Without query and fragment, as the standard compares them. */
function isSameAddress(stated: string, actual: string): boolean {
  if (!URL.canParse(stated) || !URL.canParse(actual)) return false;
  const [one, two] = [new URL(stated), new URL(actual)];
  return one.origin === two.origin && one.pathname === two.pathname;
}

function invalidProof(message: string): OAuthError {
  return new OAuthError('invalid_dpop_proof', message);
}
