import { Client, StreamableHTTPClientTransport } from '@portico/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  MODES,
  addWebConnector,
  connectorClients,
  versionsOf,
} from '../../../../testing/connector-clients.ts';
import type { ConnectorClients, Mode } from '../../../../testing/connector-clients.ts';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { startTalkativeServer } from '../../../../testing/talkative-server.ts';
import type { TalkativeServer } from '../../../../testing/talkative-server.ts';

const PAIRS = MODES.flatMap((front) => MODES.map((back) => [front, back] as const));

/** Does one of everything and takes down what comes back. */
async function transcript(client: Client): Promise<unknown[]> {
  const lines: unknown[] = [];
  const note = async (what: string, work: Promise<unknown>): Promise<void> => {
    const outcome = await work.catch(({ code, message, data }: Record<string, unknown>) => ({
      error: { code, message, data },
    }));
    lines.push([what, outcome]);
  };
  const progress: unknown[] = [];
  const echo = { name: 'echo', arguments: { text: 'hi' }, _meta: { 'com.example/sent': [1] } };
  await note('server', Promise.resolve([client.getServerVersion(), client.getInstructions()]));
  await note('capabilities', Promise.resolve(client.getServerCapabilities()));
  await note('tools', client.listTools());
  await note('page', client.listTools({ cursor: 'rest' }));
  await note('echo', client.callTool(echo, { onprogress: (step) => progress.push(step) }));
  lines.push(['progress', progress]);
  for (const name of ['fail', 'refuse', 'none']) await note(name, client.callTool({ name }));
  await note('resources', client.listResources());
  await note('templates', client.listResourceTemplates());
  await note('view', client.readResource({ uri: 'ui://talkative/view' }));
  await note('no resource', client.readResource({ uri: 'x:none' }));
  await note('prompts', client.listPrompts());
  await note('prompt', client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } }));
  const ref = { type: 'ref/prompt' as const, name: 'greet' };
  await note('completion', client.complete({ ref, argument: { name: 'who', value: 'A' } }));
  await note('vendor', client.invoke('com.example/ask', { question: 'why' }));
  await note('nothing', client.invoke('com.example/none', {}));
  return lines;
}

/** Without what one era alone tells: how long an answer may be kept, and with each answer whose it is. */
function plain(lines: unknown[]): unknown {
  const isHint = (key: string): boolean =>
    ['ttlMs', 'cacheScope', 'io.modelcontextprotocol/serverInfo'].includes(key);
  const text = JSON.stringify(lines, (key, value: unknown) => (isHint(key) ? undefined : value));
  return JSON.parse(text.replaceAll('"_meta":{},', '').replaceAll(',"_meta":{}', ''));
}

async function direct(url: string, mode: Mode): Promise<Client> {
  const client = new Client({ name: 'page', version: '1' }, { versionNegotiation: versionsOf(mode) });
  await client.connect(new StreamableHTTPClientTransport(url));
  return client;
}

describe('a connector through the host', () => {
  let host: InProcessHost;
  let clients: ConnectorClients;
  const servers = new Map<Mode, TalkativeServer>();
  const ids = new Map<Mode, string>();
  beforeAll(async () => {
    host = await startInProcessHost();
    clients = connectorClients(host);
    for (const era of MODES) {
      const server = await startTalkativeServer(era);
      servers.set(era, server);
      const headers = { 'x-key': 'canary-of-the-connector' };
      ids.set(era, (await addWebConnector(host, server.url, { name: era, headers })).id);
    }
  });
  afterAll(async () => {
    await host.close();
    await Promise.all([...servers.values()].map((server) => server.close()));
  });
  const parts = (back: Mode) => ({ server: servers.get(back)!, id: ids.get(back)! });

  it.each(MODES)('reads in the %s era as its server does without it', async (era) => {
    const { server, id } = parts(era);
    const without = await direct(server.url, era);
    const through = await clients.ours(id, era);
    const expected = await transcript(without);
    expect(expected.map((line) => JSON.stringify(line))).not.toContain('undefined');
    expect(await transcript(through)).toEqual(expected);
    const [first, second] = server.calls.slice(-2);
    expect(second).toEqual(first);
    await Promise.all([without.close(), through.close()]);
  });

  it.each(PAIRS)('reads to a %s client as its %s server does', async (front, back) => {
    const { server, id } = parts(back);
    const without = await direct(server.url, back);
    const through = await clients.ours(id, front);
    expect(plain(await transcript(through))).toEqual(plain(await transcript(without)));
    await Promise.all([without.close(), through.close()]);
  });
});
