import { afterEach, describe, expect, it } from 'vitest';
import { createViewWorld } from '../../../../testing/view-app.ts';
import type { ViewWorld } from '../../../../testing/view-app.ts';
import type { AppTool } from './app-tools.ts';

const worlds: ViewWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.app.close();
});

const createWorld: typeof createViewWorld = async (host, options) => {
  const world = await createViewWorld(host, options);
  worlds.push(world);
  return world;
};

const definition = (name: string) => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: 'object' as const },
});
const offering = { appCapabilities: { tools: { listChanged: true } } };

/** Hand-written handlers, as a view without a schema library has them. */
function offer(world: ViewWorld, names: string[]): unknown[] {
  const calls: unknown[] = [];
  world.app.onlisttools = () => Promise.resolve({ tools: names.map(definition) });
  world.app.oncalltool = (params) => {
    calls.push({ name: params.name, arguments: params.arguments });
    return Promise.resolve({ content: [{ type: 'text', text: `did ${params.name}` }] });
  };
  return calls;
}

const namesOf = (tools: readonly AppTool[]): string[] => tools.map(({ name }) => name);

describe('tools of a view', () => {
  it('are listed after it is initialized and can be called with whatever arguments', async () => {
    const offers: string[][] = [];
    const world = await createWorld({ onAppTools: (tools) => offers.push(namesOf(tools)) }, offering);
    const calls = offer(world, ['add', 'clear']);
    await world.connect();
    expect(offers).toEqual([['add', 'clear']]);
    const input = { any: ['thing'], count: 'not a number' };
    expect(await world.bridge.callAppTool('add', input)).toMatchObject({ content: [{ text: 'did add' }] });
    expect(calls).toEqual([{ name: 'add', arguments: input }]);
  });

  it('apps-A2 are not asked for where the view declares none', async () => {
    const world = await createWorld();
    await world.connect();
    world.bridge.sendToolInput({});
    await world.clock.advance(0);
    expect(world.heard).toEqual(['ui/notifications/tool-input']);
    await expect(world.bridge.callAppTool('add', {})).rejects.toMatchObject({ code: 'unknown_app_tool' });
  });

  it('are listed again when they change', async () => {
    const world = await createWorld({}, offering);
    const names = ['add'];
    offer(world, names);
    await world.connect();
    names.splice(0, 1, 'clear', 'new');
    await world.app.sendToolListChanged();
    await world.clock.advance(0);
    expect(namesOf(world.bridge.appTools)).toEqual(['clear', 'new']);
    await expect(world.bridge.callAppTool('add', {})).rejects.toMatchObject({ code: 'unknown_app_tool' });
  });

  it('are listed once more, not once a notice, when notices pile up', async () => {
    const world = await createWorld({}, offering);
    let listings = 0;
    world.app.onlisttools = () => {
      listings += 1;
      return Promise.resolve({ tools: [definition('a')] });
    };
    await world.connect();
    await Promise.all(Array.from({ length: 20 }, () => world.app.sendToolListChanged()));
    await world.clock.advance(0);
    expect(listings).toBeLessThanOrEqual(4);
    expect(namesOf(world.bridge.appTools)).toEqual(['a']);
  });

  it('apps-A50 are none when the view answers with an error, and the view stays usable', async () => {
    const world = await createWorld({}, offering);
    world.app.onlisttools = () => Promise.reject(new Error('no list'));
    await world.connect();
    expect(world.bridge.appTools).toEqual([]);
    expect(world.refusals).toMatchObject([{ ruleId: 'apps-A50' }]);
    expect(await world.app.callServerTool({ name: 'x' })).toMatchObject({
      content: [{ text: 'tools/call' }],
    });
  });

  it('are given up after 45 s', async () => {
    const world = await createWorld({}, offering);
    offer(world, ['slow']);
    world.app.oncalltool = () => new Promise(() => undefined);
    await world.connect();
    const call = world.bridge.callAppTool('slow', {});
    const code = call.catch((error: { code: string }) => error.code);
    await world.clock.advance(44_999);
    expect(world.bridge.status).toBe('ready');
    await world.clock.advance(1);
    expect(await code).toBe('request_timeout');
  });

  it('apps-P17 are gone with the view, and a call to it is an error', async () => {
    const world = await createWorld({}, offering);
    const calls = offer(world, ['add']);
    await world.connect();
    await world.bridge.teardown();
    expect(world.bridge.appTools).toEqual([]);
    await expect(world.bridge.callAppTool('add', {})).rejects.toMatchObject({ code: 'view_not_ready' });
    expect(calls).toEqual([]);
  });
});

