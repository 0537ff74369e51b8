import { McpServer, type ServerContext } from '@portico/server';
import { TASKS_EXTENSION_ID } from '@portico/spec';
import { describe, expect, it } from 'vitest';
import { LOGGED_ROUTES } from './logged-routes.ts';

const INFO = { name: 'tasks-maybe', version: '1' };
const done = (text: string): { content: { type: 'text'; text: string }[] } => ({
  content: [{ type: 'text', text }],
});

/** One tool takes a task where it can, the other needs one. */
function make(tasks?: object): McpServer {
  const server = new McpServer(INFO, tasks === undefined ? {} : { tasks });
  server.registerTool('adapts', {}, (context: ServerContext) =>
    context.tasks?.isSupported === true
      ? (context.tasks.start(() => Promise.resolve(done('as a task'))) as never)
      : done('at once'),
  );
  server.registerTool('insists', {}, ({ tasks: starter }: ServerContext) => {
    if (starter === undefined) throw new TypeError(`this server lacks ${TASKS_EXTENSION_ID}`);
    return starter.start(() => Promise.resolve(done('as a task'))) as never;
  });
  return server;
}

/** A result as text, or the error. */
const outcomeOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
const everything = (value: unknown): string =>
  value instanceof Error
    ? JSON.stringify([value.message, Reflect.get(value, 'code'), Reflect.get(value, 'data')])
    : JSON.stringify(value);

describe.each(LOGGED_ROUTES)('extensions, $name', (route) => {
  it('W205 are not declared by anybody who does not say so', async () => {
    const { client, log, close } = await route.open(() => make(), { capabilities: { roots: {} } });
    await client.callTool({ name: 'adapts' });
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
    expect(JSON.stringify(log)).not.toContain('"extensions"');
    await close();
  });

  it('W205 fall back, or fail by their name, with a client that lacks them', async () => {
    const { client, log, close } = await route.open(() => make({}));
    expect(client.getServerCapabilities()?.extensions).toEqual({ [TASKS_EXTENSION_ID]: {} });
    expect(await client.callTool({ name: 'adapts' })).toMatchObject(done('at once'));
    const failed = await outcomeOf(client.callTool({ name: 'insists' }));
    expect(everything(failed)).toContain(TASKS_EXTENSION_ID);
    expect(failed).toMatchObject({ code: -32_021 });
    expect(JSON.stringify(log)).not.toContain('"resultType":"task"');
    await close();
  });

  it('W205 fall back, or fail by their name, with a server that lacks them', async () => {
    const capabilities = { extensions: { [TASKS_EXTENSION_ID]: {} } };
    const { client, log, close } = await route.open(() => make(), { capabilities });
    expect(await client.callTool({ name: 'adapts' })).toMatchObject(done('at once'));
    const before = log.length;
    for (const work of [
      () => client.getTask('t'),
      () => client.updateTask('t', {}),
      () => client.cancelTask('t'),
      () => client.resumeTask('t'),
    ]) {
      const failed = await outcomeOf(work());
      expect(failed).toBeInstanceOf(Error);
      expect(everything(failed)).toContain(TASKS_EXTENSION_ID);
    }
    expect(log).toHaveLength(before);
    await close();
  });
});

it('W205 work where both sides declare them', async () => {
  const modern = LOGGED_ROUTES.filter(({ era }) => era === 'modern');
  for (const route of modern) {
    const server = make({ pollIntervalMs: 1 });
    const capabilities = { extensions: { [TASKS_EXTENSION_ID]: {} } };
    const opened = await route.open(() => server, { capabilities, handler: { instance: 'shared' } });
    const { client } = opened;
    for (const name of ['adapts', 'insists']) {
      expect(await client.callTool({ name })).toMatchObject(done('as a task'));
    }
    await opened.close();
  }
});
