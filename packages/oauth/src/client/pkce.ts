import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi';

/** The secret of one attempt to sign in, and what is shown of it beforehand. Source: RFC 7636; W215. */
export interface PkcePair {
  readonly codeVerifier: string;
  /** SHA-256 of the verifier in base64url: no other method is ever used. */
  readonly codeChallenge: string;
}

/** Makes the pair for a new attempt, from the platform's randomness. */
export async function createPkcePair(): Promise<PkcePair> {
  const codeVerifier = generateRandomCodeVerifier();
  return { codeVerifier, codeChallenge: await calculatePKCECodeChallenge(codeVerifier) };
}
