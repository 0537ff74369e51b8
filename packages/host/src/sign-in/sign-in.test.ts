import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector, SignInAttempt, SignInResult } from '@portico/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startAuthorizationServer, walkToCallback } from '../../../../testing/authorization-server.ts';
import type { AuthorizationServer } from '../../../../testing/authorization-server.ts';
import { http } from '../../../../testing/http.ts';
import { memoryKeys, startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { startGuardedServer } from '../../../../testing/guarded-server.ts';
import type { GuardedServer } from '../../../../testing/guarded-server.ts';

describe('signing in to a connector', () => {
  let folder: string;
  let running: InProcessHost;
  let guard: AuthorizationServer;
  let server: GuardedServer;
  const keys = memoryKeys();
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portico-sign-in-'));
    guard = await startAuthorizationServer();
    server = await startGuardedServer(guard);
    running = await startInProcessHost({ folder, keys });
  });
  afterEach(async () => {
    await running.close();
    await server.close();
    await guard.close();
    rmSync(folder, { recursive: true });
  });

  const add = async (name = 'Mail'): Promise<Connector> => {
    const transport = { kind: 'http', url: server.url, headers: {} };
    const { id } = await running.call<Connector>('POST', '/api/connectors', { name, transport });
    return await running.untilConnector(id, 'needs_sign_in');
  };
  /** As the window does: to our page, and on to the other site. */
  const begin = async (id: string): Promise<URL> => {
    const { status, headers } = await running.request('GET', `/sign-in/${id}?mode=window`);
    expect(status).toBe(303);
    return new URL(String(headers.location));
  };
  const redirectUrl = (): string => `http://127.0.0.1:${running.host.port}/oauth/callback`;
  const walk = async (authorizationUrl: URL): Promise<string> =>
    `?${(await walkToCallback(authorizationUrl, redirectUrl())).toString()}`;
  const finish = (query: string): Promise<SignInResult> =>
    running.call('POST', '/api/sign-in/callback', { query });
  const signIn = async (id: string): Promise<SignInResult> => await finish(await walk(await begin(id)));
  const attempts = async (id: string): Promise<readonly SignInAttempt[]> =>
    (await running.call<{ attempts: SignInAttempt[] }>('GET', `/api/connectors/${id}/sign-ins`)).attempts;

  it('finds the site, sends the person there, and connects when they come back', async () => {
    const { id } = await add();
    const url = await begin(id);
    expect(url.origin).toBe(guard.issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      redirect_uri: redirectUrl(),
      resource: server.url,
      scope: 'read offline_access',
      prompt: 'consent',
      code_challenge_method: 'S256',
    });
    const { connectors } = await running.bootstrap();
    expect(connectors.find((connector) => connector.id === id)?.auth).toMatchObject({
      signedIn: false,
      attempt: { status: 'waiting', opens: url.host },
    });
    const { attempt, mode } = await finish(await walk(url));
    expect([attempt.status, mode]).toEqual(['done', 'window']);
    const ready = await running.untilConnector(id, 'ready');
    expect(ready).toMatchObject({
      toolCount: 1,
      auth: {
        signedIn: true,
        issuer: guard.issuer,
        scopes: ['read'],
        hasClientSecret: false,
      },
    });
    expect(ready.auth?.attempt).toBeUndefined();
  });

  it('the way back goes from the registered address to where the browser is at home, without a session', async () => {
    const { id } = await add();
    const query = await walk(await begin(id));
    const first = await http(`${redirectUrl()}${query}`);
    expect(first.status).toBe(303);
    expect(first.headers.location).toBe(`${running.origin}/oauth/callback${query}`);
    const second = await http(String(first.headers.location));
    expect([second.status, second.headers['refresh']]).toEqual([200, `0; url=/oauth/finish${query}`]);
    expect(second.headers['referrer-policy']).toBe('no-referrer');
    expect(second.text).not.toContain('code=');
  });

  it('the way back of no sign-in goes to where people are, and says in other browsers that it is not theirs', async () => {
    const first = await http(`${redirectUrl()}?code=canary-code&state=foreign`);
    expect(first.headers.location).toBe(`${running.origin}/oauth/callback?code=canary-code&state=foreign`);
    const stranger = await http(`${running.origin}/oauth/finish?code=canary-code&state=foreign`);
    expect([stranger.status, stranger.text.includes('did not begin in this browser')]).toEqual([401, true]);
    expect(stranger.text).not.toContain('canary');
  });

  it('comes back to the screen that it began on, and to no other place', async () => {
    const { id } = await add();
    for (const [back, expected] of [
      ['/c/conversation_1?details=true', '/c/conversation_1?details=true'],
      ['https://evil.example/', undefined],
      ['//evil.example/', undefined],
      ['/\\evil.example/', undefined],
      ['/.//evil.example/', undefined],
      ['/api/bootstrap', undefined],
      ['/sign-in/x', undefined],
      [`/${'x'.repeat(3_000)}`, undefined],
    ] as const) {
      const query = new URLSearchParams({ mode: 'page', back }).toString();
      const { headers } = await running.request('GET', `/sign-in/${id}?${query}`);
      const result = await finish(await walk(new URL(String(headers.location))));
      expect([back, result.mode, result.back]).toEqual([back, 'page', expected]);
    }
    await guard.close();
    for (const [back, expected] of [
      ['/c/x', '/c/x'],
      ['//evil.example', `/connectors/${id}`],
    ]) {
      const query = new URLSearchParams({ mode: 'page', back: back ?? '' }).toString();
      const { headers } = await running.request('GET', `/sign-in/${id}?${query}`);
      expect(headers.location).toBe(expected);
    }
    guard = await startAuthorizationServer();
  });

  it('K52 takes a state once, only in the browser that began, and not after its time', async () => {
    const { id } = await add();
    const query = await walk(await begin(id));
    const launch = await http(running.host.launchLink());
    const cookie = String(launch.headers['set-cookie']).split(';')[0] ?? '';
    const foreign = await http(`${running.origin}/api/sign-in/callback`, {
      method: 'POST',
      headers: { cookie, origin: running.origin, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect(foreign.status).toBe(403);
    expect((await finish(query)).attempt.status).toBe('done');
    for (const again of [query, '?code=x&state=never-seen', '?code=x', '']) {
      const { status, text } = await running.request('POST', '/api/sign-in/callback', { query: again });
      expect([status, (JSON.parse(text) as { error: { code: string } }).error.code]).toEqual([
        403,
        'not_allowed',
      ]);
    }
    const swapped = new URLSearchParams(await walk(await begin(id)));
    swapped.set('iss', 'https://evil.example');
    const { attempt } = await finish(`?${swapped.toString()}`);
    expect([attempt.status, attempt.cause]).toEqual(['failed', 'issuer_mismatch']);
    expect(guard.log.filter((line) => line.startsWith('granted authorization_code'))).toHaveLength(1);
  });

  it('renews a refused token once for all who need it, without asking anybody', async () => {
    const { id } = await add();
    await signIn(id);
    await running.untilConnector(id, 'ready');
    server.refuseOldTokens();
    const { id: conversationId } = await running.newConversation();
    const calls = await Promise.all(
      Array.from({ length: 6 }, () =>
        running.call<{ id: string }>('POST', `/api/conversations/${conversationId}/calls`, {
          connectorId: id,
          tool: 'whoami',
          arguments: {},
        }),
      ),
    );
    for (const call of calls) {
      await running.untilItem(
        conversationId,
        (item) => item.id === call.id && item.type === 'tool_call' && item.status === 'done',
      );
    }
    expect(guard.log.filter((line) => line === 'granted refresh_token')).toHaveLength(1);
  });

  it('stays signed in over a restart, and gives the tokens back and forgets them at the end', async () => {
    const { id } = await add();
    await signIn(id);
    await running.untilConnector(id, 'ready');
    await running.close();
    running = await startInProcessHost({ folder, keys });
    await running.untilConnector(id, 'ready');
    const token = server.seen.at(-1)?.slice('Bearer '.length) ?? '';
    expect(await guard.verify(token)).toBeDefined();
    const out = await running.call<Connector>('POST', `/api/connectors/${id}/sign-out`, {});
    expect(out.auth?.signedIn).toBe(false);
    expect(await guard.verify(token)).toBeUndefined();
    await running.untilConnector(id, 'needs_sign_in');
  });

  it('asks for a sign-in each time after a sign-out, however often', async () => {
    const { id } = await add();
    for (let times = 0; times < 3; times++) {
      await signIn(id);
      await running.untilConnector(id, 'ready');
      await running.call('POST', `/api/connectors/${id}/sign-out`, {});
      const { auth, status } = await running.untilConnector(id, 'needs_sign_in', 'failed');
      expect([status, auth?.attempt]).toEqual(['needs_sign_in', undefined]);
    }
  });

  it('has two accounts on one server, each with its own tokens', async () => {
    const mine = await add();
    const theirs = await running.call<Connector>('POST', `/api/connectors/${mine.id}/accounts`, {
      label: 'Work',
    });
    await running.untilConnector(theirs.id, 'needs_sign_in');
    await signIn(mine.id);
    await running.untilConnector(mine.id, 'ready');
    expect((await running.untilConnector(theirs.id, 'needs_sign_in')).auth?.signedIn).toBe(false);
    await signIn(theirs.id);
    await running.untilConnector(theirs.id, 'ready');
    await running.call('POST', `/api/connectors/${mine.id}/sign-out`, {});
    await running.untilConnector(mine.id, 'needs_sign_in');
    await running.untilConnector(theirs.id, 'ready');
  });

  it('keeps the steps of an attempt that failed, and no secret in anything that pages or files get', async () => {
    const { id } = await add();
    const query = await walk(await begin(id));
    const denied = new URLSearchParams({
      state: new URLSearchParams(query).get('state') ?? '',
      iss: guard.issuer,
      error: 'access_denied',
    });
    const { attempt } = await finish(`?${denied.toString()}`);
    expect([attempt.status, attempt.cause]).toEqual(['failed', 'access_denied']);
    expect(attempt.steps.map(({ step }) => step)).toEqual(
      expect.arrayContaining([
        'resource-metadata',
        'server-metadata',
        'client-identity',
        'registration',
        'authorization',
      ]),
    );
    await signIn(id);
    await running.untilConnector(id, 'ready');
    expect((await attempts(id)).map(({ status }) => status)).toEqual(['done', 'failed']);
    const secrets = [
      new URLSearchParams(query).get('code') ?? '',
      ...server.seen.flatMap((header) => (header === undefined ? [] : [header.slice('Bearer '.length)])),
    ];
    expect(new Set(secrets).size).toBeGreaterThan(1);
    await running.kill();
    for (const secret of secrets) {
      expect(running.answers.join('\n')).not.toContain(secret);
      expect(JSON.stringify(running.log.lines)).not.toContain(secret);
      for (const file of readdirSync(folder).filter((name) => name.startsWith('portico.db'))) {
        expect(readFileSync(join(folder, file)).includes(secret)).toBe(false);
      }
    }
    running = await startInProcessHost({ folder, keys });
  });

  it('sends nothing that was got for one server to another one that the connector is given', async () => {
    const { id } = await add();
    await signIn(id);
    await running.untilConnector(id, 'ready');
    const other = await startGuardedServer(guard);
    const transport = { kind: 'http', url: other.url, headers: {} };
    await running.call('PUT', `/api/connectors/${id}`, { name: 'Mail', transport });
    expect((await running.untilConnector(id, 'needs_sign_in')).auth?.signedIn).toBe(false);
    expect(new Set(other.seen)).toEqual(new Set([undefined]));
    await other.close();
  });

  it('ends an attempt that is cancelled, and refuses its way back', async () => {
    const { id } = await add();
    const query = await walk(await begin(id));
    expect((await running.request('DELETE', `/api/connectors/${id}/sign-in`)).status).toBe(204);
    expect((await running.request('POST', '/api/sign-in/callback', { query })).status).toBe(403);
    expect((await attempts(id))[0]).toMatchObject({ status: 'cancelled', cause: 'cancelled' });
  });

  it('uses a client id that was given by hand, and asks for none', async () => {
    const { id } = await add();
    const set = await running.call<Connector>('PUT', `/api/connectors/${id}/identity`, {
      clientId: 'given',
      clientSecret: 'canary-secret',
    });
    expect(set.auth).toMatchObject({ clientId: 'given', hasClientSecret: true, redirectUrl: redirectUrl() });
    expect((await begin(id)).searchParams.get('client_id')).toBe('given');
    const kept = await running.call<Connector>('PUT', `/api/connectors/${id}/identity`, {
      clientId: 'given',
    });
    expect(kept.auth?.hasClientSecret).toBe(true);
    const gone = await running.call<Connector>('DELETE', `/api/connectors/${id}/identity`);
    expect(gone.auth?.clientId).toBeUndefined();
    expect(running.answers.join('')).not.toContain('canary-secret');
    expect(guard.log).not.toContain('registered');
  });
});
