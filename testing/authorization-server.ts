import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import type { ClientMetadata, Configuration } from 'oidc-provider';
import { letPagesIn } from './cors.ts';

/** A real authorization server on this machine. */
export interface AuthorizationServer {
  readonly issuer: string;
  /** `METHOD /path grant` of everything that was asked, metadata left out. */
  readonly log: readonly string[];
  /** What a token stands for; undefined for one that is not, or no longer, good. */
  verify(
    token: string,
  ): Promise<{ scopes: string[]; resource: string; jkt?: string | undefined } | undefined>;
  close(): Promise<void>;
}

export interface AuthorizationServerOptions {
  readonly clients?: readonly ClientMetadata[];
  /** Scopes that there are. */
  readonly scopes?: readonly string[];
  /** Wants a nonce in proofs of possession. */
  readonly dpopNonce?: boolean;
  /** What the person at it does; agrees unless said otherwise. Read at each sign-in. */
  readonly answers?: { now: 'agree' | 'deny' | 'leave' };
  /** Cuts every tie between a window and its opener, as many such sites do. */
  readonly isolated?: boolean;
  /** Whether pages of other origins may ask; false by default. */
  readonly letsPagesIn?: boolean;
  /** Seconds that an access token lasts; 3,600 by default. */
  readonly lifetimeSeconds?: number;
}

function configurationOf(options: AuthorizationServerOptions): Configuration {
  const { clients = [], scopes = ['init', 'read', 'write'], lifetimeSeconds = 3_600 } = options;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    clients: [...clients],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' } as never] },
    cookies: { keys: ['testing'] },
    scopes: ['openid', 'offline_access', ...scopes],
    ttl: {
      AccessToken: lifetimeSeconds,
      Grant: 86_400,
      Interaction: 600,
      Session: 600,
      IdToken: 600,
      RefreshToken: 86_400,
      ClientCredentials: lifetimeSeconds,
    },
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'ES256',
    },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      dPoP:
        options.dpopNonce === true
          ? { enabled: true, requireNonce: () => true, nonceSecret: Buffer.alloc(32, 7) }
          : { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => [],
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => ({
          scope: scopes.join(' '),
          audience: resource,
          accessTokenFormat: 'opaque',
        }),
      },
    },
  };
}

/** The person agrees to everything. */
async function agree(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params, prompt, grantId } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, { login: { accountId: 'person' } });
  }
  const clientId = String(params['client_id']);
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = known ?? new provider.Grant({ accountId: 'person', clientId });
  const { missingOIDCScope, missingResourceScopes } = prompt.details as {
    missingOIDCScope?: string[];
    missingResourceScopes?: Record<string, string[]>;
  };
  if (missingOIDCScope !== undefined) grant.addOIDCScope(missingOIDCScope.join(' '));
  for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {}))
    grant.addResourceScope(resource, scopes.join(' '));
  return provider.interactionFinished(
    request,
    response,
    { consent: { grantId: await grant.save() } },
    { mergeWithLastSubmission: true },
  );
}

/** The person agrees, says no, or goes away without a word. */
// oxlint-disable-next-line max-params -- a handler with what it answers
async function answer(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  how: 'agree' | 'deny' | 'leave' = 'agree',
): Promise<void> {
  if (how === 'agree') return await agree(provider, request, response);
  if (how === 'leave') {
    response.setHeader('content-type', 'text/html').end('<h1>Sign in here</h1>');
    return;
  }
  const refusal = { error: 'access_denied', error_description: 'the person said no' };
  await provider.interactionFinished(request, response, refusal);
}

/** Starts a certified server with the features that sign-ins here use; refresh tokens are good for one use. */
export async function startAuthorizationServer(
  options: AuthorizationServerOptions = {},
): Promise<AuthorizationServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, configurationOf(options));
  const log: string[] = [];
  const handle = provider.callback();
  const note = (line: string): void => void log.push(line);
  provider.on('grant.success', (context) => note(`granted ${String(context.oidc.params?.['grant_type'])}`));
  provider.on('grant.error', (context, error) =>
    note(`refused ${String(context.oidc.params?.['grant_type'])} ${error.message}`),
  );
  provider.on('registration_create.success', () => note('registered'));
  provider.on('authorization.success', () => note('authorized'));
  server.on('request', (request, response) => {
    if (options.isolated === true) response.setHeader('cross-origin-opener-policy', 'same-origin');
    if (options.letsPagesIn === true && letPagesIn(request, response)) return;
    if (request.url?.startsWith('/interaction/') === true)
      void answer(provider, request, response, options.answers?.now);
    else void handle(request, response);
  });
  return {
    issuer,
    log,
    async verify(token) {
      const found =
        (await provider.AccessToken.find(token)) ?? (await provider.ClientCredentials.find(token));
      if (found === undefined || found.isExpired) return undefined;
      return { scopes: [...found.scopes], resource: String(found.aud), jkt: found.jkt };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Walks where a browser would be sent, with its cookies, until it is sent to where the client waits. */
export async function walkToCallback(authorizationUrl: URL, redirectUrl: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let url = authorizationUrl;
  for (let step = 0; step < 10; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new TypeError(`the walk ended at ${url.href} with ${response.status}: ${await response.text()}`);
    url = new URL(location, url);
    if (url.href.startsWith(redirectUrl)) return url.searchParams;
  }
  throw new TypeError('the walk does not end');
}
