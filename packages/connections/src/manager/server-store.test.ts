import { describe, expect, it } from 'vitest';
import { createScriptedBrowser } from '../../../../testing/scripted-environment.ts';
import { persistedConfig } from './persisted-config.ts';
import type { McpServerConfig } from './server-config.ts';
import { cachedMetadata } from './server-metadata.ts';
import { createServerStore } from './server-store.ts';
import type { ServerStore } from './server-store.ts';
import { MemoryStorageProvider, TextStorageProvider } from './storage-provider.ts';
import type { StorageProvider } from './storage-provider.ts';

const CANARY = 'canary-2718';

/** Every member, and in everything that holds members a canary that must not be stored. */
const FULL = {
  url: 'https://server.example/mcp',
  enabled: false,
  headers: { Authorization: CANARY },
  displayName: 'Mine',
  connectionMode: 'auto',
  proxyConfig: { proxyAddress: 'https://proxy.example/proxy', headers: { key: CANARY } },
  autoProxyFallback: { enabled: true, proxyAddress: 'https://proxy.example/proxy', token: CANARY },
  oauth: {
    clientId: 'me',
    clientMetadataUrl: 'https://app.example/c.json',
    scope: 'read',
    clientSecret: CANARY,
  },
  oauthProxyUrl: 'https://proxy.example/oauth',
  callbackUrl: 'https://app.example/back',
  storageKeyPrefix: 'mine',
  clientInfo: {
    name: 'app',
    version: '1',
    title: 'App',
    description: 'd',
    websiteUrl: 'https://app.example',
    icons: [{ src: 'i.png', mimeType: 'image/png', sizes: ['any'], token: CANARY }],
    token: CANARY,
  },
  clientOptions: { capabilities: { views: true }, token: CANARY },
  protocolNegotiation: { pin: '2026-07-28', token: CANARY },
  timeout: 5,
  autoRetry: 7,
  autoReconnect: {
    enabled: true,
    initialDelay: 1,
    healthCheckInterval: false,
    healthCheckTimeout: 2,
    token: CANARY,
  },
  reconnectionOptions: {
    initialReconnectionDelay: 1,
    maxReconnectionDelay: 2,
    reconnectionDelayGrowFactor: 3,
    maxRetries: 4,
    token: CANARY,
  },
  preventAutoAuth: false,
  useRedirectFlow: true,
  popupFeatures: 'width=1',
  logLevel: 'info',
  authTokens: { access_token: CANARY },
  onNotification: () => CANARY,
  junk: CANARY,
};

const PERSISTED = {
  url: 'https://server.example/mcp',
  enabled: false,
  displayName: 'Mine',
  connectionMode: 'auto',
  proxyConfig: { proxyAddress: 'https://proxy.example/proxy' },
  autoProxyFallback: { enabled: true, proxyAddress: 'https://proxy.example/proxy' },
  oauth: { clientId: 'me', clientMetadataUrl: 'https://app.example/c.json', scope: 'read' },
  oauthProxyUrl: 'https://proxy.example/oauth',
  callbackUrl: 'https://app.example/back',
  storageKeyPrefix: 'mine',
  clientInfo: {
    name: 'app',
    version: '1',
    title: 'App',
    description: 'd',
    websiteUrl: 'https://app.example',
    icons: [{ src: 'i.png', mimeType: 'image/png', sizes: ['any'] }],
  },
  protocolNegotiation: { pin: '2026-07-28' },
  timeout: 5,
  autoRetry: 7,
  autoReconnect: { enabled: true, initialDelay: 1, healthCheckInterval: false, healthCheckTimeout: 2 },
  reconnectionOptions: {
    initialReconnectionDelay: 1,
    maxReconnectionDelay: 2,
    reconnectionDelayGrowFactor: 3,
    maxRetries: 4,
  },
  preventAutoAuth: false,
  useRedirectFlow: true,
  popupFeatures: 'width=1',
  logLevel: 'info',
};

interface StoreSetting {
  readonly store: ServerStore;
  readonly reports: string[];
}

