import { type Clock, systemClock } from '@portico/rpc';
import { errors, type JSONWebKeySet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { AuthInfo } from '../../auth-info.ts';
import { OAuthError, OAuthErrorCode } from '../../errors.ts';
import { ResourceConfigError } from '../config-errors.ts';
import { authInfoOf } from '../token-claims.ts';
import type { OAuthTokenVerifier, TokenPresentation } from '../token-verifier.ts';
import { createDpopProofs, type DpopProofOptions, type DpopProofs } from './dpop-proof.ts';
import { localKeys, type RemoteKeysOptions, remoteKeys } from './key-set.ts';

/** How signed tokens are verified. */
export interface JwtVerifierOptions {
  /** The issuer that tokens must name, to the letter. */
  readonly issuer: string;
  /** What tokens must be for: usually the address of the MCP endpoint. One of a list is enough. */
  readonly audience: string | readonly string[];
  /** Where the issuer publishes its keys, or the keys themselves. */
  readonly keys: URL | JSONWebKeySet;
  /** Signature algorithms that are taken; public keys only. Default {@link DEFAULT_JWT_ALGORITHMS}. */
  readonly algorithms?: readonly string[];
  /** What the `typ` of tokens must be, such as `at+jwt`. Default: not looked at. */
  readonly type?: string;
  /** Seconds by which this clock and the issuer's may differ. Default 5. */
  readonly clockToleranceSeconds?: number;
  /**
   * Proofs of possession: `optional` checks them for tokens that are bound to a key, `required`
   * refuses all other tokens. Default: bound tokens are refused, since nobody here could check them.
   */
  readonly dpop?: 'optional' | 'required';
  /** Bounds of proofs. */
  readonly dpopProofs?: Partial<Omit<DpopProofOptions, 'clock'>>;
  /** How keys are fetched, where they are. */
  readonly fetching?: Omit<RemoteKeysOptions, 'clock'>;
  readonly clock?: Clock;
}

/** What tokens may be signed with unless it is said: public keys, and no algorithm that is on its way out. */
export const DEFAULT_JWT_ALGORITHMS: readonly string[] = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
];

const DEFAULT_TOLERANCE_SECONDS = 5;
/** Keys that fit one token which names none; more are not tried. */
const MAX_TRIED_KEYS = 10;

/**
 * Verifies tokens that are signed (RFC 9068 and its relatives) on this machine. Issuer, audience, end
 * and algorithm are checked always, so the gate in front takes its word for the audience.
 *
 * @throws ResourceConfigError `algorithm_refused`, `keys_address_refused`, `option_missing`
 * @see W229, W231
 */
export function createJwtVerifier(options: JwtVerifierOptions): OAuthTokenVerifier {
  const { clock = systemClock, keys, fetching, algorithms = DEFAULT_JWT_ALGORITHMS } = options;
  assertOptions(options, algorithms);
  const demands = options.dpop;
  const proofAlgorithms = (options.dpopProofs?.algorithms ?? algorithms).filter((name) => isPublic(name));
  const settled: Settled = {
    ...options,
    algorithms: [...algorithms],
    clock,
    getKey: keys instanceof URL ? remoteKeys(keys, { ...fetching, clock }) : localKeys(keys),
    proofs:
      demands === undefined
        ? undefined
        : createDpopProofs({ ...options.dpopProofs, algorithms: proofAlgorithms, clock }),
  };
  return {
    vouchesForAudience: true,
    ...(demands === undefined
      ? {}
      : { dpop: { algorithms: proofAlgorithms, required: demands === 'required' } }),
    verifyAccessToken: (token, presented) => verify(token, presented, settled),
  };
}

interface Settled extends JwtVerifierOptions {
  readonly algorithms: string[];
  readonly clock: Clock;
  readonly getKey: JWTVerifyGetKey;
  readonly proofs: DpopProofs | undefined;
}

function assertOptions(options: JwtVerifierOptions, algorithms: readonly string[]): void {
  for (const option of ['issuer', 'audience', 'keys'] as const) {
    const value = options[option] as unknown;
    if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) {
      throw new ResourceConfigError('option_missing', { option });
    }
  }
  if (algorithms.length === 0) throw new ResourceConfigError('option_missing', { option: 'algorithms' });
  const refused = algorithms.find((algorithm) => !isPublic(algorithm));
  if (refused !== undefined) throw new ResourceConfigError('algorithm_refused', { algorithm: refused });
}

/** Shared secrets and unsigned tokens would let any client sign for itself. */
function isPublic(algorithm: string): boolean {
  return /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$|^ML-DSA-(?:44|65|87)$/.test(algorithm);
}

async function verify(
  token: string,
  presented: TokenPresentation | undefined,
  settled: Settled,
): Promise<AuthInfo> {
  let claims: JWTPayload;
  try {
    claims = await verifiedClaims(token, settled);
  } catch (error) {
    if (error instanceof errors.JOSEError) throw invalidToken(reasonOf(error));
    throw error;
  }
  await checkPossession(token, claims, { presented, settled });
  const info = authInfoOf(token, claims);
  const resource = [settled.audience].flat().find((each) => info.audience?.includes(each));
  // Whom else the token is for is no business of handlers; it stays in the claims.
  const { audience: _audience, ...rest } = info;
  return resource !== undefined && URL.canParse(resource) ? { ...rest, resource: new URL(resource) } : rest;
}

async function verifiedClaims(token: string, settled: Settled): Promise<JWTPayload> {
  const { issuer, audience, algorithms, type, clock, clockToleranceSeconds, getKey } = settled;
  const checks = {
    issuer,
    audience: [audience].flat(),
    algorithms,
    requiredClaims: ['exp'],
    clockTolerance: clockToleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS,
    currentDate: new Date(clock.now()),
    ...(type === undefined ? {} : { typ: type }),
  };
  try {
    return (await jwtVerify(token, getKey, checks)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    let tried = 0;
    for await (const key of error) {
      if (++tried > MAX_TRIED_KEYS) break;
      try {
        return (await jwtVerify(token, key, checks)).payload;
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/** A token that is bound to a key is worth nothing without a proof, however it is presented. */
async function checkPossession(
  token: string,
  claims: JWTPayload,
  { presented, settled }: { readonly presented: TokenPresentation | undefined; readonly settled: Settled },
): Promise<void> {
  const { cnf } = claims as { readonly cnf?: unknown };
  const thumbprint: unknown = typeof cnf === 'object' && cnf !== null ? Reflect.get(cnf, 'jkt') : undefined;
  const isProved = presented?.scheme === 'DPoP';
  if (cnf === undefined && !isProved && settled.dpop !== 'required') return;
  if (settled.proofs === undefined || !isProved) {
    throw invalidToken('The token must be presented with a proof of possession.');
  }
  if (typeof thumbprint !== 'string') throw invalidToken('The token is bound to no key.');
  await settled.proofs.check(presented, token, thumbprint);
}

function invalidToken(message: string): OAuthError {
  return new OAuthError(OAuthErrorCode.InvalidToken, message);
}

/** Our own words: those of the library quote the token's claims. */
function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired.';
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === 'aud'
      ? 'The token is not for this resource.'
      : 'The token is not one of the issuer.';
  }
  return 'The token cannot be verified.';
}
