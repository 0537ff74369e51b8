import { DpopSession } from '@portico/oauth';
import type { AuthProvider, OAuthClientProvider, StoredOAuthTokens } from '@portico/oauth';
import { describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { MemoryProvider } from '../../../../testing/memory-provider.ts';
import {
  PROTECTED_SERVER,
  authorizationOf,
  challenge,
  createProtectedServer,
} from '../../../../testing/protected-server.ts';
import type { HostAnswer, HostRequest, ScriptedHosts } from '../../../../testing/scripted-hosts.ts';
import { Client } from '../client.ts';
import { SSEClientTransport } from './sse-transport.ts';
import { StreamableHTTPClientTransport } from './transport.ts';
import type { StreamableHTTPClientTransportOptions } from './transport.ts';

const TOKEN = 'https://id.test/token';
const CLIENT = { client_id: 'c', issuer: 'https://id.test' };
const STORED: StoredOAuthTokens = {
  access_token: 'old',
  token_type: 'Bearer',
  refresh_token: 'r0',
  issuer: 'https://id.test',
  scope: 'init',
};

function open(
  hosts: ScriptedHosts,
  authProvider: AuthProvider | OAuthClientProvider,
  options: StreamableHTTPClientTransportOptions = {},
) {
  const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
  const errors: unknown[] = [];
  client.onerror = (error) => errors.push(error);
  const transport = new StreamableHTTPClientTransport(PROTECTED_SERVER, {
    fetch: hosts.fetch,
    clock: createManualClock(),
    authProvider,
    ...options,
  });
  return { client, transport, errors, connect: () => client.connect(transport) };
}

const needs = (scope: string): Response =>
  challenge(403, `error="insufficient_scope", scope="${scope}", error_description="more"`);
const mcpRequests = ({ log }: ScriptedHosts): HostRequest[] =>
  log.filter(({ url }) => url.href === PROTECTED_SERVER);

/** A server that grants what it is asked for, and wants another scope for each thing. */
function scopedServer() {
  const granted = new Map<string, string>([['old', 'init']]);
  let asked = '';
  let count = 0;
  const wanted: Readonly<Record<string, string>> = { 'tools/list': 'read', 'tools/call': 'write' };
  const grant: HostAnswer = ({ form }) => {
    const refreshes = form.get('grant_type') === 'refresh_token';
    const scope = refreshes ? 'init' : asked;
    const access = `access-${++count}`;
    granted.set(access, scope);
    return { access_token: access, token_type: 'Bearer', refresh_token: `r${count}`, scope };
  };
  const hosts = createProtectedServer({
    guard(request, rpc) {
      const scopes = granted.get((authorizationOf(request) ?? '').replace('Bearer ', ''));
      if (scopes === undefined) return challenge(401, 'scope="init"');
      const scope = wanted[rpc];
      return scope === undefined || scopes.split(' ').includes(scope) ? undefined : needs(scope);
    },
    places: { [`POST ${TOKEN}`]: grant },
  });
  /** The person agrees to what they are asked. */
  const agree = async (provider: MemoryProvider, transport: StreamableHTTPClientTransport): Promise<void> => {
    asked = provider.asked.get('scope') ?? '';
    await transport.finishAuth(new URLSearchParams({ code: 'c' }));
  };
  return { hosts, agree };
}

describe('a refusal for lack of scopes', () => {
  it('W220 field-D24 asks the person for all scopes so far, once for each new one, and never refreshes for it', async () => {
    const { hosts, agree } = scopedServer();
    const provider = new MemoryProvider({ client: CLIENT, stored: STORED });
    const { client, transport, connect } = open(hosts, provider);
    await connect();
    await expect(client.listTools()).rejects.toMatchObject({ name: 'UnauthorizedError' });
    await agree(provider, transport);
    await client.listTools();
    await expect(client.callTool({ name: 'echo' })).rejects.toMatchObject({ name: 'UnauthorizedError' });
    await agree(provider, transport);
    await client.callTool({ name: 'echo' });
    expect(provider.redirects.map((url) => url.searchParams.get('scope'))).toEqual([
      'init read',
      'init read write',
    ]);
    expect(provider.stored?.scope).toBe('init read write');
    expect(hosts.forms(TOKEN).map((form) => form.get('grant_type'))).toEqual([
      'authorization_code',
      'authorization_code',
    ]);
  });

  it('W220 is one retry a request unless more are allowed, and then the HTTP error', async () => {
    for (const [options, tries] of [
      [{}, 2],
      [{ maxStepUpRetries: 0 }, 1],
      [{ maxStepUpRetries: 3 }, 4],
    ] as const) {
      const hosts = createProtectedServer({ guard: () => needs('init') });
      const provider = new MemoryProvider({ client: CLIENT, stored: STORED });
      const failure = open(hosts, provider, options).connect();
      await expect(failure).rejects.toMatchObject({ code: 'CLIENT_HTTP_FORBIDDEN', status: 403 });
      expect(mcpRequests(hosts)).toHaveLength(tries);
    }
  });

  it('W220 is the caller’s matter when they want it, or have no OAuth client', async () => {
    const hosts = createProtectedServer({
      guard: () =>
        challenge(
          403,
          'error="insufficient_scope", scope="x", resource_metadata="https://api.test/meta", error_description="more"',
        ),
    });
    const expected = {
      name: 'InsufficientScopeError',
      code: 'insufficient_scope',
      requiredScope: 'x',
      errorDescription: 'more',
      resourceMetadataUrl: new URL('https://api.test/meta'),
    };
    const provider = new MemoryProvider({ client: CLIENT, stored: STORED });
    await expect(open(hosts, provider, { onInsufficientScope: 'throw' }).connect()).rejects.toMatchObject(
      expected,
    );
    await expect(open(hosts, { token: async () => 't' }).connect()).rejects.toMatchObject(expected);
    expect([mcpRequests(hosts).length, hosts.log.length]).toEqual([2, 2]);
  });

  it('W220 is the matter of a token source that sees to it, unless the caller wants it', async () => {
    let token = 'small';
    const hosts = createProtectedServer({
      guard: (request, rpc) =>
        rpc.startsWith('tools/') && authorizationOf(request) === 'Bearer small' ? needs('read') : undefined,
    });
    const told: unknown[] = [];
    const source: AuthProvider = {
      token: async () => token,
      async onInsufficientScope({ scope, serverUrl, token: refused }) {
        if (refused !== token) return;
        told.push([scope, serverUrl.href, refused]);
        token = 'large';
      },
    };
    const { client, connect } = open(hosts, source);
    await connect();
    await Promise.all([client.listTools(), client.callTool({ name: 'echo' })]);
    expect(told).toEqual([['read', PROTECTED_SERVER, 'small']]);
    const refusal = new TypeError('ask the person');
    const refusing: AuthProvider = {
      token: async () => 'small',
      onInsufficientScope: () => Promise.reject(refusal),
    };
    const other = open(hosts, refusing);
    await other.connect();
    await expect(other.client.listTools()).rejects.toBe(refusal);
    const left = open(hosts, refusing, { onInsufficientScope: 'throw' });
    await left.connect();
    await expect(left.client.listTools()).rejects.toMatchObject({ code: 'insufficient_scope' });
  });

  it('W220 is none when the refusal says nothing of scopes', async () => {
    const hosts = createProtectedServer({ guard: () => challenge(403, 'error="access_denied", scope="x"') });
    const provider = new MemoryProvider({ client: CLIENT, stored: STORED });
    await expect(open(hosts, provider).connect()).rejects.toMatchObject({ code: 'CLIENT_HTTP_FORBIDDEN' });
    expect(hosts.log).toHaveLength(1);
  });

  it('W220 is handled on the stream of server messages, too', async () => {
    const hosts = createProtectedServer({
      guard: (_request, rpc) => (rpc === 'GET' ? needs('stream') : undefined),
    });
    const provider = new MemoryProvider({ client: CLIENT, stored: STORED });
    const { errors, connect } = open(hosts, provider);
    await connect();
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    expect(errors[0]).toMatchObject({ name: 'UnauthorizedError' });
    expect(provider.asked.get('scope')).toBe('init stream');
  });
});

describe('proofs of possession', () => {
  const proofOf = ({ headers }: HostRequest): Record<string, unknown> =>
    JSON.parse(
      Buffer.from((headers.get('dpop') ?? '').split('.')[1] ?? '', 'base64url').toString(),
    ) as Record<string, unknown>;
  const bound = { ...STORED, token_type: 'dPoP' };

  it('ext-P4 ext-P7 go with every request under a bound token, each made for it', async () => {
    const session = await DpopSession.create();
    const hosts = createProtectedServer({ guard: () => undefined });
    const provider = Object.assign(new MemoryProvider({ client: CLIENT, stored: bound }), {
      dpop: () => session,
    });
    const { client, transport, connect } = open(hosts, provider);
    await connect();
    await client.listTools();
    await transport.terminateSession();
    const requests = mcpRequests(hosts);
    expect(new Set(requests.map(authorizationOf))).toEqual(new Set(['DPoP old']));
    expect(requests.map((request) => proofOf(request)['htm'])).toEqual(requests.map(({ method }) => method));
    expect(new Set(requests.map((request) => proofOf(request)['jti'])).size).toBe(requests.length);
    expect(new Set(requests.map((request) => proofOf(request)['htu']))).toEqual(new Set([PROTECTED_SERVER]));
  });

  it('ext-P7 ext-P14 are nowhere under a token that is not bound, nor without a session', async () => {
    const session = await DpopSession.create();
    for (const provider of [
      Object.assign(new MemoryProvider({ client: CLIENT, stored: STORED }), { dpop: () => session }),
      new MemoryProvider({ client: CLIENT, stored: STORED }),
    ]) {
      const hosts = createProtectedServer({ guard: () => undefined });
      await open(hosts, provider).connect();
      expect(mcpRequests(hosts).every((request) => authorizationOf(request) === 'Bearer old')).toBe(true);
      expect(hosts.log.some(({ headers }) => headers.has('dpop'))).toBe(false);
    }
  });

  it('ext-P9 ext-P10 take the nonce that is asked for without signing in anew, and no more than once', async () => {
    const session = await DpopSession.create();
    const asksFor = (nonce: string): Response => {
      const response = challenge(401, 'error="use_dpop_nonce"', 'DPoP');
      response.headers.set('dpop-nonce', nonce);
      return response;
    };
    const hosts = createProtectedServer({
      guard: (request) => (proofOf(request)['nonce'] === 'n1' ? undefined : asksFor('n1')),
    });
    const provider = Object.assign(new MemoryProvider({ client: CLIENT, stored: bound }), {
      dpop: () => session,
    });
    await open(hosts, provider).connect();
    expect([
      hosts.forms(TOKEN).length,
      session.nonceFor(PROTECTED_SERVER),
      session.nonceFor('https://id.test'),
    ]).toEqual([0, 'n1', undefined]);
    let count = 0;
    const greedy = createProtectedServer({ guard: () => asksFor(`m${++count}`) });
    await expect(open(greedy, provider).connect()).rejects.toMatchObject({
      code: 'CLIENT_HTTP_AUTHENTICATION',
      status: 401,
    });
    expect([count, greedy.log.length]).toEqual([2, 2]);
  });
});

describe('the transport of 2024-11-05', () => {
  const stream = (): Response =>
    new Response('event: endpoint\ndata: /mcp\n\n', { headers: { 'content-type': 'text/event-stream' } });
  const serverFor = (token: string): ScriptedHosts =>
    createProtectedServer({
      guard: (request, rpc) => {
        if (authorizationOf(request) !== `Bearer ${token}`) return challenge(401);
        return rpc === 'GET' ? stream() : undefined;
      },
    });
  const transportTo = (
    hosts: ScriptedHosts,
    authProvider?: AuthProvider | OAuthClientProvider,
  ): SSEClientTransport =>
    new SSEClientTransport(PROTECTED_SERVER, {
      fetch: hosts.fetch,
      clock: createManualClock(),
      ...(authProvider === undefined ? {} : { authProvider }),
    });

  it('W132 tells 401 as its error, without a provider and when a fresh token is refused, too', async () => {
    await expect(transportTo(serverFor('none')).start()).rejects.toMatchObject({
      name: 'SseError',
      code: 401,
    });
    const provider = new MemoryProvider({ client: CLIENT, stored: STORED });
    await expect(transportTo(serverFor('none'), provider).start()).rejects.toMatchObject({
      name: 'SseError',
      code: 401,
    });
  });

  it('W132 W223 refreshes and asks once more, and sends the token with its messages', async () => {
    const hosts = serverFor('access-1');
    const transport = transportTo(hosts, new MemoryProvider({ client: CLIENT, stored: STORED }));
    transport.onmessage = () => undefined;
    await transport.start();
    expect(mcpRequests(hosts).map(authorizationOf)).toEqual(['Bearer old', 'Bearer access-1']);
  });

  it('W132 W206 sends the person to sign in, and takes the callback', async () => {
    const hosts = serverFor('access-1');
    const provider = new MemoryProvider();
    const transport = transportTo(hosts, provider);
    await expect(transport.start()).rejects.toMatchObject({ name: 'UnauthorizedError' });
    await transport.finishAuth(new URLSearchParams({ code: 'c' }));
    await transportTo(hosts, provider).start();
    expect(provider.redirects).toHaveLength(1);
  });
});
