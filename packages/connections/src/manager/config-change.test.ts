import { describe, expect, it } from 'vitest';
import { CONFIG_MEMBERS } from './check-config.ts';
import { compareConfigs, mergeConfig } from './config-change.ts';
import { withDefaults } from './resolve-config.ts';
import { sameValue } from '../same-value.ts';
import type { McpServerConfig } from './server-config.ts';

const BASE: McpServerConfig = {
  url: 'https://server.example/mcp',
  headers: { a: '1', b: '2' },
  clientInfo: { name: 'app', version: '1' },
};

const RECONNECTING: McpServerConfig = {
  url: 'https://other.example/mcp',
  headers: { a: '1', b: '3' },
  proxyConfig: { proxyAddress: 'https://proxy.example/proxy' },
  autoProxyFallback: true,
  connectionMode: 'direct',
  oauth: { clientId: 'me' },
  oauthProxyUrl: 'https://proxy.example/oauth',
  callbackUrl: 'https://app.example/back',
  storageKeyPrefix: 'second',
  clientInfo: { name: 'app', version: '2' },
  clientOptions: { capabilities: { views: true } },
  protocolNegotiation: 'legacy',
};
const IN_FORCE: McpServerConfig = {
  displayName: 'Mine',
  logLevel: 'info',
  autoRetry: true,
  autoReconnect: false,
  reconnectionOptions: { maxRetries: 1 },
  timeout: 5,
  popupFeatures: 'width=1',
  preventAutoAuth: false,
  useRedirectFlow: true,
};
const TABLE = [
  ...Object.entries(RECONNECTING).map(([member, value]) => [member, value, 'reconnect'] as const),
  ...Object.entries(IN_FORCE).map(([member, value]) => [member, value, 'in_force'] as const),
];

describe('compareConfigs', () => {
  it.each(TABLE)('R131 R132 takes a change of %s to %j as %s', (member, value, change) => {
    expect(compareConfigs(BASE, { ...BASE, [member]: value })).toBe(change);
    expect(compareConfigs({ ...BASE, [member]: value }, BASE)).toBe(change);
  });

  it('R131 knows what every member asks for', () => {
    expect(CONFIG_MEMBERS.filter((member) => !TABLE.some(([name]) => name === member))).toEqual(['enabled']);
  });

  it('R13 makes or ends the connection when enabled changes', () => {
    expect(compareConfigs(BASE, { ...BASE, enabled: false })).toBe('reconnect');
    expect(compareConfigs({ ...BASE, enabled: false }, BASE)).toBe('reconnect');
  });

  it('R139 R140 takes equal literals, in whatever order, for no change', () => {
    const again: McpServerConfig = {
      clientInfo: { version: '1', name: 'app' },
      headers: { b: '2', a: '1' },
      url: 'https://server.example/mcp',
    };
    expect(compareConfigs(BASE, again)).toBe('same');
    expect(compareConfigs(BASE, { ...again, enabled: undefined } as unknown as McpServerConfig)).toBe('same');
  });

  it('R130 makes no connection anew when a default is said aloud', () => {
    const aloud: McpServerConfig = {
      enabled: true,
      autoProxyFallback: false,
      oauth: {},
      storageKeyPrefix: 'mcp:auth',
      clientOptions: {},
      protocolNegotiation: 'auto',
    };
    expect(compareConfigs(BASE, { ...BASE, ...aloud })).toBe('in_force');
    const { headers: _, ...bare } = BASE;
    expect(compareConfigs(bare, { ...bare, headers: {} })).toBe('in_force');
  });

  it('R134 takes a changed default for a change of the entries that leave the member out', () => {
    const before = { callbackUrl: 'https://app.example/one' };
    const after = { callbackUrl: 'https://app.example/two' };
    const own = { ...BASE, callbackUrl: 'https://own.example/back' };
    expect(compareConfigs(withDefaults(BASE, before), withDefaults(BASE, after))).toBe('reconnect');
    expect(compareConfigs(withDefaults(own, before), withDefaults(own, after))).toBe('same');
  });
});

describe('mergeConfig', () => {
  it('R130 merges, and undefined removes', () => {
    const { headers: _, ...bare } = BASE;
    expect(mergeConfig(BASE, { timeout: 5, headers: undefined } as unknown as McpServerConfig)).toStrictEqual(
      {
        ...bare,
        timeout: 5,
      },
    );
    expect(mergeConfig(BASE, { headers: { c: '3' } }).headers).toEqual({ c: '3' });
  });

  it('R130 gives back the settings when the patch says what they say', () => {
    expect(mergeConfig(BASE, { headers: { b: '2', a: '1' } })).toBe(BASE);
    expect(mergeConfig(BASE, { timeout: undefined } as unknown as McpServerConfig)).toBe(BASE);
    expect(mergeConfig(BASE, {})).toBe(BASE);
  });

  it('takes over nothing that is no setting', () => {
    const patch = JSON.parse('{"__proto__":{"timeout":1},"junk":1,"timeout":2}') as McpServerConfig;
    const merged = mergeConfig(BASE, patch);
    expect(merged).toEqual({ ...BASE, timeout: 2 });
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  });
});

describe('sameValue', () => {
  const read = (): void => undefined;
  class Store {}
  const store = new Store();
  it.each([
    [1, 1, true],
    [Number.NaN, Number.NaN, true],
    [0, '0', false],
    [null, undefined, false],
    [[1, 2], [1, 2], true],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [{ a: { b: [1] } }, { a: { b: [1] } }, true],
    [{ a: { b: [1] } }, { a: { b: [2] } }, false],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: undefined, b: 1 }, { c: undefined, a: 1 }, false],
    [{ read }, { read }, true],
    [{ read: () => 1 }, { read: () => 1 }, false],
    [{ store }, { store }, true],
    [{ store }, { store: new Store() }, false],
  ])('R140 compares %o and %o by value', (a, b, expected) => {
    expect(sameValue(a, b)).toBe(expected);
    expect(sameValue(b, a)).toBe(expected);
  });

  it('comes to an end with what holds itself', () => {
    const ring = (last: number): object => {
      const value: Record<string, unknown> = { last };
      value['self'] = [value, value];
      return value;
    };
    expect(sameValue(ring(1), ring(1))).toBe(true);
    expect(sameValue(ring(1), ring(2))).toBe(false);
  });
});
