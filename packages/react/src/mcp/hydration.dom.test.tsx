import { act } from '@testing-library/react';
import { StrictMode, Suspense } from 'react';
import type { ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { MemoryStorageProvider } from '@portico/connections/manager';
import { createGate } from '../../../../testing/gate.ts';
import type { Gate } from '../../../../testing/gate.ts';
import { WORLD_URL, createServerWorld } from '../../../../testing/managed-world.ts';
import { McpClientProvider } from './mcp-client-provider.tsx';
import { useMcp } from './use-mcp.ts';
import { useMcpClient } from './use-mcp-client.ts';
import { useMcpServer } from './use-mcp-server.ts';

describe('hydration', () => {
  it('R143 finds what the server rendered, though servers are stored and connected meanwhile', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const world = createServerWorld();
    const { environment } = world.tab;
    const storageProvider = new MemoryStorageProvider();
    storageProvider.setServer('s', { url: WORLD_URL });
    const waiting: { on?: Gate } = {};
    const Early = (): ReactNode => {
      const { servers, storageLoaded } = useMcpClient();
      return <p>{`${storageLoaded} ${servers.map(({ id, state }) => `${id} ${state}`).join(' ')}`}</p>;
    };
    const Late = (): ReactNode => {
      waiting.on?.pass();
      const server = useMcpServer('a');
      const ids = useMcpClient().servers.map(({ id }) => id);
      return <p>{`${server?.state} ${server?.log.length} ${ids.join(' ')}`}</p>;
    };
    const Own = (): ReactNode => <p>{useMcp({ url: WORLD_URL, environment }).state}</p>;
    const App = (): ReactNode => (
      <StrictMode>
        <McpClientProvider
          environment={environment}
          mcpServers={{ a: { url: WORLD_URL } }}
          storageProvider={storageProvider}
        >
          <Early />
          <Suspense fallback="waits">
            <Late />
          </Suspense>
        </McpClientProvider>
        <Own />
      </StrictMode>
    );
    const html = renderToString(<App />);
    expect(html).toContain('<p>false a discovering</p>');
    const place = document.createElement('main');
    place.innerHTML = html;
    document.body.append(place);
    const gate = (waiting.on = createGate());
    const mismatches: unknown[] = [];
    const root = await act(() =>
      Promise.resolve(hydrateRoot(place, <App />, { onRecoverableError: (found) => mismatches.push(found) })),
    );
    await act(() => world.settle());
    expect(place.textContent).toContain('true a ready s ready');
    expect(place.textContent).toContain('discovering 0 a');
    await act(() => gate.open());
    await act(() => world.settle());
    expect(place.textContent).toMatch(/ready \d+ a s/);
    expect(mismatches).toEqual([]);
    expect(error).not.toHaveBeenCalled();
    act(() => root.unmount());
    await act(() => world.settle());
    error.mockRestore();
    place.remove();
  });
});
