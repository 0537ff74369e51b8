import { describe, expect, it } from 'vitest';
import { planRoute } from './proxy-route.ts';
import type { RouteSettings } from './proxy-route.ts';

const PROXY = 'https://proxy.example/proxy';
const OWN = 'https://second.example/proxy';
const MODES = [undefined, 'auto', 'direct', 'proxy'] as const;
const FALLBACKS = [undefined, true, { proxyAddress: OWN }] as const;

function settings(
  mode: (typeof MODES)[number],
  hasProxy: boolean,
  fallback: RouteSettings['autoProxyFallback'],
): RouteSettings {
  return {
    ...(mode === undefined ? {} : { connectionMode: mode }),
    ...(hasProxy ? { proxyConfig: { proxyAddress: PROXY } } : {}),
    ...(fallback === undefined ? {} : { autoProxyFallback: fallback }),
  };
}

/** Where the first try goes, and the address of the second way; by mode, proxy address and fallback. */
const EXPECTED = {
  absent: [
    ['server', undefined], // no proxy, no fallback
    ['server', undefined], // no proxy, fallback without address
    ['server', OWN],
    ['proxy', undefined], // proxy, no fallback
    ['server', PROXY],
    ['server', OWN],
  ],
  auto: [
    ['server', undefined],
    ['server', undefined],
    ['server', OWN],
    ['server', PROXY],
    ['server', PROXY],
    ['server', OWN],
  ],
  direct: Array.from({ length: 6 }, () => ['server', undefined] as const),
  // Without an address it is refused before.
  proxy: Array.from({ length: 6 }, () => ['proxy', undefined] as const),
} as const;

const COMBINATIONS = MODES.flatMap((mode) =>
  [false, true].flatMap((hasProxy, row) =>
    FALLBACKS.map((fallback, column) => {
      const [first, second] = EXPECTED[mode ?? 'absent'][row * 3 + column] ?? [];
      return [{ mode, hasProxy, fallback }, first, second] as const;
    }),
  ),
);

describe('planRoute', () => {
  it('R43 has 24 combinations', () => {
    expect(COMBINATIONS).toHaveLength(24);
  });

  it.each(COMBINATIONS)('R43 R44 R46 goes with %j first to the %s, then to %s', (given, first, second) => {
    const route = planRoute(settings(given.mode, given.hasProxy, given.fallback));
    expect(route.first).toBe(first);
    expect(route.fallbackAddress).toBe(second);
    expect(route.proxyAddress).toBe(first === 'proxy' && given.hasProxy ? PROXY : undefined);
  });

  it('R45 counts the object form as enabled unless it says no, and takes its own address first', () => {
    const proxyConfig = { proxyAddress: PROXY };
    const second = (autoProxyFallback: RouteSettings['autoProxyFallback']): string | undefined =>
      planRoute({ proxyConfig, ...(autoProxyFallback === undefined ? {} : { autoProxyFallback }) })
        .fallbackAddress;
    expect(second({})).toBe(PROXY);
    expect(second({ proxyAddress: OWN })).toBe(OWN);
    expect(second({ enabled: true, proxyAddress: OWN })).toBe(OWN);
    expect(second({ enabled: false, proxyAddress: OWN })).toBeUndefined();
    expect(second(false)).toBeUndefined();
    expect(second(undefined)).toBeUndefined();
  });

  it('R45 says when a fallback is asked for that has no address', () => {
    expect(planRoute({ autoProxyFallback: true }).lacksFallbackAddress).toBe(true);
    expect(planRoute({ autoProxyFallback: {} }).lacksFallbackAddress).toBe(true);
    expect(planRoute({ connectionMode: 'auto', autoProxyFallback: true }).lacksFallbackAddress).toBe(true);
    expect(planRoute({}).lacksFallbackAddress).toBe(false);
    expect(planRoute({ connectionMode: 'auto' }).lacksFallbackAddress).toBe(false);
    expect(planRoute({ autoProxyFallback: { proxyAddress: OWN } }).lacksFallbackAddress).toBe(false);
  });
});
