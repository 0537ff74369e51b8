import { describe, expect, it } from 'vitest';
import { authInfoFor } from '../../../../testing/auth-info.ts';
import {
  HOSTINGS,
  type Hosted,
  hostSessions,
  hostWithoutSessions,
} from '../../../../testing/hosted-sessions.ts';
import { type HttpReply, post } from '../../../../testing/mcp-http.ts';
import { modern } from '../../../../testing/mcp-wire.ts';
import { createMcpHandler } from '../http/create-mcp-handler.ts';
import { McpServer } from '../mcp/mcp-server.ts';
import { ResourceTemplate } from '../resource-template.ts';
import { requireOperationScopes, requireScopes, type ScopeChallengeHandler } from './scope-challenge.ts';

const DOCUMENT = 'https://mcp.example/.well-known/oauth-protected-resource/mcp';

function makeWith(ran: string[]): McpServer {
  const server = new McpServer({ name: 's', version: '1' });
  const tool = (name: string, scopeChallenge?: ScopeChallengeHandler): void => {
    const config = scopeChallenge === undefined ? {} : { scopeChallenge };
    server.registerTool(name, config, () => {
      ran.push(name);
      return { content: [] };
    });
  };
  tool('open');
  tool('purge', requireScopes('notes:write', 'notes:purge'));
  tool('late', () => Promise.resolve({ scopes: ['late'], errorDescription: 'Ask for more.' }));
  tool('broken', () => {
    throw new TypeError('secret of the resolver');
  });
  tool('quoted', () => ({ scopes: ['a"b'] }));
  const read = (name: string) => () => {
    ran.push(name);
    return { contents: [] };
  };
  const needed = { scopeChallenge: requireScopes('notes:read') };
  server.registerResource('fixed', 'note://fixed', needed, read('fixed'));
  server.registerResource(
    'any',
    new ResourceTemplate('note://any/{id}', { list: undefined }),
    needed,
    read('any'),
  );
  server.registerPrompt('write', needed, () => {
    ran.push('write');
    return { messages: [] };
  });
  return server;
}

const params = { open: { name: 'open' }, purge: { name: 'purge' } };

/** Ways to ask for one operation. */
type Ask = (method: string, params: object, scopes?: string[]) => Promise<HttpReply>;

function asker(hosted: Hosted, era: 'modern' | 'legacy', headers: Record<string, string> = {}): Ask {
  return (method, given, scopes) => {
    const body = { jsonrpc: '2.0', id: 7, method, params: era === 'modern' ? modern({ ...given }) : given };
    const authInfo =
      scopes === undefined ? undefined : authInfoFor('c', { scopes, resourceMetadataUrl: DOCUMENT });
    return post(hosted, body, { headers, authInfo });
  };
}

