import type { CallToolResult } from '@portico/spec';
import { afterEach, describe, expect, it } from 'vitest';
import type { GuardedRequest } from '../../../../testing/guarded-server.ts';
import { openSignInDesk } from '../../../../testing/sign-in-desk.ts';
import type { SignInDesk } from '../../../../testing/sign-in-desk.ts';

let desk: SignInDesk;
afterEach(() => desk.close());

const lacks = (scope: string, reason: string) => ({
  status: 403,
  challenge: `Bearer error="insufficient_scope", scope="${scope}", error_description="${reason}"`,
});
const signIns = (): number => desk.guard.log.filter((line) => line === 'authorized').length;
/** What is asked of the person, without what keeps them signed in. */
const askedAt = (url: URL): string[] =>
  (url.searchParams.get('scope') ?? '').split(' ').filter((scope) => scope !== 'offline_access');

describe('a call that is refused for lack of scopes', () => {
  it('K47 says which are new and why, and asks for old and new together, once for each', async () => {
    desk = await openSignInDesk({
      refuse({ method, scopes }) {
        if (scopes === undefined) return { status: 401, challenge: 'Bearer scope="init"' };
        if (method === 'tools/list' && !scopes.includes('read')) return lacks('read', 'lists need read');
        if (method === 'tools/call' && !scopes.includes('write')) return lacks('write', 'posts need write');
        return undefined;
      },
    });
    const id = await desk.add();
    await desk.until(id, ({ status, auth }) => status === 'needs_sign_in' && auth?.opens !== undefined);
    const first = await desk.begin(id);
    expect(askedAt(first)).toEqual(['init']);
    await desk.finish(first);

    const listing = await desk.until(id, ({ auth }) => auth?.asks?.scopes[0] === 'read');
    expect(listing.auth).toMatchObject({
      signedIn: true,
      asks: { scopes: ['read'], reason: 'lists need read' },
    });
    const second = await desk.begin(id);
    expect(askedAt(second)).toEqual(['init', 'read']);
    await desk.finish(second);
    const ready = await desk.until(id, ({ status }) => status === 'ready');
    expect(ready.auth?.asks).toBeUndefined();

    const waiting = await desk.callTool(id);
    expect([waiting.status, waiting.problem]).toEqual(['waiting_sign_in', undefined]);
    const calling = await desk.until(id, ({ auth }) => auth?.asks !== undefined);
    // What is granted goes on.
    expect([calling.status, calling.toolCount]).toEqual(['degraded', 1]);
    expect(calling.auth).toMatchObject({
      scopes: ['init', 'read'],
      asks: { scopes: ['write'], reason: 'posts need write' },
    });
    const third = await desk.begin(id);
    expect(askedAt(third)).toEqual(['init', 'read', 'write']);
    await desk.finish(third);
    await desk.until(id, ({ status, auth }) => status === 'ready' && auth?.scopes.includes('write') === true);
    expect((await desk.ended(waiting)).status).toBe('done');
    expect([signIns(), desk.server.runs]).toEqual([3, 1]);
  });

  it('K27 K47 ends after two rounds with a clear error, and asks no more', async () => {
    desk = await openSignInDesk({
      refuse({ method, scopes }) {
        if (scopes === undefined) return { status: 401, challenge: 'Bearer scope="read"' };
        return method === 'tools/call' ? lacks('write', 'never enough') : undefined;
      },
    });
    const id = await desk.add();
    await desk.until(id, ({ status }) => status === 'needs_sign_in');
    await desk.signIn(id);
    await desk.until(id, ({ status }) => status === 'ready');
    const waiting = await desk.callTool(id);
    for (let round = 0; round < 2; round += 1) {
      // The same call is what asks again.
      await desk.until(id, ({ status, auth }) => status === 'degraded' && auth?.asks !== undefined);
      await desk.signIn(id);
    }
    const call = await desk.ended(waiting);
    expect([call.status, call.problem?.kind]).toEqual(['failed', 'stillRefused']);
    expect((await desk.callTool(id)).status).toBe('failed');
    const { auth, status, problem } = await desk.connector(id);
    expect([status, problem?.kind, auth?.asks]).toEqual(['degraded', 'stillRefused', undefined]);
    expect(auth?.attempt).toMatchObject({
      status: 'failed',
      cause: 'scope_too_small',
      message: 'After two sign-ins the server still wants write.',
    });
    const told = (await desk.attempts(id)).filter(({ status }) => status === 'failed');
    expect(told.map(({ steps }) => steps)).toEqual([
      [
        expect.objectContaining({
          step: 'challenge',
          outcome: 'refused',
          status: 403,
          detail: { scope: 'write' },
        }),
      ],
    ]);
  });

  it('K47 asks whoever has signed out for no more than anybody', async () => {
    desk = await openSignInDesk({
      refuse({ method, scopes }) {
        if (method !== 'tools/call') return undefined;
        if (scopes === undefined) return { status: 401, challenge: 'Bearer scope="read"' };
        return lacks('write', 'posts need write');
      },
    });
    const id = await desk.add();
    await desk.until(id, ({ auth }) => auth?.opens !== undefined);
    await desk.signIn(id);
    await desk.until(id, ({ status, auth }) => status === 'ready' && auth?.signedIn === true);
    await desk.callTool(id);
    await desk.until(id, ({ auth }) => auth?.asks?.scopes[0] === 'write');
    await desk.running.call('POST', `/api/connectors/${id}/sign-out`, {});
    // The call that waits is refused as it would be to anybody.
    const out = await desk.until(id, ({ auth }) => auth?.asks?.scopes[0] === 'read');
    expect([out.auth?.signedIn, out.auth?.asks]).toEqual([false, { scopes: ['read'] }]);
    expect(askedAt(await desk.begin(id))).toEqual(['read']);
  });

  it('K47 ends after two rounds with a server that takes no token at all', async () => {
    desk = await openSignInDesk({ refuse: () => ({ status: 401, challenge: 'Bearer scope="read"' }) });
    const id = await desk.add();
    for (let round = 0; round < 2; round += 1) {
      await desk.until(id, ({ status }) => status === 'needs_sign_in');
      await desk.signIn(id);
    }
    const ended = await desk.until(id, ({ status }) => status === 'failed');
    expect(ended.auth?.attempt).toMatchObject({ status: 'failed', cause: 'still_refused' });
    expect(signIns()).toBe(2);
  });
});

