import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_CLIENT_INFO, resolveConfig, withDefaults } from './resolve-config.ts';
import type { ServerDefaults } from './resolve-config.ts';
import type { McpServerConfig } from './server-config.ts';

describe('resolveConfig', () => {
  it('fills in every default', () => {
    expect(resolveConfig({})).toEqual({
      url: undefined,
      isEnabled: true,
      headers: {},
      displayName: undefined,
      route: { first: 'server', lacksFallbackAddress: false },
      proxyHeaders: {},
      oauth: {},
      oauthProxyUrl: undefined,
      callbackUrl: undefined,
      storageKeyPrefix: 'mcp:auth',
      clientInfo: DEFAULT_CLIENT_INFO,
      clientOptions: {},
      protocolNegotiation: 'auto',
      timeoutMs: 30_000,
      retryDelayMs: undefined,
      reconnect: {
        isEnabled: true,
        initialDelayMs: 3_000,
        healthCheckIntervalMs: 10_000,
        healthCheckTimeoutMs: 30_000,
      },
      streamReconnection: {
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 30_000,
        reconnectionDelayGrowFactor: 1.5,
        maxRetries: 2,
      },
      preventAutoAuth: true,
      useRedirectFlow: false,
      popupFeatures: 'popup=yes,width=600,height=700',
      logLevel: 'silent',
    });
  });

  it('R24 names this program without a link or a logo', () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
      version: string;
    };
    expect(resolveConfig({}).clientInfo).toEqual({ name: 'portico', version });
  });

  const ON = {
    isEnabled: true,
    initialDelayMs: 3_000,
    healthCheckIntervalMs: 10_000,
    healthCheckTimeoutMs: 30_000,
  };
  it.each([
    [undefined, ON],
    [true, ON],
    [0, { ...ON, initialDelayMs: 0 }],
    [500, { ...ON, initialDelayMs: 500 }],
    [{}, ON],
    [{ initialDelay: 1 }, { ...ON, initialDelayMs: 1 }],
    [{ healthCheckInterval: 2 }, { ...ON, healthCheckIntervalMs: 2 }],
    [{ healthCheckInterval: false }, { ...ON, healthCheckIntervalMs: false }],
    [{ healthCheckTimeout: 4 }, { ...ON, healthCheckTimeoutMs: 4 }],
    [
      { enabled: true, healthCheckTimeout: 4 },
      { ...ON, healthCheckTimeoutMs: 4 },
    ],
  ] as const)('R31 reads autoReconnect %j', (autoReconnect, reconnect) => {
    expect(resolveConfig(autoReconnect === undefined ? {} : { autoReconnect }).reconnect).toEqual(reconnect);
  });

  it.each([false, { enabled: false }, { enabled: false, healthCheckInterval: 5 }] as const)(
    'R32 turns checks and streams off with %j',
    (autoReconnect) => {
      const { reconnect, streamReconnection } = resolveConfig({ autoReconnect });
      expect(reconnect.isEnabled).toBe(false);
      expect(reconnect.healthCheckIntervalMs).toBe(false);
      expect(streamReconnection.maxRetries).toBe(0);
      expect(
        resolveConfig({ autoReconnect, reconnectionOptions: { initialReconnectionDelay: 7 } })
          .streamReconnection,
      ).toMatchObject({ initialReconnectionDelay: 7, maxRetries: 2 });
    },
  );

  it.each([
    [undefined, undefined],
    [false, undefined],
    [true, 5_000],
    [0, 0],
    [750, 750],
  ])('R42 reads autoRetry %j', (autoRetry, retryDelayMs) => {
    expect(resolveConfig(autoRetry === undefined ? {} : { autoRetry }).retryDelayMs).toBe(retryDelayMs);
  });

  it('leaves headers out that were given without a value', () => {
    const headers = { a: '1', b: undefined } as unknown as Record<string, string>;
    expect(resolveConfig({ headers }).headers).toEqual({ a: '1' });
  });
});

describe('withDefaults', () => {
  const DEFAULTS: Required<ServerDefaults> = {
    serverConfig: { timeout: 1, logLevel: 'info', headers: { a: '1', b: '2' } },
    proxyConfig: { proxyAddress: 'https://proxy.example/proxy', headers: { p: '1' } },
    autoProxyFallback: true,
    callbackUrl: 'https://app.example/back',
    oauthProxyUrl: 'https://proxy.example/oauth',
    clientInfo: { name: 'app', version: '9', title: 'App' },
  };
  const OWN: McpServerConfig = {
    timeout: 2,
    logLevel: 'debug',
    headers: { c: '3' },
    proxyConfig: { proxyAddress: 'https://own.example/proxy' },
    autoProxyFallback: false,
    callbackUrl: 'https://own.example/back',
    oauthProxyUrl: 'https://own.example/oauth',
    clientInfo: { name: 'own', version: '1' },
  };

  it.each(Object.keys(OWN) as (keyof McpServerConfig)[])(
    'R134 gives %s by default and takes the own one whole',
    (member) => {
      const { serverConfig, ...named } = DEFAULTS;
      const theirs = { ...serverConfig, ...named } as McpServerConfig;
      expect(withDefaults({}, DEFAULTS)[member]).toEqual(theirs[member]);
      expect(withDefaults({ [member]: undefined }, DEFAULTS)[member]).toEqual(theirs[member]);
      expect(withDefaults({ [member]: OWN[member] }, DEFAULTS)[member]).toEqual(OWN[member]);
    },
  );

  it('R134 lets the default with a name of its own go before the general one', () => {
    const callbackUrl = 'https://app.example/named';
    const serverConfig = { callbackUrl: 'https://app.example/general' };
    expect(withDefaults({}, { serverConfig, callbackUrl })).toEqual({ callbackUrl });
    expect(withDefaults({}, { serverConfig, callbackUrl: undefined })).toEqual(serverConfig);
  });
});
