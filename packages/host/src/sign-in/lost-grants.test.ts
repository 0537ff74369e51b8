import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector, Item, SignInAttempt, SignInResult, ToolCall } from '@portico/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { walkToCallback } from '../../../../testing/authorization-server.ts';
import { startGuardedServer } from '../../../../testing/guarded-server.ts';
import type { GuardedServer } from '../../../../testing/guarded-server.ts';
import { memoryKeys, startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { startRotatingIssuer } from '../../../../testing/rotating-issuer.ts';
import type { RotatingIssuer } from '../../../../testing/rotating-issuer.ts';
import { startScriptedModel } from '../../../../testing/scripted-model.ts';
import type { Script, ScriptedModel } from '../../../../testing/scripted-model.ts';
import { call, say } from '../../../../testing/scripted-reply.ts';
import { createSkippingClock } from '../../../../testing/skipping-clock.ts';
import type { SkippingClock } from '../../../../testing/skipping-clock.ts';

const LACKS_SCOPE = 'Bearer error="insufficient_scope", scope="write"';

describe('a grant that is lost', () => {
  const keys = memoryKeys();
  let folder: string;
  let clock: SkippingClock;
  let issuer: RotatingIssuer;
  let server: GuardedServer;
  let model: ScriptedModel | undefined;
  let running: InProcessHost;
  /** Whether calls need more than anybody has. */
  let lacksScope: boolean;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portico-grants-'));
    clock = createSkippingClock();
    issuer = await startRotatingIssuer({ now: () => clock.now() });
    lacksScope = false;
    server = await startGuardedServer(issuer, {
      refuse({ method, scopes }) {
        if (scopes === undefined) return { status: 401, challenge: 'Bearer scope="read"' };
        return lacksScope && method === 'tools/call' ? { status: 403, challenge: LACKS_SCOPE } : undefined;
      },
    });
    model = undefined;
  });
  afterEach(async () => {
    await running.close();
    await model?.close();
    await server.close();
    await issuer.close();
    rmSync(folder, { recursive: true });
  });

  const start = async (script?: Script): Promise<void> => {
    if (script !== undefined) model ??= await startScriptedModel({ script });
    const connection =
      model === undefined ? {} : { model: { apiKey: 'key', baseUrl: model.url, model: 'scripted-1' } };
    running = await startInProcessHost({ folder, keys, clock, ...connection });
  };
  const signIn = async (id: string): Promise<void> => {
    const { headers } = await running.request('GET', `/sign-in/${id}?mode=window`);
    const redirect = `http://127.0.0.1:${running.host.port}/oauth/callback`;
    const query = await walkToCallback(new URL(String(headers.location)), redirect);
    const { attempt } = await running.call<SignInResult>('POST', '/api/sign-in/callback', {
      query: `?${query.toString()}`,
    });
    expect(attempt.status).toBe('done');
  };
  const add = async (name = 'Mail'): Promise<string> => {
    const transport = { kind: 'http', url: server.url, headers: {} };
    const { id } = await running.call<Connector>('POST', '/api/connectors', { name, transport });
    await running.untilConnector(id, 'needs_sign_in');
    await signIn(id);
    await running.untilConnector(id, 'ready');
    return id;
  };
  const begin = async (connectorId: string): Promise<[string, string]> => {
    const { id } = await running.newConversation();
    const body = { connectorId, tool: 'whoami', arguments: {} };
    const started = await running.call<ToolCall>('POST', `/api/conversations/${id}/calls`, body);
    return [id, started.id];
  };
  const until = async (
    [conversationId, callId]: readonly [string, string],
    ...statuses: ToolCall['status'][]
  ): Promise<ToolCall> => {
    const fits = (item: Item): boolean =>
      item.id === callId && item.type === 'tool_call' && statuses.includes(item.status);
    return (await running.untilItem(conversationId, fits)) as ToolCall;
  };
  const statusOf = async (id: string): Promise<string | undefined> =>
    (await running.bootstrap()).connectors.find((connector) => connector.id === id)?.status;
  const lose = (): void => {
    issuer.trouble.refresh = 'refused';
    clock.skip(301_000);
  };
  const regain = async (id: string): Promise<void> => {
    issuer.trouble.refresh = undefined;
    await signIn(id);
  };

  it('K46 marks that account alone, keeps its registration, and sends the call that waits once', async () => {
    await start();
    const mine = await add();
    const other = await running.call<Connector>('POST', `/api/connectors/${mine}/accounts`, {
      label: 'Work',
    });
    await running.untilConnector(other.id, 'needs_sign_in');
    await signIn(other.id);
    await running.untilConnector(other.id, 'ready');
    const registered = issuer.log.filter((line) => line === 'registered').length;
    lose();
    let refuse = (): void => undefined;
    issuer.beforeRefresh = () => new Promise((resolve) => (refuse = resolve));
    const first = await begin(mine);
    const second = await begin(mine);
    await expect.poll(() => issuer.attempts).toBe(1);
    refuse();
    const waiting = await Promise.all([
      until(first, 'waiting_sign_in', 'failed'),
      until(second, 'waiting_sign_in', 'failed'),
    ]);
    issuer.beforeRefresh = () => Promise.resolve();
    for (const { problem, result } of waiting) expect([problem, result]).toEqual([undefined, undefined]);
    expect([await statusOf(mine), await statusOf(other.id)]).toEqual(['needs_sign_in', 'ready']);
    const { conversation } = await running.conversation(first[0]);
    expect(conversation.waitingApprovals).toBe(1);
    expect(server.runs).toBe(0);
    await regain(mine);
    await Promise.all([until(first, 'done'), until(second, 'done')]);
    expect(server.runs).toBe(2);
    expect((await running.conversation(first[0])).conversation.waitingApprovals).toBe(0);
    expect(issuer.log.filter((line) => line === 'registered')).toHaveLength(registered);
    expect(await statusOf(other.id)).toBe('ready');
  });

  it('K42 keeps how a refused renewal went, and trouble on the way once in a while', async () => {
    await start();
    const id = await add();
    const kept = async (): Promise<SignInAttempt[]> =>
      (await running.call<{ attempts: SignInAttempt[] }>('GET', `/api/connectors/${id}/sign-ins`)).attempts;
    const before = (await kept()).length;
    clock.skip(301_000);
    issuer.trouble.refresh = 'unavailable';
    await until(await begin(id), 'failed');
    await until(await begin(id), 'failed');
    expect((await kept()).length).toBe(before + 1);
    expect((await kept())[0]).toMatchObject({ status: 'failed', cause: 'server_failed' });
    issuer.trouble.refresh = 'refused';
    await until(await begin(id), 'waiting_sign_in');
    const [last] = await kept();
    expect(last).toMatchObject({ status: 'failed', cause: 'invalid_grant' });
    expect(last?.steps.at(-1)).toMatchObject({ step: 'refresh', outcome: 'refused', status: 400 });
    expect(JSON.stringify(last)).not.toMatch(/refresh-|access-/);
  });

  it('K46 lets the model’s call wait in its turn, and the turn go on with the answer', async () => {
    await start([call('mcp__Mail__whoami', {}), say('That was you.')]);
    const id = await add();
    lose();
    const { id: conversationId } = await running.newConversation();
    await running.call('POST', `/api/conversations/${conversationId}/messages`, { text: 'who am I?' });
    const isCall = (item: Item, status: string): boolean =>
      item.type === 'tool_call' && item.status === status;
    const asked = await running.untilItem(conversationId, (item) => isCall(item, 'waiting_approval'));
    await running.call('POST', `/api/conversations/${conversationId}/calls/${asked.id}/decision`, {
      decision: 'allow',
    });
    await running.untilItem(conversationId, (item) => isCall(item, 'waiting_sign_in'));
    expect((await running.conversation(conversationId)).conversation.status).toBe('running');
    await regain(id);
    await running.untilItem(
      conversationId,
      (item) => item.type === 'assistant_message' && item.text === 'That was you.' && !item.streaming,
    );
    expect(server.runs).toBe(1);
    expect(JSON.stringify(model?.requests.at(-1)?.body.messages)).toContain('you');
  });

  it('K46 waits on over a restart of the host, whoever asked', async () => {
    await start([call('mcp__Mail__whoami', {}), say('That was you.')]);
    const id = await add();
    lose();
    const direct = await begin(id);
    await until(direct, 'waiting_sign_in');
    // The tools of an account that has lost its grant are not offered, so the model's call comes as the other.
    await running.close();
    await start();
    await running.untilConnector(id, 'needs_sign_in');
    expect(server.runs).toBe(0);
    await regain(id);
    await until(direct, 'done');
    expect(server.runs).toBe(1);
  });

  it('K47 waits on over a restart of the host for what was not allowed yet', async () => {
    await start();
    const id = await add();
    lacksScope = true;
    const asked = await begin(id);
    await until(asked, 'waiting_sign_in', 'failed');
    await running.close();
    await start();
    await expect
      .poll(async () => (await running.bootstrap()).connectors.find((each) => each.id === id)?.auth?.asks)
      .toBeDefined();
    expect((await until(asked, 'waiting_sign_in', 'failed')).status).toBe('waiting_sign_in');
    lacksScope = false;
    await signIn(id);
    await until(asked, 'done');
    expect(server.runs).toBe(1);
  });

  it('K46 goes on with a model’s turn that waited when the host stopped', async () => {
    await start([call('mcp__Mail__whoami', {}), say('That was you.')]);
    const id = await add();
    lose();
    const { id: conversationId } = await running.newConversation();
    await running.call('POST', `/api/conversations/${conversationId}/messages`, { text: 'who am I?' });
    const isCall = (item: Item, status: string): boolean =>
      item.type === 'tool_call' && item.status === status;
    const asked = await running.untilItem(conversationId, (item) => isCall(item, 'waiting_approval'));
    await running.call('POST', `/api/conversations/${conversationId}/calls/${asked.id}/decision`, {
      decision: 'allow',
    });
    await running.untilItem(conversationId, (item) => isCall(item, 'waiting_sign_in'));
    await running.close();
    await start();
    await running.untilConnector(id, 'needs_sign_in');
    await regain(id);
    await running.untilItem(
      conversationId,
      (item) => item.type === 'assistant_message' && item.text === 'That was you.' && !item.streaming,
    );
    expect(server.runs).toBe(1);
  });

  it('K46 ends a call that is not waited for any longer, and one whose account is gone', async () => {
    await start();
    const id = await add();
    lose();
    const stopped = await begin(id);
    await until(stopped, 'waiting_sign_in');
    const path = `/api/conversations/${stopped[0]}/calls/${stopped[1]}/cancel`;
    await running.call('POST', path, {});
    await until(stopped, 'cancelled');
    await regain(id);
    await running.untilConnector(id, 'ready');
    lose();
    const orphan = await begin(id);
    await until(orphan, 'waiting_sign_in');
    await running.call('DELETE', `/api/connectors/${id}`);
    expect((await until(orphan, 'failed')).problem).toMatchObject({ kind: 'signIn' });
    expect(server.runs).toBe(0);
  });

  it.each(['unavailable', 'silent'] as const)(
    'K46 takes a token endpoint that is %s for no lost grant: the call fails, the sign-in stays',
    async (trouble) => {
      await start();
      const id = await add();
      issuer.trouble.refresh = trouble;
      clock.skip(301_000);
      const first = await begin(id);
      await expect.poll(() => issuer.attempts).toBeGreaterThan(0);
      // The time for an answer is over.
      clock.skip(20_000);
      const { problem } = await until(first, 'failed', 'waiting_sign_in');
      expect(problem).toMatchObject({ kind: 'renewalFailed' });
      const connector = (await running.bootstrap()).connectors.find((candidate) => candidate.id === id);
      expect([connector?.status, connector?.auth?.signedIn]).toEqual(['ready', true]);
      issuer.trouble.refresh = undefined;
      await until(await begin(id), 'done');
      expect([server.runs, issuer.log.filter((line) => line === 'authorized').length]).toEqual([1, 1]);
    },
  );

  it('K51 gives tokens back and forgets them though that fails, and ends what is under way', async () => {
    await start();
    const id = await add();
    issuer.trouble.revocation = 500;
    let answer = (): void => undefined;
    server.beforeAnswer = () => new Promise((resolve) => (answer = resolve));
    const slow = await begin(id);
    await expect.poll(() => server.runs).toBe(1);
    const out = await running.call<Connector>('POST', `/api/connectors/${id}/sign-out`, {});
    expect(out.auth?.signedIn).toBe(false);
    expect((await until(slow, 'failed', 'cancelled', 'done', 'waiting_sign_in')).status).toBe('failed');
    answer();
    expect(issuer.log.filter((line) => line.startsWith('revoked'))).toEqual([
      'revoked refresh_token',
      'revoked access_token',
    ]);
    const names = (await running.stores.grants.list(id)).map(({ name }) => name);
    expect(names.filter((name) => name.includes('tokens '))).toEqual([]);
    const { attempts } = await running.call<{ attempts: SignInAttempt[] }>(
      'GET',
      `/api/connectors/${id}/sign-ins`,
    );
    expect(attempts[0]).toMatchObject({ status: 'failed', cause: 'server_failed' });
    await running.untilConnector(id, 'needs_sign_in');
    // The tokens are still good there, and nobody here has them.
    const used = server.seen.length;
    await running.call('POST', `/api/connectors/${id}/reconnect`, {});
    await running.untilConnector(id, 'needs_sign_in');
    expect(server.seen.slice(used).filter((header) => header !== undefined)).toEqual([]);
  });

  it('K51 a renewal under way stores nothing behind a sign-out', async () => {
    await start();
    const id = await add();
    // Else the renewal would be refused.
    issuer.trouble.revocation = 500;
    clock.skip(301_000);
    let answer = (): void => undefined;
    issuer.beforeRefresh = () => new Promise((resolve) => (answer = resolve));
    const asked = await begin(id);
    await expect.poll(() => issuer.attempts).toBe(1);
    const out = running.call<Connector>('POST', `/api/connectors/${id}/sign-out`, {});
    await until(asked, 'failed');
    // Time enough for a sign-out that waits for nobody.
    for (let turn = 0; turn < 20; turn++) await running.bootstrap();
    answer();
    expect((await out).auth?.signedIn).toBe(false);
    await running.close();
    await start();
    await running.untilConnector(id, 'needs_sign_in');
    const names = (await running.stores.grants.list(id)).map(({ name }) => name);
    expect(names.filter((name) => name.includes('tokens '))).toEqual([]);
  });
});
