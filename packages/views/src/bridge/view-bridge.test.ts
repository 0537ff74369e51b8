import { createMemoryTransportPair } from '@portico/rpc';
import type { JSONRPCMessage } from '@portico/rpc';
import { afterEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createViewWorld } from '../../../../testing/view-app.ts';
import type { ViewWorld } from '../../../../testing/view-app.ts';
import { PROFILES } from '../profiles.ts';
import { createViewBridge } from './create-view-bridge.ts';

const worlds: ViewWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.app.close();
});

const createWorld: typeof createViewWorld = async (host, options) => {
  const world = await createViewWorld(host, options);
  worlds.push(world);
  return world;
};

const tool = (name: string, visibility?: string[]) => ({
  name,
  inputSchema: { type: 'object' as const },
  _meta: { ui: { resourceUri: 'ui://x', ...(visibility === undefined ? {} : { visibility }) } },
});

const codeOf = async (promise: Promise<unknown>): Promise<unknown> =>
  await promise.then(
    () => 'resolved',
    (error: { code: unknown }) => error.code,
  );

describe('the real App on the bridge', () => {
  it('gets host, capabilities and context', async () => {
    const world = await createWorld({ openLink: () => Promise.resolve(true) });
    await world.connect();
    expect(world.bridge.status).toBe('ready');
    expect(world.bridge.info?.appInfo).toMatchObject({ name: 'Probe', version: '1.2.3' });
    expect(world.app.getHostVersion()).toEqual({ name: 'Portico', version: '0.1.0' });
    expect(world.app.getHostCapabilities()).toEqual({
      serverTools: { listChanged: true },
      serverResources: { listChanged: true },
      logging: {},
      openLinks: {},
    });
    expect(world.app.getHostContext()).toEqual({
      theme: 'dark',
      locale: 'de-DE',
      displayMode: 'inline',
      availableDisplayModes: ['inline'],
    });
  });

  it('apps-P10 hears input once and result after it, though both were there before it', async () => {
    const world = await createWorld();
    const heard: unknown[] = [];
    world.app.ontoolinput = (params) => heard.push(params);
    world.app.ontoolinputpartial = (params) => heard.push(params);
    world.app.ontoolresult = (params) => heard.push(params);
    world.bridge.sendToolResult({ content: [], structuredContent: { n: 1 } });
    world.bridge.sendToolInput({ a: 1 });
    world.bridge.sendToolInput({ a: 2 });
    world.bridge.sendToolInputPartial({ a: 3 });
    await world.connect();
    expect(heard).toEqual([{ arguments: { a: 1 } }, { content: [], structuredContent: { n: 1 } }]);
  });

  it('apps-P9 is sent nothing but the answer before it reports that it is initialized', async () => {
    const [near, far] = createMemoryTransportPair();
    const bridge = createViewBridge({
      transport: near,
      clock: createManualClock(),
      profile: PROFILES.open,
      hostInfo: { name: 'Portico', version: '0.1.0' },
      hostContext: {},
      host: { serverRequest: () => Promise.resolve({ result: {} }) },
    });
    const sent: JSONRPCMessage[] = [];
    far.onmessage = (message) => sent.push(message);
    await Promise.all([bridge.start(), far.start()]);
    bridge.sendToolInput({});
    bridge.sendToolResult({ content: [] });
    bridge.updateHostContext({ theme: 'light' });
    bridge.sendListChanged('tools');
    const params = {
      appInfo: { name: 'x', version: '1' },
      appCapabilities: { tools: {} },
      protocolVersion: '2026-01-26',
    };
    await far.send({ jsonrpc: '2.0', id: 1, method: 'ui/initialize', params });
    bridge.updateHostContext({ theme: 'dark' });
    await createManualClock().advance(0);
    expect(sent).toMatchObject([
      { id: 1, result: { protocolVersion: '2026-01-26', hostContext: { theme: 'light' } } },
    ]);
    await far.send({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    await createManualClock().advance(0);
    expect(sent.slice(1).map((message) => ('method' in message ? message.method : ''))).toEqual([
      'ui/notifications/host-context-changed',
      'ui/notifications/tool-input',
      'ui/notifications/tool-result',
      'tools/list',
    ]);
    await far.close();
  });

  it('hears what changed of its surroundings and nothing else', async () => {
    const world = await createWorld();
    const changes: unknown[] = [];
    world.app.onhostcontextchanged = (params) => changes.push(params);
    await world.connect();
    world.bridge.updateHostContext({ theme: 'dark' });
    world.bridge.updateHostContext({ theme: 'light', locale: 'de-DE' });
    await world.clock.advance(0);
    expect(changes).toEqual([{ theme: 'light' }]);
  });

  it('reaches its own server', async () => {
    const world = await createWorld();
    await world.connect();
    expect(await world.app.callServerTool({ name: 'x', arguments: { a: 1 } })).toMatchObject({
      content: [{ type: 'text', text: 'tools/call' }],
    });
    expect(world.requests).toMatchObject([
      { method: 'tools/call', params: { name: 'x', arguments: { a: 1 } } },
    ]);
  });

  it('is given the error number of its server', async () => {
    const world = await createWorld({
      serverRequest: () => Promise.resolve({ error: { code: -32_002, message: 'Gone', data: 1 } }),
    });
    await world.connect();
    expect(await codeOf(world.app.callServerTool({ name: 'x' }))).toBe(-32_002);
  });

  it('apps-P3 calls no tool that is not for apps, nor one of another server', async () => {
    const world = await createWorld(
      {},
      { tools: [tool('both'), tool('app', ['app']), tool('model', ['model'])] },
    );
    await world.connect();
    for (const name of ['both', 'app']) await world.app.callServerTool({ name });
    for (const name of ['model', 'elsewhere'])
      expect(await codeOf(world.app.callServerTool({ name }))).toBe(-32_602);
    expect(world.requests.map((request) => request.params['name'])).toEqual(['both', 'app']);
    expect(world.refusals).toMatchObject([
      { ruleId: 'apps-P3', subject: 'model' },
      { ruleId: 'apps-P3', subject: 'elsewhere' },
    ]);
  });

  it('opens links of known schemes when the person agrees', async () => {
    const opened: string[] = [];
    let agree = true;
    const world = await createWorld({
      openLink: (url) => {
        opened.push(url);
        return Promise.resolve(agree);
      },
    });
    await world.connect();
    expect(await world.app.openLink({ url: 'https://a.example/x' })).toEqual({});
    agree = false;
    expect(await world.app.openLink({ url: 'mailto:a@b.example' })).toEqual({ isError: true });
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'ui://x']) {
      expect(await world.app.openLink({ url })).toEqual({ isError: true });
    }
    expect(opened).toEqual(['https://a.example/x', 'mailto:a@b.example']);
    expect(world.refusals).toHaveLength(5);
    expect(await codeOf(world.app.openLink({ url: 'nowhere' }))).toBe(-32_602);
  });

  it('learns of missing features by "method not found"', async () => {
    const world = await createWorld();
    await world.connect();
    const message = { role: 'user' as const, content: [{ type: 'text' as const, text: 'x' }] };
    expect(await codeOf(world.app.openLink({ url: 'https://a.example' }))).toBe(-32_601);
    expect(await codeOf(world.app.sendMessage(message))).toBe(-32_601);
    expect(await codeOf(world.app.updateModelContext({}))).toBe(-32_601);
  });

  it('apps-W1 apps-W2 is offered downloads exactly where the host has them', async () => {
    const contents = [{ type: 'resource' as const, resource: { uri: 'file:///a.txt', text: 'x' } }];
    const without = await createWorld();
    await without.connect();
    expect(without.app.getHostCapabilities()).not.toHaveProperty('downloadFile');
    await expect(without.app.downloadFile({ contents })).rejects.toMatchObject({
      code: -32_601,
      message: expect.stringContaining('Method not found') as string,
    });
    const taken: unknown[] = [];
    const having = await createWorld({ downloadFiles: (files) => Promise.resolve(taken.push(files) > 0) });
    await having.connect();
    expect(having.app.getHostCapabilities()).toHaveProperty('downloadFile');
    expect(await having.app.downloadFile({ contents })).toEqual({});
    expect(taken).toEqual([contents]);
  });

  it.each([
    ['apps-W8', [{ type: 'resource', resource: { uri: 'a', blob: 'PHA-' } }]],
    ['apps-W8', [{ type: 'resource', resource: { uri: 'a', blob: 'data:;base64,PHA+' } }]],
    ['apps-W9', [{ type: 'resource', resource: { text: 'x' } }]],
    ['apps-W10', []],
    ['apps-W10', 'x'],
  ])('%s rejects a malformed download as invalid params', async (_rule, contents) => {
    const world = await createWorld({ downloadFiles: () => Promise.resolve(true) });
    await world.connect();
    await expect(world.app.downloadFile({ contents: contents as never })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('Invalid params for ui/download-file') as string,
    });
  });

  it.each([
    ['apps-M11', [{ type: 'text', text: ' \n' }]],
    ['apps-M11', []],
  ] as const)('%s refuses the message %j', async (ruleId, content) => {
    const world = await createWorld({ sendMessage: () => Promise.resolve(true) });
    await world.connect();
    expect(await world.app.sendMessage({ role: 'user', content: [...content] })).toEqual({ isError: true });
    expect(world.refusals).toMatchObject([{ ruleId }]);
  });

  it('apps-M13 takes 8,000 characters, blocks joined by one, and refuses 8,001', async () => {
    const world = await createWorld({ sendMessage: () => Promise.resolve(true) });
    await world.connect();
    const send = (last: string) =>
      world.app.sendMessage({
        role: 'user',
        content: [
          { type: 'text', text: 'x'.repeat(7_000) },
          { type: 'text', text: last },
        ],
      });
    expect(await send('y'.repeat(999))).toEqual({});
    expect(await send('y'.repeat(1_000))).toEqual({ isError: true });
  });

  it('passes on messages and what the model should know', async () => {
    const seen: unknown[] = [];
    const world = await createWorld({
      sendMessage: (content) => Promise.resolve(seen.push(content) > 0),
      updateModelContext: (context) => void seen.push(context),
    });
    await world.connect();
    const content = [{ type: 'text' as const, text: 'hello' }];
    expect(await world.app.sendMessage({ role: 'user', content })).toEqual({});
    await world.app.updateModelContext({ structuredContent: { n: 1 } });
    expect(seen).toEqual([content, { structuredContent: { n: 1 } }]);
  });

  it('apps-D20 keeps its mode when a mode is not available, with the reason for the host', async () => {
    const world = await createWorld();
    await world.connect();
    expect(await world.app.requestDisplayMode({ mode: 'fullscreen' })).toEqual({ mode: 'inline' });
    expect(await world.app.requestDisplayMode({ mode: 'inline' })).toEqual({ mode: 'inline' });
    expect(world.refusals).toMatchObject([{ ruleId: 'apps-D47', subject: 'fullscreen' }]);
    expect(world.heard).not.toContain('ui/notifications/host-context-changed');
  });

  it('apps-D23 is told that a mode does not exist', async () => {
    const world = await createWorld();
    await world.connect();
    expect(await codeOf(world.app.requestDisplayMode({ mode: 'sidebar' as 'inline' }))).toBe(-32_602);
  });

  it('apps-P14 is never moved into a mode that it did not declare', async () => {
    const asked: string[] = [];
    const world = await createWorld(
      { requestDisplayMode: (mode) => Promise.resolve((asked.push(mode), mode)) },
      {
        availableDisplayModes: ['inline', 'fullscreen'],
        appCapabilities: { availableDisplayModes: ['inline'] },
      },
    );
    await world.connect();
    expect(await world.app.requestDisplayMode({ mode: 'fullscreen' })).toEqual({ mode: 'inline' });
    expect(asked).toEqual([]);
    expect(world.refusals).toMatchObject([{ ruleId: 'apps-P14' }]);
  });

  it('is moved where the page agrees, and told so', async () => {
    const world = await createWorld(
      { requestDisplayMode: (mode) => Promise.resolve(mode) },
      { availableDisplayModes: ['inline', 'fullscreen', 'pip'] },
    );
    await world.connect();
    expect(world.app.getHostContext()?.availableDisplayModes).toEqual(['inline', 'fullscreen']);
    expect(await world.app.requestDisplayMode({ mode: 'fullscreen' })).toEqual({ mode: 'fullscreen' });
    await world.clock.advance(0);
    expect(world.app.getHostContext()?.displayMode).toBe('fullscreen');
  });

  it.each([
    [
      'apps-D11',
      'ui/initialize',
      {
        appInfo: { name: 'x', version: '1' },
        appCapabilities: { availableDisplayModes: ['sidebar'] },
        protocolVersion: 'v',
      },
    ],
    ['a nameless', 'ui/initialize', { appInfo: {}, appCapabilities: {}, protocolVersion: 'v' }],
  ])('%s handshake fails with invalid params and the view does not start', async (_rule, method, params) => {
    const [near, far] = createMemoryTransportPair();
    const bridge = createViewBridge({
      transport: near,
      clock: createManualClock(),
      profile: PROFILES.open,
      hostInfo: { name: 'Portico', version: '0.1.0' },
      hostContext: {},
      host: { serverRequest: () => Promise.resolve({ result: {} }) },
    });
    const sent: JSONRPCMessage[] = [];
    far.onmessage = (message) => sent.push(message);
    await Promise.all([bridge.start(), far.start()]);
    await far.send({ jsonrpc: '2.0', id: 1, method, params });
    await far.send({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    await far.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'x' } });
    await createManualClock().advance(0);
    expect(sent).toMatchObject([
      { id: 1, error: { code: -32_602 } },
      { id: 2, error: { code: -32_600 } },
    ]);
    expect(bridge.status).toBe('loading');
  });
});
