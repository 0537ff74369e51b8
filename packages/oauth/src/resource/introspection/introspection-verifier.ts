import { type Clock, systemClock } from '@portico/rpc';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  introspectionRequest,
  processIntrospectionResponse,
} from 'oauth4webapi';
import type { AuthInfo } from '../../auth-info.ts';
import { OAuthError, OAuthErrorCode } from '../../errors.ts';
import { ResourceConfigError } from '../config-errors.ts';
import { createExpiringMap, type ExpiringMap } from '../expiring-map.ts';
import { sha256 } from '../sha256.ts';
import { authInfoOf, type TokenClaims } from '../token-claims.ts';
import type { OAuthTokenVerifier } from '../token-verifier.ts';
import { askUpstream, isConfidential, UpstreamError, type UpstreamOptions } from '../upstream.ts';

/** How tokens are looked up at the server that made them. */
export interface IntrospectionVerifierOptions extends UpstreamOptions {
  /** The introspection endpoint of the authorization server. */
  readonly endpoint: URL;
  /** What this resource is known by there. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** How the secret is sent. Default `client_secret_basic`. */
  readonly clientAuthentication?: 'client_secret_basic' | 'client_secret_post';
  /** The issuer that answers must name, where they name one. Default: not looked at. */
  readonly issuer?: string;
  /**
   * Milliseconds that an answer is remembered, and so the time by which a revoked token may live on;
   * 0 asks for each request. Default 30 000.
   */
  readonly cacheMs?: number;
  /** Answers that are remembered. Default 10 000. */
  readonly maxCached?: number;
  readonly clock?: Clock;
}

const DEFAULT_CACHE_MS = 30_000;
const DEFAULT_MAX_CACHED = 10_000;

/** What is known of a token; undefined for one that is worth nothing. */
type Finding = Omit<AuthInfo, 'token'> | undefined;

/**
 * Verifies tokens by asking the authorization server (RFC 7662). What it says of the audience reaches
 * the gate, which compares; a server that is not there is a fault of this side, not of the token.
 *
 * @throws ResourceConfigError `endpoint_refused`
 * @see W229, W231
 */
export function createIntrospectionVerifier(options: IntrospectionVerifierOptions): OAuthTokenVerifier {
  const { endpoint, clock = systemClock, cacheMs = DEFAULT_CACHE_MS } = options;
  if (!isConfidential(endpoint)) throw new ResourceConfigError('endpoint_refused', { url: endpoint.href });
  const found = createExpiringMap<{ readonly finding: Finding }>(
    clock,
    options.maxCached ?? DEFAULT_MAX_CACHED,
  );
  const asking = new Map<string, Promise<Finding>>();
  return {
    async verifyAccessToken(token) {
      // Tokens are not kept, here as little as anywhere.
      const name = await sha256(token);
      const known = found.get(name);
      let finding: Finding;
      if (known === undefined) {
        let answer = asking.get(name);
        if (answer === undefined) {
          answer = lookUp(token, options)
            .then((fresh) => remember(found, { name, finding: fresh, untilMs: clock.now() + cacheMs }))
            .finally(() => asking.delete(name));
          asking.set(name, answer);
        }
        finding = await answer;
      } else {
        ({ finding } = known);
      }
      if (finding === undefined) {
        throw new OAuthError(OAuthErrorCode.InvalidToken, 'The token is not valid any more, or never was.');
      }
      return { token, ...finding };
    },
  };
}

/** No longer than the token lives by itself. */
function remember(
  found: ExpiringMap<{ readonly finding: Finding }>,
  { name, finding, untilMs }: { readonly name: string; readonly finding: Finding; readonly untilMs: number },
): Finding {
  const endsAtMs = Math.min(untilMs, (finding?.expiresAt ?? Number.POSITIVE_INFINITY) * 1000);
  found.set(name, { finding }, endsAtMs);
  return finding;
}

async function lookUp(token: string, options: IntrospectionVerifierOptions): Promise<Finding> {
  const claims = await introspect(token, options);
  const { active, iss, cnf } = claims;
  if (active !== true) return undefined;
  if (options.issuer !== undefined && iss !== undefined && iss !== options.issuer) return undefined;
  // Nobody here could check the proof that such a token needs.
  if (cnf !== undefined) return undefined;
  const { token: _token, ...finding } = authInfoOf(token, claims);
  return finding;
}

async function introspect(token: string, options: IntrospectionVerifierOptions): Promise<TokenClaims> {
  const { endpoint, clientId, clientSecret, issuer } = options;
  const server = { issuer: issuer ?? endpoint.origin, introspection_endpoint: endpoint.href };
  const client = { client_id: clientId };
  const authenticate: ClientAuth =
    options.clientAuthentication === 'client_secret_post'
      ? ClientSecretPost(clientSecret)
      : ClientSecretBasic(clientSecret);
  try {
    const response = await introspectionRequest(server, client, authenticate, token, {
      [allowInsecureRequests]: true, // the address was looked at when the verifier was made
      [customFetch]: async (url, { method, headers, body }) => {
        const answer = await askUpstream(new URL(url), { method, headers, body: String(body) }, options);
        return new Response(answer.text, { status: answer.status, headers: answer.headers });
      },
    });
    return await processIntrospectionResponse(server, client, response);
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    // Errors of the library carry the answer, which may hold what no log should.
    throw new UpstreamError('unusable', { url: endpoint.origin + endpoint.pathname });
  }
}
