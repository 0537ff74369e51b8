// @vitest-environment node
import { createElement } from 'react';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  LocalStorageProvider,
  McpClientProvider,
  useMcp,
  useMcpClient,
  useMcpServer,
  useRpcLog,
} from './index.ts';
import { useMcpServerIds } from './observe.ts';

const url = 'https://mcp.test/mcp';
const TOUCHED = [
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'BroadcastChannel',
  'localStorage',
  'indexedDB',
] as const;

/** Renders while the world is not to be touched. */
function rendered(node: ReactNode): string {
  const error = vi.spyOn(console, 'error');
  for (const name of TOUCHED) {
    vi.stubGlobal(
      name,
      vi.fn(() => {
        throw new TypeError(`${name} was used while rendering`);
      }),
    );
  }
  const html = renderToString(node);
  expect(error).not.toHaveBeenCalled();
  return html;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const One = (): ReactNode => {
  const { state, tools, client, idle } = useMcp({ url });
  return `${state} ${tools.length} ${client === null} ${idle}`;
};
const All = (): ReactNode => {
  const { servers, storageLoaded } = useMcpClient();
  const log = useRpcLog();
  const read = {
    ids: useMcpServerIds(),
    states: servers.map(({ state, tools }) => [state, tools]),
    storageLoaded,
    a: useMcpServer('a')?.state,
    none: useMcpServer('none')?.state ?? null,
    entries: log.entries,
  };
  return createElement('pre', null, JSON.stringify(read));
};

describe('rendering on a server', () => {
  it('R143 is possible without a page: useMcp', () => {
    expect(typeof document).toBe('undefined');
    expect(rendered(createElement(One))).toBe('discovering 0 true false');
  });

  it.each([
    ['without storage', undefined, true],
    ['with storage', new LocalStorageProvider(), false],
  ])(
    'R143 R84 is possible without a page: the provider and its hooks, %s',
    (_name, storageProvider, loaded) => {
      const mcpServers = { b: { url }, a: { url } };
      const html = rendered(
        createElement(
          McpClientProvider,
          { mcpServers, storageProvider, enableRpcLogging: true },
          createElement(All),
        ),
      );
      const text = html.replace('<pre>', '').replace('</pre>', '').replaceAll('&quot;', '"');
      expect(JSON.parse(text)).toEqual({
        ids: ['b', 'a'],
        states: [
          ['discovering', []],
          ['discovering', []],
        ],
        storageLoaded: loaded,
        a: 'discovering',
        none: null,
        entries: [],
      });
    },
  );
});