describe('a server that is open for lists and closed for calls', () => {
  const closedFor =
    (refusal: { status: number; challenge?: string }) =>
    ({ method, scopes }: GuardedRequest) =>
      method === 'tools/call' && scopes === undefined ? refusal : undefined;

  it('K48 offers a sign-in as soon as it answers, when it publishes one', async () => {
    desk = await openSignInDesk({ refuse: closedFor({ status: 401 }) });
    const id = await desk.add();
    const { auth, status } = await desk.until(id, (connector) => connector.auth?.opens !== undefined);
    expect(status).toBe('ready');
    expect(auth).toMatchObject({ signedIn: false, opens: new URL(desk.guard.issuer).host });
    expect(auth?.asks).toBeUndefined();
    expect((await desk.signIn(id)).attempt.status).toBe('done');
    await desk.until(id, (connector) => connector.status === 'ready' && connector.auth?.signedIn === true);
    expect((await desk.callTool(id)).status).toBe('done');
  });

  it.each([
    ['401 with a challenge', { status: 401, challenge: 'Bearer scope="read"' }, ['read']],
    ['401 without one', { status: 401 }, []],
    ['403 with a challenge', lacks('read', 'calls need read'), ['read']],
    ['403 without one', { status: 403 }, []],
  ])('K27 K48 starts it by a call that is refused with %s, which waits', async (_name, refusal, scopes) => {
    desk = await openSignInDesk({ refuse: closedFor(refusal) });
    const id = await desk.add();
    await desk.until(id, ({ status }) => status === 'ready');
    const waiting = await desk.callTool(id);
    expect(waiting.status).toBe('waiting_sign_in');
    const refused = await desk.until(id, ({ auth }) => auth?.asks !== undefined);
    // What is open goes on, but it is not as it should be.
    expect([refused.status, refused.toolCount, refused.auth?.asks?.scopes]).toEqual(['degraded', 1, scopes]);
    expect(refused.action).toBe('sign_in');
    expect((await desk.signIn(id)).attempt.status).toBe('done');
    const signedIn = await desk.until(
      id,
      ({ status, auth }) => status === 'ready' && auth?.signedIn === true && auth.asks === undefined,
    );
    expect(signedIn.toolCount).toBe(1);
    expect((await desk.ended(waiting)).status).toBe('done');
    expect(desk.server.runs).toBe(1);
  });

  it('K48 offers none where none is published: then a 403 is a plain no', async () => {
    desk = await openSignInDesk({ refuse: closedFor({ status: 403 }), publishes: false });
    const id = await desk.add();
    await desk.until(id, ({ status }) => status === 'ready');
    expect((await desk.callTool(id)).status).toBe('failed');
    const { auth, status } = await desk.connector(id);
    expect([status, auth?.opens, auth?.asks]).toEqual(['ready', undefined, undefined]);
  });
});

