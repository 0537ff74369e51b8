import { describe, expect, it } from 'vitest';
import { CODECS, codecFor, isSpecMethod } from './codecs.ts';
import type { Codec } from './codec.ts';
import type { MethodRule } from './methods.ts';

function codec(version: string): Codec {
  const found = codecFor(version);
  if (found === undefined) throw new TypeError(`no codec for ${version}`);
  return found;
}

/** Method, first legacy revision that has it (or none), whether the modern one has it, sender. */
const TABLE: readonly [string, string | undefined, boolean, string][] = [
  ['initialize', '2024-10-07', false, 'client'],
  ['notifications/initialized', '2024-10-07', false, 'client'],
  ['ping', '2024-10-07', false, 'both'],
  ['server/discover', undefined, true, 'client'],
  ['subscriptions/listen', undefined, true, 'client'],
  ['notifications/subscriptions/acknowledged', undefined, true, 'server'],
  ['notifications/cancelled', '2024-10-07', true, 'both'],
  ['tools/list', '2024-10-07', true, 'client'],
  ['tools/call', '2024-10-07', true, 'client'],
  ['notifications/tools/list_changed', '2024-10-07', true, 'server'],
  ['resources/list', '2024-10-07', true, 'client'],
  ['resources/templates/list', '2024-10-07', true, 'client'],
  ['resources/read', '2024-10-07', true, 'client'],
  ['resources/subscribe', '2024-10-07', false, 'client'],
  ['resources/unsubscribe', '2024-10-07', false, 'client'],
  ['notifications/resources/updated', '2024-10-07', true, 'server'],
  ['notifications/resources/list_changed', '2024-10-07', true, 'server'],
  ['prompts/list', '2024-10-07', true, 'client'],
  ['prompts/get', '2024-10-07', true, 'client'],
  ['notifications/prompts/list_changed', '2024-10-07', true, 'server'],
  ['completion/complete', '2024-10-07', true, 'client'],
  ['logging/setLevel', '2024-10-07', false, 'client'],
  ['notifications/message', '2024-10-07', true, 'server'],
  ['sampling/createMessage', '2024-10-07', true, 'server'],
  ['roots/list', '2024-10-07', true, 'server'],
  ['notifications/roots/list_changed', '2024-10-07', false, 'client'],
  ['elicitation/create', '2025-06-18', true, 'server'],
  ['notifications/elicitation/complete', '2025-11-25', false, 'server'],
  ['tasks/result', '2025-11-25', false, 'both'],
  ['tasks/list', '2025-11-25', false, 'both'],
  ['notifications/tasks/status', '2025-11-25', false, 'both'],
  ['tasks/update', undefined, true, 'client'],
  ['notifications/tasks', undefined, true, 'server'],
];

describe('method tables', () => {
  it.each(TABLE)('place %s', (...[method, since, modern, sender]) => {
    for (const each of CODECS) {
      const { version, era } = each;
      const rule = each.method(method);
      const defined = era === 'modern' ? modern : since !== undefined && version >= since;
      expect([version, rule?.sender]).toEqual([version, defined ? sender : undefined]);
      expect(rule?.kind).toBe(
        defined ? (method.startsWith('notifications/') ? 'notification' : 'request') : undefined,
      );
    }
    expect(isSpecMethod(method)).toBe(true);
  });

  it('tell progress apart: both ways in the legacy era, to the client in the modern one', () => {
    expect(codec('2025-11-25').method('notifications/progress')?.sender).toBe('both');
    expect(codec('2026-07-28').method('notifications/progress')?.sender).toBe('server');
  });

  it('know no vendor methods and no names of Object.prototype', () => {
    for (const name of ['vendor/x', '', '__proto__', 'constructor', 'toString']) {
      expect(CODECS.some((each) => each.method(name) !== undefined)).toBe(false);
      expect(isSpecMethod(name)).toBe(false);
    }
  });

  it('say which capability a method needs', () => {
    const legacy = (name: string): MethodRule | undefined => codec('2025-11-25').method(name);
    expect(legacy('tools/call')?.serverCapability).toBe('tools');
    expect(legacy('resources/subscribe')?.serverCapability).toBe('resources.subscribe');
    expect(legacy('completion/complete')?.serverCapability).toBe('completions');
    expect(legacy('logging/setLevel')?.serverCapability).toBe('logging');
    expect(legacy('sampling/createMessage')?.clientCapability).toBe('sampling');
    expect(legacy('ping')).toEqual({ kind: 'request', sender: 'both' });
    expect(codec('2024-11-05').method('completion/complete')?.serverCapability).toBeUndefined();
  });

  it('mark what the modern era adds', () => {
    const modern = codec('2026-07-28');
    const marked = (mark: 'mayRequireInput' | 'cacheable' | 'longLived'): string[] =>
      TABLE.map(([name]) => name).filter((name) => modern.method(name)?.[mark] === true);
    expect(marked('mayRequireInput')).toEqual(['tools/call', 'resources/read', 'prompts/get']);
    expect(marked('cacheable')).toEqual([
      'server/discover',
      'tools/list',
      'resources/list',
      'resources/templates/list',
      'resources/read',
      'prompts/list',
    ]);
    expect(marked('longLived')).toEqual(['subscriptions/listen']);
  });
});

describe('codecs', () => {
  it('cover every revision once', () => {
    expect(CODECS.map(({ version }) => version)).toEqual([
      '2026-07-28',
      '2025-11-25',
      '2025-06-18',
      '2025-03-26',
      '2024-11-05',
      '2024-10-07',
    ]);
    expect(codecFor('2026-07-29')).toBeUndefined();
    expect(codecFor('toString')).toBeUndefined();
  });

  it('carry what sets the eras apart', () => {
    for (const each of CODECS) {
      const legacy = each.era === 'legacy';
      expect(each.hasHandshake).toBe(legacy);
      expect(each.serverMayRequest).toBe(legacy);
      expect(each.httpCancel).toBe(legacy ? 'notice' : 'signal');
      expect(each.acceptsBatches).toBe(each.version === '2025-03-26');
    }
  });
});
