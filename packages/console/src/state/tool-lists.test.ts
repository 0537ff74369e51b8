import type { ToolInfo } from '@portico/api';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../api/client.ts';
import { createToolLists } from './tool-lists.ts';

const tool = (name: string): ToolInfo => ({ name, inputSchema: {}, visibility: ['model'] }) as ToolInfo;

/** Tool lists over answers that the test gives one by one. */
function open() {
  const asked: { resolve: (tools: ToolInfo[]) => void; reject: (error: Error) => void }[] = [];
  const api = {
    tools: () => new Promise<ToolInfo[]>((resolve, reject) => asked.push({ resolve, reject })),
  };
  const lists = createToolLists(api as unknown as ApiClient);
  return { lists, asked, shown: () => lists.store.getState()['a'] };
}

describe('the tools of a connector', () => {
  it('are read once for each of its changes, however many show them', async () => {
    const { lists, asked, shown } = open();
    const first = [lists.ensure('a', 1), lists.ensure('a', 1)];
    asked[0]?.resolve([tool('one')]);
    await Promise.all([...first, lists.ensure('a', 1), lists.ensure('a', 0)]);
    expect([asked.length, shown()?.tools.map(({ name }) => name)]).toEqual([1, ['one']]);
    const second = lists.ensure('a', 2);
    expect(shown()).toMatchObject({ status: 'loading', tools: [{ name: 'one' }] });
    asked[1]?.resolve([tool('two')]);
    await second;
    expect(shown()).toMatchObject({ status: 'ready', tools: [{ name: 'two' }] });
  });

  it('are not put back by an answer that comes late', async () => {
    const { lists, asked, shown } = open();
    const both = [lists.ensure('a', 1), lists.ensure('a', 2)];
    asked[1]?.resolve([tool('new')]);
    asked[0]?.resolve([tool('old')]);
    await Promise.all(both);
    expect(shown()).toMatchObject({ status: 'ready', revision: 2, tools: [{ name: 'new' }] });
  });

  it('are read again after a failure, by whoever shows them next', async () => {
    const { lists, asked, shown } = open();
    const first = lists.ensure('a', 1);
    asked[0]?.reject(new TypeError('no network'));
    await first;
    expect(shown()).toMatchObject({ status: 'failed', tools: [] });
    const second = lists.ensure('a', 1);
    asked[1]?.resolve([tool('one')]);
    await second;
    expect(shown()).toMatchObject({ status: 'ready', tools: [{ name: 'one' }] });
  });
});
