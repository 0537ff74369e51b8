export { createJwtVerifier, DEFAULT_JWT_ALGORITHMS } from './jwt-verifier.ts';
export type { JwtVerifierOptions } from './jwt-verifier.ts';
export type { DpopProofOptions } from './dpop-proof.ts';
export type { RemoteKeysOptions } from './key-set.ts';
