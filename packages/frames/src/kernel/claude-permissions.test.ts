import { describe, expect, it } from 'vitest';
import { codeOf, createKernelHarness, outcomeOf } from '../../../../testing/frame-kernel.ts';

describe('window.claude.permissions', () => {
  it('reads a state from the shell', async () => {
    const harness = createKernelHarness();
    harness.init();
    const state = harness.claude.permissions.state('mcp:Acme: EU');
    expect(harness.sent).toMatchObject([{ method: 'permissions.state', params: { name: 'mcp:Acme: EU' } }]);
    harness.reply(harness.sent[0]?.id, { state: 'prompt' });
    expect(await state).toBe('prompt');
  });

  it('reads unavailable for names that are none, views without access and words it does not know', async () => {
    const harness = createKernelHarness();
    expect(await harness.claude.permissions.state(5)).toBe('unavailable');
    const waiting = harness.claude.permissions.state('mcp');
    await harness.clock.advance(10_000);
    expect(await waiting).toBe('unavailable');
    harness.init();
    const odd = harness.claude.permissions.state('mcp');
    harness.reply(harness.sent[0]?.id, { state: 'perhaps' });
    expect(await odd).toBe('unavailable');
  });

  it('asks and answers with the state of each name', async () => {
    const harness = createKernelHarness();
    harness.init();
    const names = ['mcp:A', 'mcp:B'];
    const answer = harness.claude.permissions.request(names);
    names.push('mcp:C');
    expect(harness.sent[0]?.params).toEqual({ names: ['mcp:A', 'mcp:B'] });
    harness.reply(harness.sent[0]?.id, { 'mcp:A': 'granted' });
    expect(await outcomeOf(answer)).toEqual({ value: { 'mcp:A': 'granted', 'mcp:B': 'unavailable' } });
  });

  it.each([undefined, 'mcp', [1], Array.from({ length: 65 }, () => 'mcp')])(
    'refuses the names %j',
    async (names) => {
      const harness = createKernelHarness();
      harness.init();
      expect(await codeOf(harness.claude.permissions.request(names))).toBe('bad_request');
    },
  );
});
