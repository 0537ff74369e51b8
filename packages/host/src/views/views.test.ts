import type { Connector, ToolCall, ToolInfo, ViewSession } from '@portico/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { http } from '../../../../testing/http.ts';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { serverEntry } from '../../../../testing/npm-servers.ts';

describe('views of a real server', () => {
  let running: InProcessHost;
  let connectorId: string;
  let tools: ToolInfo[];
  beforeAll(async () => {
    running = await startInProcessHost();
    const args = [serverEntry('server-debug'), '--stdio'];
    const input = { name: 'Debug', transport: { kind: 'stdio', command: process.execPath, args } };
    const added = await running.call<Connector>('POST', '/api/connectors', input);
    connectorId = added.id;
    const { hash } = added.pendingApproval ?? {};
    await running.call('POST', `/api/connectors/${connectorId}/approval`, { hash });
    await running.untilConnector(connectorId, 'ready');
    ({ tools } = await running.call<{ tools: ToolInfo[] }>('GET', `/api/connectors/${connectorId}/tools`));
  });
  afterAll(() => running.close());

  const toolWithView = (): ToolInfo => tools.find(({ viewUri }) => viewUri !== undefined) as ToolInfo;
  async function callTool(tool = toolWithView().name): Promise<{ conversationId: string; callId: string }> {
    const { id } = await running.newConversation();
    const call = await running.call<ToolCall>('POST', `/api/conversations/${id}/calls`, {
      connectorId,
      tool,
      arguments: {},
    });
    await running.untilItem(
      id,
      (item) => item.id === call.id && item.type === 'tool_call' && item.status !== 'running',
    );
    return { conversationId: id, callId: call.id };
  }
  const open = (at: object): Promise<ViewSession> => running.call('POST', '/api/views', at);
  const ask = (viewId: string, method: string, params: object): Promise<Record<string, unknown>> =>
    running.call('POST', `/api/views/${viewId}/requests`, { method, params });

  it('a server with views offers them', () => {
    expect(toolWithView().viewUri).toMatch(/^ui:\/\//);
  });

  it('opens on an origin of its own, with the call, its tool and a policy as header on both documents', async () => {
    const at = await callTool();
    const view = await open(at);
    expect(view).toMatchObject({
      connectorName: 'Debug',
      call: { id: at.callId },
      tool: { name: toolWithView().name },
    });
    expect(view.url.startsWith(`${view.origin}/view/`)).toBe(true);
    const outer = await http(view.url);
    expect(outer.text).toContain('void "proxy"');
    const outerPolicy = String(outer.headers['content-security-policy']);
    expect(outerPolicy).toContain("default-src 'none'");
    expect(outerPolicy).toContain(`frame-ancestors ${running.origin}`);
    const inner = await http(`${view.url}/app`);
    expect(inner.status).toBe(200);
    expect(inner.text).toMatch(/<html|<!doctype/i);
    const innerPolicy = String(inner.headers['content-security-policy']);
    expect(innerPolicy).toContain("default-src 'none'");
    expect(innerPolicy).toContain("frame-ancestors 'self'");
    const nonces = [outer, await http(view.url)].map(({ headers }) => headers['content-security-policy']);
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it('a view calls tools of its own server that are for views, and no others', async () => {
    const { viewId } = await open(await callTool());
    const forViews = tools.find(({ visibility }) => visibility.includes('app')) as ToolInfo;
    expect(await ask(viewId, 'tools/call', { name: forViews.name, arguments: {} })).toMatchObject({
      result: { content: expect.any(Array) },
    });
    for (const name of ['get_weather', 'nothing', 7]) {
      expect(await ask(viewId, 'tools/call', { name, arguments: {} })).toMatchObject({
        error: { code: -32602 },
      });
    }
  });

  it('a view reads resources of its own server, and gets the server’s own errors', async () => {
    const { viewId } = await open(await callTool());
    const { viewUri } = toolWithView();
    expect(await ask(viewId, 'resources/read', { uri: viewUri })).toMatchObject({
      result: { contents: [{ uri: viewUri }] },
    });
    expect(await ask(viewId, 'resources/read', { uri: 'ui://nothing/here' })).toMatchObject({
      error: { code: expect.any(Number) },
    });
  });

  it('asks for nothing but what views may ask', async () => {
    const { viewId } = await open(await callTool());
    await expect(ask(viewId, 'initialize', {})).rejects.toMatchObject({ code: 'bad_request' });
    await expect(ask('view_none', 'tools/call', {})).rejects.toMatchObject({ code: 'not_found' });
  });

  it('a closed view serves no document and answers nothing', async () => {
    const view = await open(await callTool());
    await running.call('DELETE', `/api/views/${view.viewId}`);
    expect((await http(view.url)).status).toBe(404);
    expect((await http(`${view.url}/app`)).status).toBe(404);
    await expect(ask(view.viewId, 'tools/call', {})).rejects.toMatchObject({ code: 'not_found' });
  });

  it('reopening runs no tool and shares the origin within one conversation only', async () => {
    const at = await callTool();
    const [first, second, other] = [await open(at), await open(at), await open(await callTool())];
    expect(second.origin).toBe(first.origin);
    expect(second.url).not.toBe(first.url);
    expect(other.origin).not.toBe(first.origin);
    expect((await running.conversation(at.conversationId)).items.length).toBe(1);
  });

  it('says what is missing when the connector is off or gone', async () => {
    const at = await callTool();
    await running.call('PUT', `/api/connectors/${connectorId}/enabled`, { enabled: false });
    await expect(open(at)).rejects.toMatchObject({ code: 'connector_not_ready' });
    await running.call('PUT', `/api/connectors/${connectorId}/enabled`, { enabled: true });
    await running.until(
      (event): event is Extract<typeof event, { type: 'connector.changed' }> =>
        event.type === 'connector.changed' && event.connector.status === 'disabled',
    );
    await expect(open({ ...at, callId: 'call_none' })).rejects.toMatchObject({ code: 'not_found' });
  });
});
