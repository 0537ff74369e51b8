import { describe, expect, it } from 'vitest';
import { CONFIG_MEMBERS, checkConfig, checkServerId } from './check-config.ts';
import type { McpServerConfig } from './server-config.ts';

const URL_OF_SERVER = 'https://server.example/mcp';

function refusal(config: unknown): unknown {
  try {
    checkConfig(config);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The member that the refusal names; undefined when the settings pass. */
function refusedMember(config: unknown): unknown {
  const error = refusal(config) as { code?: unknown; data?: { member?: unknown } } | undefined;
  return error?.code === 'invalid_config' ? error.data?.member : error;
}

const FULL: Required<McpServerConfig> = {
  url: URL_OF_SERVER,
  enabled: true,
  headers: { 'X-Team': 'blue', Authorization: 'Bearer abc' },
  displayName: '',
  connectionMode: 'auto',
  proxyConfig: { proxyAddress: 'https://proxy.example/proxy', headers: { 'X-Proxy': '1' } },
  autoProxyFallback: { enabled: true, proxyAddress: 'http://localhost:3001/proxy' },
  oauth: { clientId: 'me', clientMetadataUrl: 'https://app.example/client.json', scope: 'read' },
  oauthProxyUrl: 'https://proxy.example/oauth',
  callbackUrl: 'https://app.example/back',
  storageKeyPrefix: 'mine',
  clientInfo: {
    name: 'app',
    version: '1',
    title: 'App',
    description: 'd',
    websiteUrl: 'https://app.example',
    icons: [{ src: 'https://app.example/i.png', mimeType: 'image/png', sizes: ['48x48'] }],
  },
  clientOptions: { capabilities: { views: true }, listMaxPages: 3 },
  protocolNegotiation: { pin: '2026-07-28' },
  timeout: 1,
  autoRetry: 0,
  autoReconnect: { enabled: true, initialDelay: 0, healthCheckInterval: false, healthCheckTimeout: 1 },
  reconnectionOptions: {
    initialReconnectionDelay: 0,
    maxReconnectionDelay: 1,
    reconnectionDelayGrowFactor: 1,
    maxRetries: 0,
  },
  preventAutoAuth: false,
  useRedirectFlow: true,
  popupFeatures: '',
  logLevel: 'silly',
};

const BAD: readonly (readonly [member: string, config: Record<string, unknown>])[] = [
  ['url', { url: 5 }],
  ['url', { url: '' }],
  ['url', { url: '/mcp' }],
  ['url', { url: 'ftp://server.example/' }],
  ['url', { url: 'javascript:alert(1)' }],
  ['url', { url: 'https://me:secret@server.example/mcp' }],
  ['url', { url: 'https://me@server.example/mcp' }],
  ['url', { url: null }],
  ['enabled', { enabled: 'yes' }],
  ['headers', { headers: [] }],
  ['headers', { headers: { 'a b': '1' } }],
  ['headers', { headers: { '': '1' } }],
  ['headers.x', { headers: { x: 'a\nb' } }],
  ['headers.x', { headers: { x: 'snow \u2603' } }],
  ['headers.x', { headers: { x: 7 } }],
  ['displayName', { displayName: 1 }],
  ['connectionMode', { connectionMode: 'sometimes' }],
  ['proxyConfig', { proxyConfig: 'https://proxy.example' }],
  ['proxyConfig.proxyAddress', { proxyConfig: { proxyAddress: 'proxy' } }],
  ['proxyConfig.headers.x', { proxyConfig: { headers: { x: '\u0000' } } }],
  ['autoProxyFallback', { autoProxyFallback: 'on' }],
  ['autoProxyFallback.enabled', { autoProxyFallback: { enabled: 1 } }],
  ['autoProxyFallback.proxyAddress', { autoProxyFallback: { proxyAddress: 'data:,x' } }],
  ['oauth', { oauth: 'me' }],
  ['oauth.clientId', { oauth: { clientId: '' } }],
  ['oauth.clientMetadataUrl', { oauth: { clientMetadataUrl: 'http://app.example/client.json' } }],
  ['oauth.scope', { oauth: { scope: ['read'] } }],
  ['oauth.clientSecret', { oauth: { clientSecret: 'hidden' } }],
  ['oauthProxyUrl', { oauthProxyUrl: 'x' }],
  ['callbackUrl', { callbackUrl: 'javascript:void 0' }],
  ['callbackUrl', { callbackUrl: '//evil.example/back' }],
  ['callbackUrl', { callbackUrl: '/\\evil.example/back' }],
  ['callbackUrl', { callbackUrl: 'back' }],
  ['storageKeyPrefix', { storageKeyPrefix: '' }],
  ['clientInfo', { clientInfo: 'app' }],
  ['clientInfo.version', { clientInfo: { name: 'app' } }],
  ['clientInfo.name', { clientInfo: { name: '', version: '1' } }],
  ['clientInfo.icons.1.src', { clientInfo: { name: 'a', version: '1', icons: [{ src: 'x' }, {}] } }],
  ['clientOptions', { clientOptions: 1 }],
  ['clientOptions.capabilities.views', { clientOptions: { capabilities: { views: 1 } } }],
  ['protocolNegotiation', { protocolNegotiation: 'modern' }],
  ['protocolNegotiation', { protocolNegotiation: {} }],
  ['protocolNegotiation.pin', { protocolNegotiation: { pin: 20260728 } }],
  ['timeout', { timeout: Number.NaN }],
  ['timeout', { timeout: -1 }],
  ['timeout', { timeout: 0 }],
  ['timeout', { timeout: Number.POSITIVE_INFINITY }],
  ['timeout', { timeout: '30000' }],
  ['autoRetry', { autoRetry: -5 }],
  ['autoReconnect', { autoReconnect: Number.NaN }],
  ['autoReconnect', { autoReconnect: 'yes' }],
  ['autoReconnect.initialDelay', { autoReconnect: { initialDelay: -1 } }],
  ['autoReconnect.healthCheckInterval', { autoReconnect: { healthCheckInterval: 0 } }],
  ['autoReconnect.healthCheckInterval', { autoReconnect: { healthCheckInterval: true } }],
  ['autoReconnect.healthCheckTimeout', { autoReconnect: { healthCheckTimeout: Number.NaN } }],
  ['reconnectionOptions.maxRetries', { reconnectionOptions: { maxRetries: 1.5 } }],
  [
    'reconnectionOptions.reconnectionDelayGrowFactor',
    { reconnectionOptions: { reconnectionDelayGrowFactor: 0 } },
  ],
  ['reconnectionOptions.maxReconnectionDelay', { reconnectionOptions: { maxReconnectionDelay: -1 } }],
  ['preventAutoAuth', { preventAutoAuth: 0 }],
  ['useRedirectFlow', { useRedirectFlow: null }],
  ['popupFeatures', { popupFeatures: { width: 1 } }],
  ['logLevel', { logLevel: 'loud' }],
];

describe('checkConfig', () => {
  it('R7 takes every member with every form it may have', () => {
    expect(refusedMember(FULL)).toBeUndefined();
    expect(refusedMember({})).toBeUndefined();
    for (const member of CONFIG_MEMBERS)
      expect(refusedMember({ [member]: undefined }), member).toBeUndefined();
    for (const autoReconnect of [true, false, 0, 3_000, {}]) {
      expect(refusedMember({ autoReconnect })).toBeUndefined();
    }
    for (const protocolNegotiation of ['auto', 'legacy']) {
      expect(refusedMember({ protocolNegotiation })).toBeUndefined();
    }
  });

  it.each(BAD)('R7 refuses a %s that cannot be used: %j', (member, config) => {
    expect(refusedMember({ url: URL_OF_SERVER, ...config })).toBe(member);
  });

  it('R7 has a bad value for every member', () => {
    const tried = new Set(BAD.map(([member]) => member.split('.')[0]));
    expect(CONFIG_MEMBERS.filter((member) => !tried.has(member))).toEqual([]);
  });

  it('R7 names what is wrong without repeating it', () => {
    const secret = 'canary-3141';
    for (const config of [
      { url: `https://me:${secret}@server.example` },
      { headers: { Authorization: `${secret}\n` } },
    ]) {
      const error = refusal(config);
      expect(error).toMatchObject({ code: 'invalid_config' });
      expect(`${String(error)}${JSON.stringify(error)}`).not.toContain(secret);
    }
  });

  it('R7 takes no settings that are none, and no empty id', () => {
    for (const config of [undefined, null, 'x', []]) expect(refusedMember(config)).toBe('config');
    for (const id of ['', undefined, 3]) {
      expect(() => checkServerId(id)).toThrow(
        expect.objectContaining({ code: 'invalid_config', data: { member: 'id' } }),
      );
    }
    expect(() => checkServerId('__proto__')).not.toThrow();
  });

  it('R44 wants an address for the proxy that everything is to go by', () => {
    const config = { url: URL_OF_SERVER, connectionMode: 'proxy' };
    const member = 'proxyConfig.proxyAddress';
    expect(refusedMember(config)).toBe(member);
    expect(refusedMember({ ...config, proxyConfig: {} })).toBe(member);
    // The address of a fallback is for failures only.
    const autoProxyFallback = { proxyAddress: 'https://proxy.example/proxy' };
    expect(refusedMember({ ...config, autoProxyFallback })).toBe(member);
    expect(
      refusedMember({ ...config, proxyConfig: { proxyAddress: 'https://proxy.example/proxy' } }),
    ).toBeUndefined();
  });

  it('R60 takes a path for the callback, which is one on the origin of the page', () => {
    expect(() => checkConfig({ callbackUrl: '/sign-in/back?x=1' })).not.toThrow();
  });
});
