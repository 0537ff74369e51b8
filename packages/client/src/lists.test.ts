import { ProtocolError } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import type { ManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedServer, discovered, scriptedTool } from '../../../testing/scripted-server.ts';
import type { ScriptedAnswer, ScriptedServer } from '../../../testing/scripted-server.ts';
import { Client } from './client.ts';
import type { ClientOptions } from './client-options.ts';

const INFO = { name: 'test', version: '1' };
const ERAS = ['legacy', 'modern'] as const;
const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true },
  prompts: { listChanged: true },
};

interface World {
  readonly client: Client;
  readonly server: ScriptedServer;
  readonly clock: ManualClock;
  readonly errors: Error[];
}

interface Script {
  readonly answers?: Readonly<Record<string, ScriptedAnswer>>;
  readonly capabilities?: Record<string, unknown>;
}

async function open(
  era: (typeof ERAS)[number],
  { answers = {}, capabilities = CAPABILITIES }: Script,
  options: ClientOptions = {},
): Promise<World> {
  const clock = createManualClock();
  const probe: Record<string, ScriptedAnswer> =
    era === 'modern' ? { 'server/discover': () => discovered(capabilities) } : {};
  const server = await createScriptedServer({ clock, capabilities, answers: { ...probe, ...answers } });
  const client = new Client(INFO, { clock, versionNegotiation: { mode: 'auto' }, ...options });
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(server.transport);
  return { client, server, clock, errors };
}

const LISTS = {
  'tools/list': ['tools', (client: Client, cursor?: string) => client.listTools(at(cursor))],
  'resources/list': ['resources', (client: Client, cursor?: string) => client.listResources(at(cursor))],
  'resources/templates/list': [
    'resourceTemplates',
    (client: Client, cursor?: string) => client.listResourceTemplates(at(cursor)),
  ],
  'prompts/list': ['prompts', (client: Client, cursor?: string) => client.listPrompts(at(cursor))],
} as const;

const at = (cursor: string | undefined): { cursor?: string; _meta: { traceparent: string } } => ({
  ...(cursor === undefined ? {} : { cursor }),
  _meta: { traceparent: 't' },
});
const item = (n: number): object => ({ ...scriptedTool(`t${n}`), uri: `x:${n}`, uriTemplate: `x:{a${n}}` });