describe('downloads', () => {
  const file = { type: 'resource' as const, resource: { uri: 'file:///a.txt', text: 'x' } };
  const link = { type: 'resource_link' as const, uri: 'https://a.example/x', name: 'x' };

  it('apps-W11 are refused when there are links only, without a dialog', async () => {
    let dialogs = 0;
    const world = await createWorld({ downloadFiles: () => Promise.resolve((dialogs += 1) > 0) });
    await world.connect();
    expect(await world.app.downloadFile({ contents: [link, link] })).toEqual({ isError: true });
    expect(dialogs).toBe(0);
  });

  it('apps-W18 end with an error while another one of the view waits', async () => {
    const dialogs: ((started: boolean) => void)[] = [];
    const world = await createWorld({ downloadFiles: () => new Promise((resolve) => dialogs.push(resolve)) });
    await world.connect();
    const first = world.app.downloadFile({ contents: [file] });
    expect(await world.app.downloadFile({ contents: [file] })).toEqual({ isError: true });
    dialogs[0]?.(true);
    expect(await first).toEqual({});
    const next = world.app.downloadFile({ contents: [file] });
    await world.clock.advance(0);
    dialogs[1]?.(false);
    expect(await next).toEqual({ isError: true });
  });

  it('look the same whether refused, declined or failed', async () => {
    const answers = [() => Promise.resolve(false), () => Promise.reject(new Error('disk full'))];
    for (const downloadFiles of answers) {
      const world = await createWorld({ downloadFiles });
      await world.connect();
      expect(await world.app.downloadFile({ contents: [file] })).toEqual({ isError: true });
    }
  });
});

describe('the end of a view', () => {
  it('apps-P12 waits for the answer to its teardown, within a bound', async () => {
    const world = await createWorld();
    let answer: () => void = () => undefined;
    world.app.onteardown = () => new Promise((resolve) => (answer = () => resolve({})));
    await world.connect();
    let ended = false;
    const teardown = world.bridge.teardown().then(() => (ended = true));
    await world.clock.advance(500);
    expect(world.heard).toEqual(['ui/resource-teardown']);
    expect(ended).toBe(false);
    answer();
    await teardown;
    const silent = await createWorld();
    silent.app.onteardown = () => new Promise(() => undefined);
    await silent.connect();
    const bounded = silent.bridge.teardown();
    await silent.clock.advance(1_000);
    await bounded;
    const without = await createWorld();
    await without.connect();
    await without.bridge.teardown();
    for (const { bridge } of [world, silent, without]) expect(bridge.status).toBe('closed');
  });

  it('sends no teardown to a view that never became ready', async () => {
    const world = await createWorld();
    await world.bridge.teardown();
    expect(world.heard).toEqual([]);
  });

  it('hears that the view wants to be closed, its size and its log', async () => {
    const heard: unknown[] = [];
    const world = await createWorld({
      onRequestTeardown: () => heard.push('close'),
      onSizeChanged: (size) => heard.push(size),
      onLog: (entry) => heard.push(entry),
    });
    await world.connect();
    await world.app.sendSizeChanged({ width: 10, height: 1e9 });
    await world.app.sendSizeChanged({ height: -4 });
    await world.app.sendLog({ level: 'warning', logger: 'app', data: { n: 1 } });
    await world.app.requestTeardown();
    await world.clock.advance(0);
    expect(heard).toEqual([
      { width: 10, height: 100_000 },
      {},
      { level: 'warning', logger: 'app', data: { n: 1 } },
      'close',
    ]);
  });
});