function createStore(provider: StorageProvider): StoreSetting {
  const reports: string[] = [];
  return { store: createServerStore({ provider, report: (level) => void reports.push(level) }), reports };
}

describe('persistedConfig', () => {
  it('R80 R81 keeps the named members and nothing else of them', () => {
    expect(persistedConfig(FULL)).toEqual(PERSISTED);
    expect(
      persistedConfig({ autoReconnect: 3, autoProxyFallback: true, protocolNegotiation: 'auto' }),
    ).toEqual({
      autoReconnect: 3,
      autoProxyFallback: true,
      protocolNegotiation: 'auto',
    });
    expect(persistedConfig({ url: undefined })).toEqual({});
  });

  it('R80 leaves out what is of the wrong kind, and takes no settings that are none', () => {
    const config = {
      url: 'javascript:alert(1)',
      timeout: -1,
      oauth: 'x',
      clientInfo: { name: 'n' },
      autoRetry: () => 1,
      proxyConfig: { proxyAddress: `https://me:${CANARY}@proxy.example/` },
      displayName: 'ok',
    };
    expect(persistedConfig(config)).toEqual({ displayName: 'ok' });
    for (const none of [null, undefined, 'x', []]) expect(persistedConfig(none)).toBeUndefined();
  });

  it('R85 takes nothing from a prototype and gives none away', () => {
    const hostile = JSON.parse(
      '{"__proto__":{"timeout":1},"proxyConfig":{"__proto__":{"proxyAddress":"x"}}}',
    ) as object;
    const persisted = persistedConfig(hostile);
    expect(persisted).toEqual({ proxyConfig: {} });
    expect(Object.getPrototypeOf(persisted)).toBe(Object.prototype);
    expect(persistedConfig(Object.create({ timeout: 1 }))).toEqual({});
  });
});

