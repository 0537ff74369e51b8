import { describe, expect, it } from 'vitest';
import { MemoryProvider } from '../../../../testing/memory-provider.ts';
import { createScriptedHosts, signInHosts } from '../../../../testing/scripted-hosts.ts';
import type { ScriptedHosts } from '../../../../testing/scripted-hosts.ts';
import { withOAuth } from './with-oauth.ts';

const SERVER = 'https://api.test/mcp';
const STORED = { access_token: 'old', token_type: 'Bearer', refresh_token: 'r', issuer: 'https://id.test' };

function guarded(accepted: string): ScriptedHosts {
  return createScriptedHosts({
    ...signInHosts(),
    [`POST ${SERVER}`]: ({ headers }) =>
      headers.get('authorization') === `Bearer ${accepted}`
        ? { fine: true }
        : new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer scope="s"' } }),
  });
}

const ask = (hosts: ScriptedHosts, provider: MemoryProvider): Promise<Response> =>
  withOAuth(provider, SERVER)(hosts.fetch)(SERVER, { method: 'POST', body: 'x', headers: { 'x-own': '1' } });

describe('the middleware that signs in', () => {
  it('W227 adds the token and changes nothing else', async () => {
    const hosts = guarded('old');
    const response = await ask(hosts, new MemoryProvider({ stored: STORED }));
    expect(await response.json()).toEqual({ fine: true });
    expect(hosts.log.map(({ text, headers }) => [text, headers.get('x-own')])).toEqual([['x', '1']]);
  });

  it('W227 refreshes and asks once more', async () => {
    const hosts = guarded('access-1');
    const client = { client_id: 'c', issuer: 'https://id.test' };
    expect((await ask(hosts, new MemoryProvider({ stored: STORED, client }))).status).toBe(200);
    expect(hosts.log.filter(({ url }) => url.href === SERVER)).toHaveLength(2);
  });

  it('W227 throws UnauthorizedError when somebody has to sign in, when that fails, and when it does not help', async () => {
    const provider = new MemoryProvider();
    await expect(ask(guarded('none'), provider)).rejects.toMatchObject({ name: 'UnauthorizedError' });
    expect(provider.asked.get('scope')).toBe('s');
    const lost = createScriptedHosts({ [`POST ${SERVER}`]: 401 });
    await expect(ask(lost, new MemoryProvider())).rejects.toMatchObject({
      name: 'UnauthorizedError',
      cause: { code: 'no_server_metadata' },
    });
    const client = { client_id: 'c', issuer: 'https://id.test' };
    const stubborn = guarded('none');
    await expect(ask(stubborn, new MemoryProvider({ stored: STORED, client }))).rejects.toMatchObject({
      name: 'UnauthorizedError',
    });
    expect(stubborn.log.filter(({ url }) => url.href === SERVER)).toHaveLength(2);
  });
});