describe.each(ERAS)('a list of several pages, %s', (era) => {
  it.each(Object.entries(LISTS))(
    'W171 is read in order with the cursors as they came, the empty one too: %s',
    async (method, [member, list]) => {
      const cursors = ['', 'a b=', '007', '{}'];
      const { client, server } = await open(era, {
        answers: {
          [method]: ({ cursor }) => {
            const page = cursor === undefined ? 0 : cursors.indexOf(cursor as string) + 1;
            const nextCursor = cursors[page];
            return { [member]: [item(page)], ...(nextCursor === undefined ? {} : { nextCursor }) };
          },
        },
      });
      const read = (await list(client)) as unknown as Record<string, { name: string }[]>;
      expect(read[member]?.map(({ name }) => name)).toEqual(['t0', 't1', 't2', 't3', 't4']);
      expect(read).not.toHaveProperty('nextCursor');
      const sent = server.messages.filter((message) => message.method === method);
      expect(sent.map(({ params }) => params?.['cursor'])).toEqual([undefined, ...cursors]);
      for (const { params } of sent) expect(params?.['_meta']).toMatchObject({ traceparent: 't' });
      const page = (await list(client, 'a b=')) as unknown as Record<string, unknown>;
      expect(page).toMatchObject({ [member]: [{ name: 't2' }], nextCursor: '007' });
      expect(server.messages.filter((message) => message.method === method)).toHaveLength(6);
      expect(await list(client, '')).toMatchObject({ nextCursor: 'a b=' });
    },
  );

  it('W171 fails as a whole when a later page does', async () => {
    const { client } = await open(era, {
      answers: {
        'tools/list': ({ cursor }) => {
          if (cursor !== undefined) throw new ProtocolError(-32602, 'no such page');
          return { tools: [item(0)], nextCursor: 'p2' };
        },
      },
    });
    await expect(client.listTools()).rejects.toMatchObject({ code: -32602 });
  });

  it('W172 is given up when it is endless, goes in circles or takes too long', async () => {
    // Nothing here is truly without an end, so that a walk that is not given up fails and does not hang.
    const endless: ScriptedAnswer = ({ cursor = 0 }) => ({
      tools: [],
      ...(Number(cursor) < 99 ? { nextCursor: `${Number(cursor) + 1}` } : {}),
    });
    const exceeded = { code: 'LIST_PAGINATION_EXCEEDED' };
    const pages = (server: ScriptedServer): number =>
      server.requests.filter((method) => method === 'tools/list').length;
    const standard = await open(era, { answers: { 'tools/list': endless } });
    await expect(standard.client.listTools()).rejects.toMatchObject(exceeded);
    expect(pages(standard.server)).toBe(64);
    const short = await open(era, { answers: { 'tools/list': endless } }, { listMaxPages: 3 });
    await expect(short.client.listTools()).rejects.toMatchObject(exceeded);
    expect(pages(short.server)).toBe(3);
    const long = await open(era, { answers: { 'tools/list': endless } }, { listMaxPages: 0 });
    expect(await long.client.listTools()).toEqual({ tools: [] });
    expect(pages(long.server)).toBe(100);
    let rounds = 0;
    const around: ScriptedAnswer = ({ cursor }) => ({
      tools: [],
      ...(rounds++ < 9 ? { nextCursor: cursor === 'a' ? 'b' : 'a' } : {}),
    });
    const circle = await open(era, { answers: { 'tools/list': around } }, { listMaxPages: 0 });
    await expect(circle.client.listTools()).rejects.toMatchObject(exceeded);
    expect(pages(circle.server)).toBe(3);
    const slow: World = await open(era, {
      answers: {
        'tools/list': ({ cursor = 0 }) =>
          new Promise((resolve) => {
            slow.clock.setTimer(400, () => resolve({ tools: [], nextCursor: `${Number(cursor) + 1}` }));
          }),
      },
    });
    const reading = slow.client.listTools(undefined, { timeout: 1_000 }).catch((error: unknown) => error);
    await slow.clock.advance(1_000);
    expect(await reading).toMatchObject({ code: 'REQUEST_TIMEOUT' });
    expect(pages(slow.server)).toBe(3);
  });
});