async function inSession(hosted: Hosted): Promise<Ask> {
  const opening = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  };
  const body = { jsonrpc: '2.0', id: 0, method: 'initialize', params: opening };
  const opened = await post(hosted, body, { authInfo: authInfoFor('c') });
  return asker(hosted, 'legacy', { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' });
}

const ROUTES: readonly (readonly [string, (make: () => McpServer) => Ask | Promise<Ask>])[] = [
  ['modern', (make) => asker(createMcpHandler(make), 'modern')],
  ...HOSTINGS.map(
    (hosting) =>
      [
        `legacy without sessions, ${hosting}`,
        (make: () => McpServer) => asker(hostWithoutSessions(hosting, make), 'legacy'),
      ] as const,
  ),
  ...HOSTINGS.map(
    (hosting) =>
      [
        `legacy sessions, ${hosting}`,
        (make: () => McpServer) => inSession(hostSessions(hosting, make, { keepAliveMs: 0 })),
      ] as const,
  ),
];

const challengeOf = (reply: HttpReply): unknown => [reply.status, reply.headers.get('www-authenticate')];
const challenge = (
  scope: string,
  description = 'The operation needs more scopes than the token grants.',
): unknown => [
  403,
  `Bearer error="insufficient_scope", error_description="${description}", scope="${scope}", resource_metadata="${DOCUMENT}"`,
];

describe.each(ROUTES)('what operations need of scopes, %s', (_route, open) => {
  const start = async (): Promise<{ ask: Ask; ran: string[] }> => {
    const ran: string[] = [];
    return { ask: await open(() => makeWith(ran)), ran };
  };

  it('W230 is challenged with all of it, and nothing of the operation is done', async () => {
    const { ask, ran } = await start();
    for (const [method, given, scope] of [
      ['tools/call', { name: 'purge' }, 'notes:write notes:purge'],
      ['resources/read', { uri: 'note://fixed' }, 'notes:read'],
      ['resources/read', { uri: 'note://any/7' }, 'notes:read'],
      ['prompts/get', { name: 'write' }, 'notes:read'],
    ] as const) {
      const reply = await ask(method, given, ['notes:write']);
      expect([method, challengeOf(reply)]).toEqual([method, challenge(scope)]);
      expect(reply.message).toMatchObject({ error: 'insufficient_scope' });
    }
    expect(challengeOf(await ask('tools/call', { name: 'late' }, []))).toEqual(
      challenge('late', 'Ask for more.'),
    );
    expect(ran).toEqual([]);
  });

  it('W230 lets through what has all of it, what needs none and what comes without a gate', async () => {
    const { ask, ran } = await start();
    expect((await ask('tools/call', params.purge, ['notes:purge', 'notes:write'])).status).toBe(200);
    expect((await ask('tools/call', params.open, [])).status).toBe(200);
    expect((await ask('resources/read', { uri: 'note://any/7' }, ['notes:read'])).status).toBe(200);
    expect((await ask('tools/list', {}, [])).status).toBe(200);
    expect(ran).toEqual(['purge', 'open', 'any']);
    // What is not there is answered as ever.
    const unknown = await ask('tools/call', { name: 'nobody' }, []);
    expect(unknown.message['error'] ?? unknown.message['result']).toBeDefined();
  });

  it('W230 answers faults of the one who decides as its own, without their words', async () => {
    const { ask, ran } = await start();
    for (const name of ['broken', 'quoted']) {
      const reply = await ask('tools/call', { name }, []);
      expect([reply.status, reply.message]).toMatchObject([500, { id: 7, error: { code: -32_603 } }]);
      expect(reply.text).not.toContain('secret');
    }
    expect(ran).toEqual([]);
  });
});

describe('scopes by method and name', () => {
  const scopeChallenge = requireOperationScopes({
    'tools/list': ['list'],
    'tools/call': { purge: ['purge'], open: [], '*': ['call'] },
    'resources/read': { 'note://fixed': ['fixed'] },
    initialize: ['begin'],
  });
  const ran: string[] = [];
  const modernAsk = asker(
    createMcpHandler(() => makeWith(ran), { scopeChallenge }),
    'modern',
  );
  const scopeOf = (reply: HttpReply): unknown =>
    /scope="([^"]*)"/.exec(reply.headers.get('www-authenticate') ?? '')?.[1] ?? reply.status;

  it.each([
    ['tools/list', {}, 'list'],
    ['tools/call', { name: 'late' }, 'call late'],
    // Handler and tool both have a say, and both are told at once.
    ['tools/call', { name: 'purge' }, 'purge notes:write notes:purge'],
    ['tools/call', { name: 'open' }, 200],
    ['resources/read', { uri: 'note://fixed' }, 'fixed notes:read'],
    ['resources/read', { uri: 'note://any/1' }, 'notes:read'],
    ['prompts/list', {}, 200],
  ])('W230 %s %j needs %s', async (method, given, needed) => {
    expect(scopeOf(await modernAsk(method, given, []))).toBe(needed);
  });

  it('W230 are those of the body: headers that say otherwise are refused first', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: modern({ name: 'purge' }) };
    const reply = await post(
      createMcpHandler(() => makeWith(ran), { scopeChallenge }),
      body,
      {
        headers: { 'mcp-name': 'open' },
        authInfo: authInfoFor('c'),
      },
    );
    expect(reply.status).toBe(400);
  });

  it('W230 hold for openings, and for each request of an array', async () => {
    const handler = createMcpHandler(() => makeWith(ran), { scopeChallenge, legacy: 'sessions' });
    const opening = {
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    const legacy = asker(handler, 'legacy');
    expect(scopeOf(await legacy('initialize', opening, []))).toBe('begin');
    const before = ran.length;
    const both = [
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'open' } },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'purge' } },
    ];
    const stateless = createMcpHandler(() => makeWith(ran), { scopeChallenge });
    const reply = await post(stateless, both, { authInfo: authInfoFor('c') });
    expect([scopeOf(reply), ran.length]).toEqual(['purge notes:write notes:purge', before]);
  });

  it('refuse a table that no header could carry', () => {
    for (const scope of ['', 'a b', 'a"b', 'a\\b', 'é']) {
      expect(() => requireScopes(scope)).toThrow(TypeError);
      expect(() => requireOperationScopes({ 'tools/call': { x: [scope] } })).toThrow(TypeError);
    }
    expect(() => (requireScopes as () => unknown)()).toThrow(TypeError);
  });
});

describe('what a registered thing needs', () => {
  it('can be changed and taken away', async () => {
    const server = new McpServer({ name: 's', version: '1' });
    const tool = server.registerTool('t', { scopeChallenge: requireScopes('a') }, () => ({ content: [] }));
    const ask = asker(createMcpHandler(server), 'modern');
    const status = async (): Promise<number> => (await ask('tools/call', { name: 't' }, ['b'])).status;
    expect(await status()).toBe(403);
    tool.update({ scopeChallenge: requireScopes('b') });
    expect(await status()).toBe(200);
    tool.update({ title: 'T', scopeChallenge: requireScopes('c') });
    expect([await status(), tool.scopeChallenge === undefined]).toEqual([403, false]);
    tool.update({ scopeChallenge: null });
    expect([await status(), tool.scopeChallenge]).toEqual([200, undefined]);
  });
});