describe('a tool whose result asks for a sign-in', () => {
  const CHALLENGE = 'Bearer error="insufficient_scope", scope="write", error_description="posts need write"';
  const asking = (challenge: unknown, isError = true): CallToolResult => ({
    content: [{ type: 'text', text: 'not yet' }],
    isError,
    _meta: { 'mcp/www_authenticate': challenge },
  });
  const open = { refuse: () => undefined };

  it.each([
    ['one challenge', CHALLENGE],
    ['a list of them', ['Basic realm="x"', CHALLENGE]],
  ])('K48 starts it by %s, waits and is called once more, as whoever signed in', async (_name, challenge) => {
    desk = await openSignInDesk({
      ...open,
      answer: (scopes) => (scopes?.includes('write') === true ? undefined : asking(challenge)),
    });
    const id = await desk.add();
    await desk.until(id, ({ status }) => status === 'ready');
    const waiting = await desk.callTool(id);
    expect([waiting.status, waiting.result]).toEqual(['waiting_sign_in', undefined]);
    const { auth, status } = await desk.until(id, (connector) => connector.auth?.asks !== undefined);
    expect([status, auth?.asks]).toEqual(['degraded', { scopes: ['write'], reason: 'posts need write' }]);
    const url = await desk.begin(id);
    expect(askedAt(url)).toContain('write');
    await desk.finish(url);
    expect((await desk.ended(waiting)).status).toBe('done');
    expect(desk.server.runs).toBe(2);
  });

  it('K47 K48 asks no more after two rounds', async () => {
    desk = await openSignInDesk({ ...open, answer: () => asking(CHALLENGE) });
    const id = await desk.add();
    await desk.until(id, ({ status }) => status === 'ready');
    const waiting = await desk.callTool(id);
    // Nobody is signed in at first, which is not yet a round.
    for (let round = 0; round < 3; round += 1) {
      await desk.until(id, ({ status, auth }) => status === 'degraded' && auth?.asks !== undefined);
      await desk.signIn(id);
    }
    const ended = await desk.ended(waiting);
    expect([ended.status, ended.problem?.kind]).toEqual(['failed', 'stillRefused']);
  });

  it('K48 is a result as any other where the tool did its work, or says nothing that could be read', async () => {
    let result = asking(CHALLENGE, false);
    desk = await openSignInDesk({ ...open, answer: () => result });
    const id = await desk.add();
    await desk.until(id, ({ status }) => status === 'ready');
    expect((await desk.callTool(id)).status).toBe('done');
    for (const nothing of [undefined, '', 7, [], [{}]]) {
      result = asking(nothing);
      expect((await desk.callTool(id)).status).toBe('tool_error');
    }
    expect((await desk.connector(id)).auth?.asks).toBeUndefined();
  });
});