describe('createServerStore', () => {
  it.each([false, true])('R81 stores no canary, whatever is done (slow storage: %s)', async (slowStorage) => {
    const browser = createScriptedBrowser({ slowStorage });
    const { storage } = browser;
    const { store, reports } = createStore(new TextStorageProvider(storage));
    await store.save('a', FULL as unknown as McpServerConfig);
    await store.save('a', { ...FULL, displayName: 'Other' } as unknown as McpServerConfig);
    await store.saveMetadata('a', { name: 'A', cachedAt: 1, token: CANARY } as never);
    // Before it is read again, since reading cleans.
    expect(JSON.stringify(browser.stored())).not.toContain(CANARY);
    expect(await store.load()).toEqual(new Map([['a', { ...PERSISTED, displayName: 'Other' }]]));
    expect(reports).toEqual([]);
  });

  it('R81 cleans a record that holds one already, also where it is stored', async () => {
    const browser = createScriptedBrowser();
    const { storage } = browser;
    const provider = new TextStorageProvider(storage);
    await provider.setServer('a', FULL as never);
    await provider.setServer('b', {});
    const { store } = createStore(provider);
    expect([...(await store.load())]).toEqual([
      ['a', PERSISTED],
      ['b', {}],
    ]);
    expect(JSON.stringify(browser.stored())).not.toContain(CANARY);
  });

  it('R79 keeps the order of what is done with a provider that is slow', async () => {
    const { storage } = createScriptedBrowser({ slowStorage: true });
    const memory = new MemoryStorageProvider();
    let waits = 3;
    const provider: StorageProvider = {
      getServers: () => memory.getServers(),
      async setServer(id, config) {
        for (let wait = waits--; wait > 0; wait--) await storage.getItem('x');
        memory.setServer(id, config);
      },
      removeServer: (id) => memory.removeServer(id),
    };
    const { store } = createStore(provider);
    const done = [store.save('a', { timeout: 1 }), store.save('a', { timeout: 2 }), store.save('b', {})];
    await Promise.all([...done, store.remove('b')]);
    expect(await store.load()).toEqual(new Map([['a', { timeout: 2 }]]));
  });

  it('R83 goes on without a store that cannot be read, and says so once', async () => {
    const broken: StorageProvider = {
      getServers: () => {
        throw new TypeError('no access');
      },
      setServer: () => undefined,
      removeServer: () => undefined,
      getServerMetadata: () => Promise.reject(new TypeError('no access')),
    };
    const { store, reports } = createStore(broken);
    expect(await store.load()).toEqual(new Map());
    expect(await store.load()).toEqual(new Map());
    expect(await store.loadMetadata('a')).toBeUndefined();
    expect(reports).toEqual(['error']);
  });

  it('R83 loads the rest beside records that cannot be read, and leaves those as they are', async () => {
    const browser = createScriptedBrowser();
    const { storage } = browser;
    for (const id of ['x', 'y']) await storage.setItem(`mcp-client-servers:server:${id}`, '{oops');
    const provider = new TextStorageProvider(storage);
    await provider.setServer('a', { timeout: 1 });
    const before = browser.stored();
    const { store, reports } = createStore(provider);
    expect(await store.load()).toEqual(new Map([['a', { timeout: 1 }]]));
    expect(browser.stored()).toEqual(before);
    expect(reports).toEqual(['error']);
  });

  it('R83 goes on without a store that cannot be written, and warns once', async () => {
    const { storage } = createScriptedBrowser();
    const full = {
      ...storage,
      setItem: () => {
        throw new TypeError('quota');
      },
      removeItem: () => Promise.reject(new TypeError('quota')),
    };
    const { store, reports } = createStore(new TextStorageProvider(full));
    await store.save('a', { timeout: 1 });
    await store.save('b', { timeout: 1 });
    await store.saveMetadata('a', { name: 'A', cachedAt: 1 });
    await store.remove('a');
    expect(reports).toEqual(['warn']);
  });

  it('R85 keeps how a server presents itself until it is removed', async () => {
    const { store } = createStore(new MemoryStorageProvider());
    const metadata = { name: 'A', title: 'Server A', cachedAt: 1 };
    await store.save('__proto__', {});
    await store.saveMetadata('__proto__', metadata);
    expect(await store.loadMetadata('__proto__')).toEqual(metadata);
    expect(await store.loadMetadata('constructor')).toBeUndefined();
    await store.remove('__proto__');
    expect(await store.loadMetadata('__proto__')).toBeUndefined();
    expect(await store.load()).toEqual(new Map());
  });
});

describe('cachedMetadata', () => {
  it('R85 R170 keeps the named members, each within its bounds', () => {
    const full = {
      name: 'A',
      title: 'Server A',
      version: '1',
      websiteUrl: 'https://a.example',
      icons: [{ src: 'https://a.example/i.png', mimeType: 'image/png', sizes: ['48x48'] }],
      icon: 'data:image/png;base64,AA==',
      cachedAt: 12,
    };
    expect(cachedMetadata({ ...full, instructions: CANARY })).toEqual(full);
    const image = (length: number): string => 'data:image/png;base64,'.padEnd(length, 'A');
    expect(cachedMetadata({ ...full, icon: image(65_536) })?.icon).toHaveLength(65_536);
    expect(cachedMetadata({ ...full, icon: image(65_537) })).not.toHaveProperty('icon');
    expect(cachedMetadata({ ...full, icon: 'https://a.example/i.png' })).not.toHaveProperty('icon');
    expect(cachedMetadata({ ...full, title: 'x'.repeat(1_025) })).not.toHaveProperty('title');
    const icons = Array.from({ length: 50 }, () => ({
      src: 'x',
      sizes: Array.from({ length: 50 }, () => 'y'),
    }));
    const kept = cachedMetadata({ ...full, icons: [{ src: 'x'.repeat(1_025) }, 'x', ...icons] })?.icons;
    expect([kept?.length, kept?.[0]?.sizes?.length]).toEqual([14, 16]);
    for (const none of [undefined, 'x', { cachedAt: 1 }, { name: 'A' }, { name: 1, cachedAt: 1 }]) {
      expect(cachedMetadata(none)).toBeUndefined();
    }
  });
});
