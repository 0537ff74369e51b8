import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AuthorizationServer } from './authorization-server.ts';

/** What may be wrong with an issuer from now on. */
export interface IssuerTrouble {
  /** Of refreshes: `unavailable` is a 503 in nobody's words, `silent` never answers. */
  refresh?: 'unavailable' | 'silent' | 'refused' | undefined;
  revocation?: 500 | undefined;
}

/**
 * An issuer whose tokens end by a clock of the test's. A refresh token is good for one use; the second use
 * ends everything that came of the same sign-in.
 */
export interface RotatingIssuer extends Pick<AuthorizationServer, 'issuer' | 'log' | 'verify' | 'close'> {
  readonly trouble: IssuerTrouble;
  /** How often an access token was given for a refresh token. */
  readonly renewals: number;
  /** How often a refresh token was sent, whatever became of it. */
  readonly attempts: number;
  /** What is waited for before a refresh is answered. */
  beforeRefresh: () => Promise<void>;
}

export interface RotatingIssuerOptions {
  readonly now?: () => number;
  /** Seconds that an access token lasts; 300 by default. */
  readonly lifetimeSeconds?: number;
}

interface Family {
  alive: boolean;
  /** The one refresh token that is still good. */
  refresh: string;
}

interface Access {
  readonly family: Family;
  readonly endsAtMs: number;
}

class Grants {
  readonly #now: () => number;
  readonly #lifetimeSeconds: number;
  readonly #access = new Map<string, Access>();
  readonly #refresh = new Map<string, Family>();

  constructor({ now = Date.now, lifetimeSeconds = 300 }: RotatingIssuerOptions) {
    this.#now = now;
    this.#lifetimeSeconds = lifetimeSeconds;
  }

  isGood(token: string): boolean {
    const access = this.#access.get(token);
    return access !== undefined && access.family.alive && access.endsAtMs > this.#now();
  }

  give(family: Family = { alive: true, refresh: '' }): object {
    const token = `access-${randomUUID()}`;
    family.refresh = `refresh-${randomUUID()}`;
    this.#access.set(token, { family, endsAtMs: this.#now() + this.#lifetimeSeconds * 1_000 });
    this.#refresh.set(family.refresh, family);
    return {
      access_token: token,
      token_type: 'Bearer',
      expires_in: this.#lifetimeSeconds,
      refresh_token: family.refresh,
      scope: 'read',
    };
  }

  /** @returns undefined for a token that is not, or no longer, good */
  renew(refresh: string): object | undefined {
    const family = this.#refresh.get(refresh);
    if (family === undefined || !family.alive) return undefined;
    if (family.refresh !== refresh) {
      family.alive = false;
      return undefined;
    }
    return this.give(family);
  }

  end(token: string): void {
    const family = this.#refresh.get(token) ?? this.#access.get(token)?.family;
    if (family !== undefined) family.alive = false;
  }
}

/** Starts such an issuer on this machine. */
export async function startRotatingIssuer(options: RotatingIssuerOptions = {}): Promise<RotatingIssuer> {
  const grants = new Grants(options);
  const log: string[] = [];
  const trouble: IssuerTrouble = {};
  const counts = { renewals: 0, attempts: 0 };
  const codes = new Set<string>();
  const pages: Record<string, (request: IncomingMessage, response: ServerResponse) => unknown> = {
    '/register': async (request, response) => {
      log.push('registered');
      const asked = JSON.parse(await bodyOf(request)) as object;
      json(response, 201, { ...asked, client_id: randomUUID(), token_endpoint_auth_method: 'none' });
    },
    '/authorize': (request, response) => {
      const { searchParams } = new URL(String(request.url), issuer);
      const code = randomUUID();
      codes.add(code);
      log.push('authorized');
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({
        code,
        state: searchParams.get('state') ?? '',
        iss: issuer,
      }).toString();
      response.writeHead(302, { location: back.href }).end();
    },
    '/token': async (request, response) => {
      // Its clock is the test's, too.
      response.setHeader('date', new Date(options.now?.() ?? Date.now()).toUTCString());
      const form = new URLSearchParams(await bodyOf(request));
      if (form.get('grant_type') === 'authorization_code') {
        if (!codes.delete(form.get('code') ?? '')) return json(response, 400, { error: 'invalid_grant' });
        log.push('granted authorization_code');
        return json(response, 200, grants.give());
      }
      counts.attempts += 1;
      await own.beforeRefresh();
      if (trouble.refresh === 'silent') return undefined;
      if (trouble.refresh === 'unavailable') return response.writeHead(503).end('try later');
      const refused = trouble.refresh === 'refused';
      const tokens = refused ? undefined : grants.renew(form.get('refresh_token') ?? '');
      if (tokens === undefined) {
        log.push('refused refresh_token');
        return json(response, 400, { error: 'invalid_grant', error_description: 'it was used before' });
      }
      counts.renewals += 1;
      log.push('granted refresh_token');
      return json(response, 200, tokens);
    },
    '/revoke': async (request, response) => {
      const form = new URLSearchParams(await bodyOf(request));
      log.push(`revoked ${form.get('token_type_hint')}`);
      if (trouble.revocation !== undefined) return response.writeHead(trouble.revocation).end('oops');
      grants.end(form.get('token') ?? '');
      return response.end();
    },
  };
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*');
    const { pathname } = new URL(String(request.url), issuer);
    if (request.method === 'OPTIONS') response.end();
    else if (pathname.startsWith('/.well-known/')) json(response, 200, documentOf(issuer));
    else
      void (pages[pathname] ?? ((_request, to: ServerResponse) => to.writeHead(404).end()))(
        request,
        response,
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const own: RotatingIssuer = {
    issuer,
    log,
    trouble,
    get renewals() {
      return counts.renewals;
    },
    get attempts() {
      return counts.attempts;
    },
    beforeRefresh: () => Promise.resolve(),
    verify: (token) => Promise.resolve(grants.isGood(token) ? { scopes: ['read'], resource: '' } : undefined),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return own;
}

function documentOf(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
