import type { Artifact, Connector, FrameSession, PublishResult } from '@portico/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { http } from '../../../../testing/http.ts';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { DEMO_CONNECTOR_NAME } from '../demo/connector/index.ts';

const page = (manifest: unknown, body = '<h1>Hello</h1>'): string =>
  `<!doctype html><title>My &amp; page</title><script type="application/portico+json">${JSON.stringify(manifest)}</script>${body}`;
const asking = (...tools: string[]) => ({ mcp: { servers: [{ name: DEMO_CONNECTOR_NAME, tools }] } });

describe('artifacts', () => {
  let running: InProcessHost;
  beforeAll(async () => {
    running = await startInProcessHost();
    const [demo] = (await running.bootstrap()).connectors as [Connector];
    await running.untilConnector(demo.id, 'ready');
  });
  afterAll(() => running.close());

  const publish = (body: object): Promise<PublishResult> => running.call('POST', '/api/artifacts', body);
  const open = (artifactId: string): Promise<FrameSession> =>
    running.call('POST', '/api/frames', { artifactId });
  const consent = (id: string, decision: string, server = DEMO_CONNECTOR_NAME): Promise<Artifact> =>
    running.call('PUT', `/api/artifacts/${id}/consent`, { server, decision });
  const frameCall = (
    frameId: string,
    tool: string,
    { input = {}, server = DEMO_CONNECTOR_NAME }: { input?: object; server?: string } = {},
  ): Promise<Record<string, unknown>> =>
    running.call('POST', `/api/frames/${frameId}/calls`, { server, tool, input });

  it('the demo page is there from the start', async () => {
    const { artifacts } = await running.bootstrap();
    expect(artifacts).toMatchObject([
      { demo: true, version: 1, grants: [{ server: DEMO_CONNECTOR_NAME, state: 'ask' }] },
    ]);
  });

  it('a page is published under its title, the same again changes nothing, and another version follows', async () => {
    const html = page(asking('get_weather'));
    const first = await publish({ html });
    expect(first).toMatchObject({ created: true, artifact: { title: 'My & page', version: 1, demo: false } });
    expect(first.address).toBe(`${running.origin}/artifacts/${first.artifact.id}`);
    const again = await publish({ html });
    expect(again).toMatchObject({ created: false, artifact: { id: first.artifact.id, version: 1 } });
    const next = await publish({ html: `${html}<p>more</p>`, artifactId: first.artifact.id });
    expect(next).toMatchObject({ created: true, artifact: { id: first.artifact.id, version: 2 } });
  });

  it('a manifest file wins over the one in the page', async () => {
    const manifest = { title: 'From the file', mcp: { servers: [{ name: 'Other', tools: ['x'] }] } };
    const { artifact } = await publish({ html: page(asking('get_weather'), '<p>file</p>'), manifest });
    expect(artifact).toMatchObject({ title: 'From the file', servers: [{ name: 'Other', tools: ['x'] }] });
  });

  it.each([
    ['a text that is no HTML', 'just words', 'invalid_page'],
    [
      'a manifest that names no connector',
      page({ mcp: { servers: [{ tools: ['a'] }] } }),
      'invalid_manifest',
    ],
    ['a manifest with an empty list', page({ mcp: { servers: [] } }), 'invalid_manifest'],
    ['a manifest of the wrong shape', page({ mcp: [] }), 'invalid_manifest'],
    [
      'a manifest that is no JSON',
      '<script type="application/portico+json">{</script><p>x',
      'invalid_manifest',
    ],
  ])('refuses %s with a sentence', async (_case, html, code) => {
    const before = (await running.bootstrap()).artifacts.length;
    const answer = await running.request('POST', '/api/artifacts', { html });
    expect(answer.status).toBe(422);
    expect(answer.json()).toMatchObject({ error: { code, message: expect.stringMatching(/\.$/) } });
    expect((await running.bootstrap()).artifacts.length).toBe(before);
  });

  it('refuses a page over 10 MB and a request over 12 MB', async () => {
    await expect(publish({ html: `<p>${'x'.repeat(10_000_000)}` })).rejects.toMatchObject({
      code: 'too_large',
    });
    await expect(publish({ html: `<p>${'x'.repeat(12_000_000)}` })).rejects.toMatchObject({
      code: 'too_large',
    });
  });

  it('a frame is served on its own origin, kernel first, manifest gone, with a policy as header', async () => {
    const { artifact } = await publish({ html: page(asking('get_weather'), '<p>frame</p>') });
    const frame = await open(artifact.id);
    expect(new URL(frame.url).origin).toBe(frame.origin);
    expect(frame.origin).toMatch(/^http:\/\/[a-z2-7]{32}\.localhost:\d+$/);
    const document = await http(frame.url);
    expect(document.status).toBe(200);
    expect(document.text.indexOf('void "kernel"')).toBeLessThan(document.text.indexOf('<p>frame</p>'));
    expect(document.text).not.toContain('portico+json');
    const policy = String(document.headers['content-security-policy']);
    expect(policy).toContain("connect-src 'none'");
    expect(policy).toContain(`frame-ancestors ${running.origin}`);
    expect(document.headers['set-cookie']).toBeUndefined();
  });

  it('a frame address means nothing on another sandbox host or after closing, and origins are stable', async () => {
    const [one, two] = (await running.bootstrap()).artifacts as [Artifact, Artifact];
    const [first, second, again] = [await open(one.id), await open(two.id), await open(one.id)];
    expect(first.origin).not.toBe(second.origin);
    expect(again.origin).toBe(first.origin);
    expect(again.url).not.toBe(first.url);
    const elsewhere = first.url.replace(first.origin, second.origin);
    expect((await http(elsewhere)).status).toBe(404);
    await running.call('DELETE', `/api/frames/${first.frameId}`);
    expect((await http(first.url)).status).toBe(404);
    await expect(frameCall(first.frameId, 'get_weather')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('a frame calls what was published and allowed, and gets content only', async () => {
    const { artifact } = await publish({
      html: page(asking('list_notes', 'get_weather', 'no_such_tool'), '<p>calls</p>'),
    });
    const { frameId } = await open(artifact.id);
    expect(await frameCall(frameId, 'list_notes')).toMatchObject({
      ok: false,
      error: { code: 'not_in_manifest' },
    });
    expect((await consent(artifact.id, 'allow')).grants).toEqual([
      { server: DEMO_CONNECTOR_NAME, state: 'allow' },
    ]);
    const answer = await frameCall(frameId, 'list_notes');
    expect(answer).toMatchObject({ ok: true, result: { content: expect.any(Array) } });
    expect(
      Object.keys(answer['result'] as object).filter(
        (key) => !['content', 'structuredContent'].includes(key),
      ),
    ).toEqual([]);
    expect(await frameCall(frameId, 'add_note')).toMatchObject({
      ok: false,
      error: { code: 'not_in_manifest' },
    });
    const wrong = await frameCall(frameId, 'get_weather', { input: { station: 7 } });
    expect(wrong).toMatchObject({
      ok: false,
      error: { code: expect.stringMatching(/^(tool_error|upstream_error)$/) },
    });
    await consent(artifact.id, 'deny');
    expect(await frameCall(frameId, 'list_notes')).toMatchObject({
      ok: false,
      error: { code: 'not_in_manifest' },
    });
  });

  it('F42 names match exactly, and the id of a connector is no name', async () => {
    const [demo] = (await running.bootstrap()).connectors as [Connector];
    const names = [DEMO_CONNECTOR_NAME.toUpperCase(), `${DEMO_CONNECTOR_NAME} `, demo.id];
    const { artifact } = await publish({ html: page(asking('list_notes'), '<p>names</p>') });
    await consent(artifact.id, 'allow');
    const { frameId } = await open(artifact.id);
    for (const name of names) {
      expect(await frameCall(frameId, 'list_notes', { server: name })).toMatchObject({
        error: { code: 'not_in_manifest' },
      });
    }
  });

  it('F36 a published connector that the viewer does not have is not connected', async () => {
    const { artifact } = await publish({
      html: page({ mcp: { servers: [{ name: 'Nobody', tools: ['x'] }] } }, '<p>nobody</p>'),
    });
    await consent(artifact.id, 'allow', 'Nobody');
    const { frameId } = await open(artifact.id);
    expect(await frameCall(frameId, 'x', { server: 'Nobody' })).toEqual({
      ok: false,
      error: { code: 'server_not_connected', server: 'Nobody', message: expect.any(String) },
    });
  });

  it('F60 a new version that publishes more tools asks again', async () => {
    const { artifact } = await publish({ html: page(asking('list_notes'), '<p>wider</p>') });
    await consent(artifact.id, 'allow');
    const wider = await publish({
      html: page(asking('list_notes', 'get_weather'), '<p>wider</p>'),
      artifactId: artifact.id,
    });
    expect(wider.artifact.grants).toEqual([{ server: DEMO_CONNECTOR_NAME, state: 'ask' }]);
    const { frameId } = await open(artifact.id);
    expect(await frameCall(frameId, 'get_weather')).toMatchObject({ error: { code: 'not_in_manifest' } });
  });

  it('lists the published tools of connectors that are there', async () => {
    const { artifact } = await publish({ html: page(asking('list_notes', 'nothing'), '<p>list</p>') });
    const { frameId } = await open(artifact.id);
    const { servers } = await running.call<{ servers: unknown[] }>('GET', `/api/frames/${frameId}/tools`);
    expect(servers).toEqual([
      {
        server: DEMO_CONNECTOR_NAME,
        authStatus: 'connected',
        tools: [expect.objectContaining({ name: 'list_notes', description: expect.any(String) })],
      },
    ]);
  });

  it('consent for a connector that the page does not ask for is refused', async () => {
    const [artifact] = (await running.bootstrap()).artifacts as [Artifact];
    await expect(consent(artifact.id, 'allow', 'Someone else')).rejects.toMatchObject({
      code: 'bad_request',
    });
  });

  it('a deleted artifact is gone with its frames’ rights', async () => {
    const { artifact } = await publish({ html: page(asking('list_notes'), '<p>gone</p>') });
    await consent(artifact.id, 'allow');
    const { frameId } = await open(artifact.id);
    await running.call('DELETE', `/api/artifacts/${artifact.id}`);
    await expect(open(artifact.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await frameCall(frameId, 'list_notes')).toMatchObject({ ok: false });
  });
});