describe.each(ERAS)('changes of lists, %s', (era) => {
  const listening: ScriptedAnswer = (params, context) => {
    const meta = { 'io.modelcontextprotocol/subscriptionId': context.id };
    void context.notify('notifications/subscriptions/acknowledged', {
      _meta: meta,
      notifications: params['notifications'],
    });
    return new Promise(() => undefined);
  };
  const notices = {
    tools: 'notifications/tools/list_changed',
    prompts: 'notifications/prompts/list_changed',
    resources: 'notifications/resources/list_changed',
  } as const;

  it('W153 are read once for a burst, handed over, and one that cannot be read is told', async () => {
    let listed = 0;
    let fails = false;
    let hold: (() => void) | undefined;
    let holding = false;
    const seen: unknown[] = [];
    const { client, server, clock } = await open(
      era,
      {
        answers: {
          'subscriptions/listen': listening,
          'tools/list': () => {
            listed += 1;
            if (fails) throw new ProtocolError(-32603, 'down');
            const result = { tools: [item(listed)] };
            return holding ? new Promise((resolve) => (hold = () => resolve(result))) : result;
          },
        },
      },
      {
        listChanged: {
          tools: {
            onChanged: (error, tools) => {
              seen.push(error === null ? tools?.map(({ name }) => name) : (error as { code?: unknown }).code);
            },
          },
        },
      },
    );
    const change = (): Promise<void> => server.peer.notify(notices.tools);
    for (let n = 0; n < 3; n++) {
      await change();
      await clock.advance(20);
    }
    await clock.advance(279);
    expect([listed, seen]).toEqual([0, []]);
    await clock.advance(1);
    expect([listed, seen]).toEqual([1, [['t1']]]);
    // Changes while the list is read make one more reading, however many they are.
    holding = true;
    await change();
    await clock.advance(300);
    await change();
    await clock.advance(300);
    await change();
    await clock.advance(300);
    expect(listed).toBe(2);
    holding = false;
    hold?.();
    await clock.advance(0);
    expect([listed, seen.splice(0)]).toEqual([3, [['t1'], ['t2'], ['t3']]]);
    fails = true;
    await change();
    await clock.advance(300);
    expect(seen.splice(0)).toEqual([-32603]);
    await change();
    await client.close();
    await clock.advance(1_000);
    expect(seen).toEqual([]);
  });

  it('W153 are only signalled when told so, and at once when nothing is waited for', async () => {
    const seen: unknown[] = [];
    const { server, clock } = await open(
      era,
      { answers: { 'subscriptions/listen': listening, 'prompts/list': () => ({ prompts: [item(0)] }) } },
      {
        listChanged: {
          resources: { autoRefresh: false, debounceMs: 0, onChanged: (...given) => seen.push(given) },
          prompts: {
            debounceMs: 0,
            onChanged: (error, prompts) => {
              seen.push([error, prompts?.length]);
              throw new TypeError('a callback that throws');
            },
          },
        },
      },
    );
    await server.peer.notify(notices.resources);
    expect(seen.splice(0)).toEqual([[null, null]]);
    expect(server.requests).not.toContain('resources/list');
    await server.peer.notify(notices.prompts);
    await clock.advance(0);
    expect(seen).toEqual([[null, 1]]);
  });

  it('W153 are followed only where the server announces them', async () => {
    const told: string[] = [];
    const onChanged = (): void => void told.push('changed');
    const { client, server, clock } = await open(
      era,
      {
        capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
        answers: { 'subscriptions/listen': listening },
      },
      { listChanged: { tools: { onChanged, debounceMs: 0 }, resources: { onChanged, debounceMs: 0 } } },
    );
    await server.peer.notify(notices.resources);
    await server.peer.notify(notices.prompts);
    await clock.advance(500);
    expect(told).toEqual([]);
    const modern = era === 'modern';
    const filter = { toolsListChanged: true };
    const listens = server.messages.filter(({ method }) => method === 'subscriptions/listen');
    expect(listens.map(({ params }) => params?.['notifications'])).toEqual(modern ? [filter] : []);
    const stream = client.autoOpenedSubscription;
    expect(stream?.honoredFilter).toEqual(modern ? filter : undefined);
    await stream?.close();
    expect(await stream?.closed).toBe(modern ? 'local' : undefined);
    const none = await open(era, { capabilities: { tools: {} } }, { listChanged: { tools: { onChanged } } });
    expect(none.server.requests).not.toContain('subscriptions/listen');
    expect(none.client.autoOpenedSubscription).toBeUndefined();
  });

  it('leave the handlers of others alone, and options that cannot be worked with are refused', async () => {
    const heard: string[] = [];
    const { client, server } = await open(
      era,
      { answers: { 'subscriptions/listen': listening } },
      {
        listChanged: { tools: { debounceMs: 0, autoRefresh: false, onChanged: () => heard.push('option') } },
      },
    );
    client.setNotificationHandler(notices.tools, () => heard.push('handler'));
    await server.peer.notify(notices.tools);
    expect(heard).toEqual(['option', 'handler']);
    expect(() => new Client(INFO, { listChanged: { tools: {} as never } })).toThrow(TypeError);
    const negative = { debounceMs: -1, onChanged: () => undefined };
    expect(() => new Client(INFO, { listChanged: { tools: negative } })).toThrow(RangeError);
  });

  it('cannot be heard when the stream is refused, which costs nothing else', async () => {
    if (era === 'legacy') return;
    const { client, errors } = await open(
      era,
      {},
      { listChanged: { tools: { onChanged: () => undefined } } },
    );
    expect(errors).toMatchObject([{ code: -32601 }]);
    expect(await client.listTools()).toEqual({ tools: [] });
  });
});
