import { fileURLToPath } from 'node:url';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createSdkMcpServer, query, tool } from '@portico/agent';
import type { McpServerConfig, Options } from '@portico/agent';
import { createMemoryTransportPair } from '@portico/rpc';
import { McpServer } from '@portico/server';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { collect, readUntil, resultOf, toolResultsOf } from '../../../../testing/query-messages.ts';
import { createScriptedProvider } from '../../../../testing/scripted-provider.ts';
import { answer, call, hold, say, toolUse } from '../../../../testing/scripted-reply.ts';
import { z } from 'zod';

const add = tool('add', 'Adds two numbers.', { a: z.number(), b: z.number() }, async ({ a, b }) =>
  Promise.resolve({ content: [{ type: 'text', text: String(a + b) }] }),
);

const everything: McpServerConfig = {
  command: process.execPath,
  args: [
    fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js')),
    'stdio',
  ],
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function run(
  mcpServers: Record<string, McpServerConfig>,
  replies: Parameters<typeof createScriptedProvider>[0],
  options: Options = {},
) {
  const provider = createScriptedProvider(replies);
  const running = query({
    prompt: 'go',
    options: {
      permissionMode: 'bypassPermissions',
      mcpServers,
      ...options,
      portico: { provider, ...options.portico },
    },
  });
  return { provider, running };
}

describe('tool() and createSdkMcpServer()', () => {
  it('G9 describes a tool by exactly its four members, and by annotations when they are given', () => {
    expect(Object.keys(add).sort()).toEqual(['description', 'handler', 'inputSchema', 'name']);
    const reading = tool('t', 'd', {}, () => Promise.resolve({ content: [] }), {
      annotations: { readOnlyHint: true },
    });
    expect(reading.annotations).toEqual({ readOnlyHint: true });
    // @ts-expect-error the handler's argument is typed from the shape
    tool('t', 'd', { n: z.number() }, ({ n }) => Promise.resolve({ content: [{ type: 'text', text: n }] }));
  });

  it('makes a config of type, name and instance, and refuses a repeated name', () => {
    const config = createSdkMcpServer({ name: 'calc', tools: [add] });
    expect(Object.keys(config).sort()).toEqual(['instance', 'name', 'type']);
    expect(config).toMatchObject({ type: 'sdk', name: 'calc' });
    expect(() => createSdkMcpServer({ name: 'calc', tools: [add, add] })).toThrow(
      expect.objectContaining({ code: 'tool_name_repeated', data: { tool: 'add' } }),
    );
  });

  it('runs a tool in this process with checked arguments; wrong ones and a throw are error results', async () => {
    const received: unknown[] = [];
    const fails = tool('fails', '', {}, () => Promise.reject(new Error('no luck')));
    const spy = tool('spy', '', { n: z.number() }, async (args, extra) => {
      received.push(args, extra);
      return Promise.resolve({ content: [{ type: 'text', text: 'seen' }] });
    });
    const calc = createSdkMcpServer({ name: 'calc', version: '2.0.0', tools: [add, fails, spy] });
    const { running, provider } = run({ calc }, [
      answer(
        toolUse('mcp__calc__add', { a: 2, b: 3 }),
        toolUse('mcp__calc__fails'),
        toolUse('mcp__calc__spy', { n: 'three' }),
        toolUse('mcp__calc__spy', { n: 3 }),
      ),
      say('done'),
    ]);
    const messages = await collect(running);
    expect(messages[0]).toMatchObject({ mcp_servers: [{ name: 'calc', status: 'connected' }] });
    expect(toolResultsOf(messages).map(({ isError }) => isError)).toEqual([false, true, true, false]);
    expect(toolResultsOf(messages)[0]?.text).toBe('5');
    expect(toolResultsOf(messages)[1]?.text).toContain('no luck');
    expect(received[0]).toEqual({ n: 3 });
    expect(received).toHaveLength(2);
    expect(received[1]).toMatchObject({ mcpReq: expect.anything() as unknown });
    expect(provider.requests[0]?.tools[0]).toMatchObject({
      name: 'mcp__calc__add',
      description: 'Adds two numbers.',
      input_schema: { type: 'object', required: ['a', 'b'], properties: { a: { type: 'number' } } },
    });
    expect(await running.mcpServerStatus()).toEqual([
      { name: 'calc', status: 'connected', serverInfo: { name: 'calc', version: '2.0.0' } },
    ]);
  });

  it('field-D16 offers odd tools in a form that models take, and calls them as the server knows them', async () => {
    const long = `${'x'.repeat(70)}y`;
    const seen: unknown[] = [];
    const instance = new McpServer({ name: 'odd', version: '1' });
    const either = {
      oneOf: [
        { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
        { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      ],
    };
    for (const [name, inputSchema] of [
      ['ok', { type: 'object' }],
      ['union', { type: 'object', ...either }],
      [long, { type: 'object' }],
      ['admin.tools.list', { type: 'object' }],
    ] as const) {
      instance.registerTool(name, { inputSchema }, (input) => {
        seen.push([name, input]);
        return { content: [{ type: 'text', text: name }] };
      });
    }
    const { running, provider } = run({ odd: { type: 'sdk', name: 'odd', instance } }, ({ tools }, index) => {
      if (index > 0) return say('done');
      const named = (part: string): string => tools.find(({ name }) => name.includes(part))?.name ?? part;
      return answer(
        toolUse(named('ok'), {}, 't1'),
        toolUse(named('union'), { id: 7 }, 't2'),
        toolUse(named('union'), { id: 'seven' }, 't3'),
        toolUse(named('xxx'), {}, 't4'),
        toolUse(named('admin'), {}, 't5'),
      );
    });
    const messages = await collect(running);
    const [request] = provider.requests;
    expect(request?.tools).toHaveLength(4);
    for (const tool of request?.tools ?? []) {
      expect(tool.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(tool.input_schema.type).toBe('object');
      expect(Object.keys(tool.input_schema).filter((key) => /^(one|any|all)Of$/.test(key))).toEqual([]);
    }
    expect(new Set(request?.tools.map(({ name }) => name)).size).toBe(4);
    expect(resultOf(messages)).toMatchObject({ subtype: 'success', is_error: false });
    // The original schema still judges what the model says.
    expect(toolResultsOf(messages).map(({ id, isError }) => [id, isError])).toEqual([
      ['t1', false],
      ['t2', false],
      ['t3', true],
      ['t4', false],
      ['t5', false],
    ]);
    expect(seen).toEqual([
      ['ok', {}],
      ['union', { id: 7 }],
      [long, {}],
      ['admin.tools.list', {}],
    ]);
  });

  it('serves several queries at once', async () => {
    const calc = createSdkMcpServer({ name: 'calc', tools: [add] });
    const script = [call('mcp__calc__add', { a: 1, b: 1 }), say('done')];
    const both = await Promise.all([1, 2, 3].map(async () => await collect(run({ calc }, script).running)));
    expect(both.map((messages) => toolResultsOf(messages)[0]?.text)).toEqual(['2', '2', '2']);
  });
});

describe('mcpServers', () => {
  it('starts a server by command and calls its tools', async () => {
    const { running } = run(
      { everything },
      [call('mcp__everything__echo', { message: 'hello' }), say('done')],
      {
        portico: { mcp: { initWaitMs: 25_000 } },
      },
    );
    const messages = await collect(running);
    expect(messages[0]).toMatchObject({ mcp_servers: [{ name: 'everything', status: 'connected' }] });
    expect(toolResultsOf(messages)).toMatchObject([
      { isError: false, text: expect.stringContaining('hello') as string },
    ]);
  });

  it('lets a server that cannot start cost only itself, and says why', async () => {
    const warnings: string[] = [];
    const calc = createSdkMcpServer({ name: 'calc', tools: [add] });
    const broken: Record<string, McpServerConfig> = {
      missing: { command: 'there-is-no-such-command-here' },
      old: { type: 'sse', url: 'http://127.0.0.1:1/' },
      bare: { type: 'sdk', name: 'bare' } as McpServerConfig,
      calc,
    };
    const { running } = run(broken, [call('mcp__calc__add', { a: 2, b: 2 }), say('done')], {
      stderr: (line) => warnings.push(line),
    });
    const messages = await collect(running);
    expect(messages[0]).toMatchObject({
      mcp_servers: [
        { name: 'missing', status: 'failed' },
        { name: 'old', status: 'failed' },
        { name: 'bare', status: 'failed' },
        { name: 'calc', status: 'connected' },
      ],
      tools: ['mcp__calc__add'],
    });
    expect(toolResultsOf(messages)[0]?.text).toBe('4');
    expect(resultOf(messages).subtype).toBe('success');
    for (const name of ['missing', 'old', 'bare'])
      expect(warnings.some((line) => line.includes(name))).toBe(true);
  });

  it('shows a server that wants a sign-in as needs-auth', async () => {
    const server = createServer((_request, response) =>
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(() => resolve())));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const { running } = run({ locked: { type: 'http', url } }, [say('done')]);
    expect((await collect(running))[0]).toMatchObject({
      mcp_servers: [{ name: 'locked', status: 'needs-auth' }],
    });
  });

  it('G19 lists each server once, waits 5 s before init and up to the startup limit before the first request', async () => {
    const clock = createManualClock();
    const delays: Record<string, number> = { at0: 0, at2: 2_000, at7: 7_000, at40: 40_000 };
    const servers = Object.keys(delays).map(
      (name) => [name, createSdkMcpServer({ name, tools: [add] })] as const,
    );
    const { running, provider } = run(Object.fromEntries(servers), [say('done')], {
      portico: {
        clock,
        createTransport: async (name, config) => {
          await new Promise<void>((resolve) => clock.setTimer(delays[name] ?? 0, resolve));
          const [ours, theirs] = createMemoryTransportPair();
          await (config as { instance: McpServer }).instance.connect(theirs);
          return ours;
        },
      },
    });
    const first = running.next();
    await clock.advance(4_999);
    const early = await Promise.race([first, Promise.resolve('nothing yet')]);
    expect(early).toBe('nothing yet');
    await clock.advance(1);
    expect((await first).value).toMatchObject({
      mcp_servers: [
        { name: 'at0', status: 'connected' },
        { name: 'at2', status: 'connected' },
        { name: 'at7', status: 'pending' },
        { name: 'at40', status: 'pending' },
      ],
    });
    expect(provider.requests).toEqual([]);
    await clock.advance(24_000);
    expect(provider.requests).toEqual([]);
    await clock.advance(1_000);
    await collect(running);
    expect(provider.requests[0]?.tools.map(({ name }) => name)).toEqual([
      'mcp__at0__add',
      'mcp__at2__add',
      'mcp__at7__add',
    ]);
    expect((await running.mcpServerStatus()).map(({ status }) => status)).toEqual([
      'connected',
      'connected',
      'connected',
      'failed',
    ]);
  });

  it('cancels a call at its limit, tells the model, and goes on', async () => {
    const clock = createManualClock();
    const stuck = hold();
    const aborted: boolean[] = [];
    const slow = tool('slow', '', {}, async (_args, extra) => {
      const { signal } = (extra as { mcpReq: { signal: AbortSignal } }).mcpReq;
      signal.addEventListener('abort', () => aborted.push(true));
      await stuck.pass();
      return { content: [] };
    });
    const calc = createSdkMcpServer({ name: 'calc', tools: [slow] });
    const { running } = run({ calc }, [call('mcp__calc__slow'), say('done')], {
      portico: { clock, mcp: { callTimeoutMs: 30_000 } },
    });
    const read = readUntil(running, (message) => message.type === 'result');
    await stuck.reached;
    await clock.advance(30_000);
    const messages = await read;
    expect(toolResultsOf(messages)).toMatchObject([
      { isError: true, text: expect.stringMatching(/^\[mcp_timeout\]/) as string },
    ]);
    expect(resultOf(messages)).toMatchObject({ subtype: 'success', result: 'done' });
    expect(aborted).toEqual([true]);
    stuck.release();
    await collect(running);
  });
});
