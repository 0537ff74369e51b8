import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { http } from '../../../../testing/http.ts';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';

describe('what the console’s hosts serve', () => {
  let running: InProcessHost;
  beforeAll(async () => {
    running = await startInProcessHost();
  });
  afterAll(() => running.close());

  it('a launch link gives a session once, and then says how to get a new one', async () => {
    const link = running.host.launchLink();
    const first = await http(link);
    expect(first.status).toBe(303);
    expect(first.headers.location).toBe('/launched');
    const way = await http(running.origin + '/launched');
    expect([way.status, way.headers.refresh]).toEqual([200, '0; url=/']);
    expect(first.headers['referrer-policy']).toBe('no-referrer');
    const [cookie] = first.headers['set-cookie'] as [string];
    expect(cookie).toMatch(new RegExp(`^portico_session_${running.host.port}=[^;]+; `));
    for (const attribute of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(attribute);
    expect(cookie).not.toMatch(/domain/i);
    const second = await http(link);
    expect(second.status).toBe(401);
    expect(second.text).toContain('portico serve');
    expect(second.headers['set-cookie']).toBeUndefined();
  });

  it('a bare visit says how to get a link and nothing else', async () => {
    const answer = await http(`${running.origin}/connectors`);
    expect(answer.status).toBe(401);
    expect(answer.text).toContain('portico serve');
    expect(answer.headers['content-type']).toContain('text/html');
  });

  it.each(['/', '/conversations/abc', '/artifacts/x', '/settings'])('%s is the console', async (path) => {
    const answer = await running.request('GET', path);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('<title>Console</title>');
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain(`frame-src http://*.localhost:${running.host.port}`);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers['cross-origin-opener-policy']).toBe('same-origin');
  });

  it('assets may be kept for ever and the start page not', async () => {
    const asset = await running.request('GET', '/assets/app-abc123.js');
    expect(asset.headers['cache-control']).toContain('immutable');
    expect(asset.headers['content-type']).toContain('text/javascript');
    expect((await running.request('GET', '/')).headers['cache-control']).toBe('no-cache');
  });

  it.each(['/assets/missing.js', '/..%2fportico.db', '/assets/..%5c..%5cx.js', '/%00.js', '/%zz.js'])(
    '%s is nothing',
    async (path) => {
      const answer = await running.request('GET', path);
      expect([400, 404]).toContain(answer.status);
      expect(answer.text).not.toContain('SQLite');
    },
  );

  it('an unknown address and a wrong method of the API say so in JSON', async () => {
    const unknown = await running.request('GET', '/api/nothing');
    expect([unknown.status, unknown.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
    const wrong = await running.request('PUT', '/api/artifacts', {});
    expect([wrong.status, wrong.json()]).toMatchObject([405, { error: { code: 'method_not_allowed' } }]);
    expect(wrong.headers.allow).toBe('POST');
  });

  it('the stream is opened by reading it only', async () => {
    const answer = await running.request('HEAD', '/api/events');
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET']);
  });

  it('the version is for those with a session', async () => {
    expect((await running.request('GET', '/api/version')).json()).toEqual({ version: '0.0.0-test' });
    expect((await http(`${running.origin}/api/version`)).status).toBe(401);
  });

  it('the bootstrap has everything a page begins with', async () => {
    const bootstrap = await running.bootstrap();
    expect(bootstrap).toMatchObject({
      version: '0.0.0-test',
      model: { configured: false },
      conversations: [],
    });
    expect(bootstrap.seq).toBeGreaterThan(0);
    expect(bootstrap.connectors.length).toBe(1);
    expect(bootstrap.artifacts.length).toBe(1);
  });
});
