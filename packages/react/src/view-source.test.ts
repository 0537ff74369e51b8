import { describe, expect, it } from 'vitest';
import { createClientTools } from './client-tools.ts';
import { viewOriginOf } from './view-source.ts';
import type { ViewClient, ViewServer } from './view-source.ts';

const tool = (name: string, ui: object = {}) => ({
  name,
  inputSchema: { type: 'object' as const },
  _meta: { ui },
});
const options = { signal: new AbortController().signal, timeoutMs: 7_000 };
const ask = (
  source: { server: ViewClient | ViewServer },
  method: 'tools/call' | 'prompts/list',
  name: string,
) =>
  viewOriginOf({ ...source, resourceUri: 'ui://a' }, createClientTools()).connection?.request(
    { method, params: { name } },
    options,
  );

/** A client that notes what it is asked. */
function createClient() {
  const asked: unknown[] = [];
  const answer = (name: string, result: object) => (params: unknown, given: unknown) => {
    asked.push([name, params, given]);
    return Promise.resolve(result);
  };
  const tools = [tool('open'), tool('hidden', { visibility: ['model'] })];
  const client = {
    callTool: answer('callTool', { content: [] }),
    listTools: answer('listTools', { tools }),
    readResource: answer('readResource', { contents: [] }),
    listResources: answer('listResources', { resources: [] }),
    listResourceTemplates: answer('listResourceTemplates', { resourceTemplates: [] }),
    listPrompts: answer('listPrompts', { prompts: [] }),
  } as unknown as ViewClient;
  return { client, asked };
}

describe('what a view is made from', () => {
  it('passes requests to a client with their limits', async () => {
    const { client, asked } = createClient();
    await ask({ server: client }, 'tools/call', 'open');
    await ask({ server: client }, 'prompts/list', 'x');
    const given = { signal: options.signal, timeout: 7_000 };
    expect(asked).toEqual([
      ['listTools', undefined, { signal: options.signal }],
      ['callTool', { name: 'open' }, given],
      ['listPrompts', { name: 'x' }, given],
    ]);
  });

  it.each(['hidden', 'missing'])('refuses a call of a tool that is not for apps: %s', async (name) => {
    const { client, asked } = createClient();
    await expect(ask({ server: client }, 'tools/call', name)).rejects.toMatchObject({ code: -32602 });
    expect(asked).toHaveLength(1);
  });

  it('refuses what only a client answers while a managed server has none', async () => {
    const server = { state: 'failed', client: null, tools: [] } as unknown as ViewServer;
    await expect(ask({ server }, 'prompts/list', 'x')).rejects.toMatchObject({ code: -32603 });
  });

  it('finds the address by the tool, and the tool by its name', () => {
    const shown = tool('show', { resourceUri: 'ui://probe/a' });
    const server = { state: 'ready', client: null, tools: [shown] } as unknown as ViewServer;
    const tools = createClientTools();
    expect(viewOriginOf({ server, tool: 'show' }, tools)).toMatchObject({ uri: 'ui://probe/a', tool: shown });
    expect(viewOriginOf({ server, tool: shown, resourceUri: 'ui://b' }, tools).uri).toBe('ui://b');
    expect(viewOriginOf({ server, tool: 'other' }, tools).uri).toBe('');
  });
});
