import { generateKeyPairSync } from 'node:crypto';
import type { Connector } from '@portico/api';
import { systemClock } from '@portico/rpc';
import { Hono } from 'hono';
import { afterEach, describe, expect, it } from 'vitest';
import { openSignInDesk } from '../../../../testing/sign-in-desk.ts';
import type { SignInDesk } from '../../../../testing/sign-in-desk.ts';
import { ApiRefusal } from '../api-refusal.ts';
import { addSignInRoutes } from '../http/routes/sign-in-routes.ts';
import type { SignInServices } from '../http/routes/sign-in-routes.ts';

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const privateKey = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const APPLICATION = {
  redirect_uris: [],
  response_types: [],
  grant_types: ['client_credentials'],
};
const clients = [
  {
    ...APPLICATION,
    client_id: 'by-secret',
    client_secret: 'canary-secret',
    token_endpoint_auth_method: 'client_secret_basic',
  },
  {
    ...APPLICATION,
    client_id: 'by-key',
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'ES256',
    jwks: { keys: [{ ...pair.publicKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
  },
] as const;

const WAYS = [
  ['a secret', { clientId: 'by-secret', grant: 'application', clientSecret: 'canary-secret' }],
  ['a signed assertion', { clientId: 'by-key', grant: 'application', proof: 'key', privateKey }],
] as const;

describe('an account that acts as the application', () => {
  let desk: SignInDesk;
  afterEach(() => desk.close());
  const set = (id: string, identity: object): Promise<Connector> =>
    desk.running.call('PUT', `/api/connectors/${id}/identity`, identity);
  const grants = (): number => desk.guard.log.filter((line) => line === 'granted client_credentials').length;

  it.each(WAYS)(
    'K49 has tokens by %s, with nobody at a browser, and renews them',
    async (_name, identity) => {
      let laterMs = 0;
      const clock = { ...systemClock, now: () => systemClock.now() + laterMs };
      desk = await openSignInDesk({ clients: clients as never, clock });
      const id = await desk.add();
      await desk.until(id, ({ status }) => status === 'needs_sign_in');
      await set(id, identity);
      const ready = await desk.until(id, ({ status, auth }) => status === 'ready' && auth?.signedIn === true);
      expect(ready.auth).toMatchObject({
        actsAs: 'application',
        clientId: identity.clientId,
        issuer: desk.guard.issuer,
      });
      expect(ready.auth?.attempt).toBeUndefined();
      expect((await desk.callTool(id)).status).toBe('done');
      expect(grants()).toBe(1);
      // Before they end,
      laterMs = 3_590_000;
      await Promise.all([desk.callTool(id), desk.callTool(id), desk.callTool(id)]);
      expect(grants()).toBe(2);
      // and when they are refused.
      desk.server.refuseOldTokens();
      expect((await desk.callTool(id)).status).toBe('done');
      expect(grants()).toBe(3);
      expect(desk.guard.log.filter((line) => line === 'authorized' || line === 'registered')).toEqual([]);
      expect(await desk.attempts(id)).toEqual([]);
      const seen = desk.running.answers.join('');
      expect(seen).not.toContain('canary-secret');
      expect(seen).not.toContain(privateKey.split('\n')[1]);
    },
  );

  it('K49 says why it has none, and keeps the credentials', async () => {
    desk = await openSignInDesk({ clients: clients as never });
    const id = await desk.add();
    await set(id, { clientId: 'by-secret', grant: 'application', clientSecret: 'wrong' });
    const failed = await desk.until(
      id,
      ({ status, auth }) => status === 'needs_sign_in' && auth?.attempt?.status === 'failed',
    );
    expect(failed.auth).toMatchObject({ signedIn: false, hasClientSecret: true });
    const [attempt] = await desk.attempts(id);
    expect(attempt?.steps.at(-1)).toMatchObject({ step: 'token', outcome: 'refused' });
    await set(id, { clientId: 'by-secret', grant: 'application', clientSecret: 'canary-secret' });
    await desk.until(id, ({ status }) => status === 'ready');
    // A change that leaves the secret out keeps it.
    await set(id, { clientId: 'by-secret', grant: 'application', scope: 'read' });
    const ready = await desk.until(
      id,
      ({ status, auth }) => status === 'ready' && auth?.scopes.join() === 'read',
    );
    expect(ready.auth?.application).toEqual({ proof: 'secret', algorithm: 'ES256', scope: 'read' });
  });

  it('K48 K49 answers a refusal that waits for a sign-in, and nothing more is asked of the person', async () => {
    desk = await openSignInDesk({
      clients: clients as never,
      refuse: ({ method, scopes }) =>
        method === 'tools/call' && scopes === undefined ? { status: 401 } : undefined,
    });
    const id = await desk.add();
    await desk.until(id, ({ status }) => status === 'ready');
    const waiting = await desk.callTool(id);
    expect(waiting.status).toBe('waiting_sign_in');
    await desk.until(id, ({ auth }) => auth?.asks !== undefined);
    const acting = await set(id, {
      clientId: 'by-secret',
      grant: 'application',
      clientSecret: 'canary-secret',
    });
    expect(acting.auth?.asks).toBeUndefined();
    expect((await desk.ended(waiting)).status).toBe('done');
    expect([desk.server.runs, grants()]).toEqual([1, 1]);
  });

  it('K49 is over at once when its credentials are removed, or are those of a person from then on', async () => {
    desk = await openSignInDesk({ clients: clients as never });
    const id = await desk.add();
    const acts = { clientId: 'by-secret', grant: 'application', clientSecret: 'canary-secret' };
    const ends = [
      () => desk.running.call('DELETE', `/api/connectors/${id}/identity`),
      () => set(id, { clientId: 'by-secret' }),
    ];
    for (const [round, end] of ends.entries()) {
      await set(id, acts);
      await desk.until(id, ({ status }) => status === 'ready');
      // Nothing is left of the tokens of before.
      expect(grants()).toBe(round + 1);
      await end();
      const after = await desk.until(id, ({ status }) => status === 'needs_sign_in');
      expect([after.auth?.signedIn, after.auth?.application]).toEqual([false, undefined]);
      const asked = desk.server.seen.length;
      await desk.running.call('POST', `/api/connectors/${id}/reconnect`, {});
      await desk.until(id, ({ status }) => status === 'needs_sign_in');
      const seen = desk.server.seen.slice(asked);
      expect([seen.length > 0, seen.filter((header) => header !== undefined)]).toEqual([true, []]);
    }
  });
});

describe('who may let the application act', () => {
  const ask = async (role: string | undefined, grant: string): Promise<string> => {
    const done: string[] = [];
    const services = {
      connectors: {
        record: () => ({ id: 'c' }),
        get: () => ({}),
        restart: () => Promise.resolve({}),
      },
      signIns: { view: () => undefined, setIdentity: () => Promise.resolve(void done.push('set')) },
      port: () => 1,
      roleOf: () => role,
    } as unknown as SignInServices;
    const app = new Hono();
    app.onError((error, context) =>
      context.text(error instanceof ApiRefusal ? error.code : String(error), 403),
    );
    addSignInRoutes(app, services);
    const body = JSON.stringify({ clientId: 'x', grant });
    const headers = { 'content-type': 'application/json' };
    const answer = await app.request('/api/connectors/c/identity', { method: 'PUT', body, headers });
    return answer.ok ? done.join() : `${answer.status} ${await answer.text()} ${done.join()}`.trim();
  };

  it('K49 is whoever owns or runs the host: a member, and a role that is unknown, gets 403', async () => {
    expect(await ask('owner', 'application')).toBe('set');
    expect(await ask('admin', 'application')).toBe('set');
    expect(await ask('member', 'application')).toBe('403 not_allowed');
    expect(await ask(undefined, 'application')).toBe('403 not_allowed');
    expect(await ask('member', 'person')).toBe('set');
  });
});
