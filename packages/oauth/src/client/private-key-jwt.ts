import { generateRandomNonce } from 'oauth4webapi';
import { systemClock } from '@portico/rpc';
import type { Clock } from '@portico/rpc';
import type { AddClientAuthentication } from './provider.ts';
import { importSigningKey, signJwt } from './sign-jwt.ts';
import type { SigningKey } from './sign-jwt.ts';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** How long an assertion is good, seconds: enough for one request and clocks that differ. */
const LIFETIME_S = 300;

/** How a client's assertions are made. */
export interface PrivateKeyJwtOptions {
  readonly issuer: string;
  readonly subject: string;
  /** PEM (PKCS#8), its bytes, a JWK; for HS algorithms the secret. */
  readonly privateKey: SigningKey;
  /** Such as ES256. */
  readonly alg: string;
  /** The server's issuer by default, else its token endpoint. */
  readonly audience?: string | URL | undefined;
  /** 300 by default. */
  readonly lifetimeSeconds?: number | undefined;
  /** Added to the claims, and over them. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
  readonly clock?: Clock | undefined;
}

/** Puts an assertion into a token request. */
export function setClientAssertion(params: URLSearchParams, assertion: string): void {
  params.set('client_assertion', assertion);
  params.set('client_assertion_type', ASSERTION_TYPE);
}

/**
 * Shows who the client is by a JWT that it signs anew for each request. Source: RFC 7523, section 2.2;
 * OAuth Client Credentials extension; W224.
 *
 * The function rejects with OAuthClientFlowError `signing_key_unusable`.
 */
export function createPrivateKeyJwtAuth(options: PrivateKeyJwtOptions): AddClientAuthentication {
  const { issuer, subject, privateKey, alg, lifetimeSeconds = LIFETIME_S, clock = systemClock } = options;
  return async (...[, params, url, metadata]) => {
    const key = await importSigningKey(privateKey, alg);
    const issuedAtS = Math.floor(clock.now() / 1_000);
    const claims = {
      iss: issuer,
      sub: subject,
      aud: String(options.audience ?? metadata?.issuer ?? url),
      exp: issuedAtS + lifetimeSeconds,
      iat: issuedAtS,
      jti: generateRandomNonce(),
      ...options.claims,
    };
    setClientAssertion(params, await signJwt({ alg, typ: 'JWT' }, claims, key));
  };
}
