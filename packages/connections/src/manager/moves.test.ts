import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WORLD_URL, createManagedWorld } from '../../../../testing/managed-world.ts';
import type { ManagedWorld } from '../../../../testing/managed-world.ts';
import type { McpServer } from './server-parts.ts';

/** Everything that a server may go to from where it is. */
const MOVES: Readonly<Record<McpServer['state'], readonly McpServer['state'][]>> = {
  discovering: ['ready', 'pending_auth', 'authenticating', 'failed'],
  pending_auth: ['authenticating', 'discovering'],
  authenticating: ['discovering', 'pending_auth', 'failed'],
  ready: ['discovering', 'pending_auth', 'failed'],
  failed: ['discovering'],
};

type Doing = (world: ManagedWorld) => unknown;

/** What may happen to a server, by its people, its network and its time. */
const DOINGS: readonly Doing[] = [
  (world) => world.server().reconnect(),
  (world) => world.server().disconnect(),
  (world) => world.server().retry(),
  (world) => world.server().authenticate(),
  (world) => world.server().clearStorage(),
  (world) => world.server().refreshAll(),
  (world) => world.server().updateConfig({ enabled: false }),
  (world) => world.server().updateConfig({ enabled: true }),
  (world) => world.server().updateConfig({ url: `${WORLD_URL}?other` }),
  (world) => world.server().updateConfig({ preventAutoAuth: false }),
  (world) =>
    world
      .server()
      .callTool('echo')
      .catch(() => undefined),
  (world) => world.script(() => undefined),
  (world) => world.script(() => new Response(null, { status: 500 })),
  (world) => world.script(() => new Response(null, { status: 401 })),
  (world) =>
    world.script(() => {
      throw new TypeError('the network is gone');
    }),
  (world) => world.clock.advance(3_000),
  (world) => world.clock.advance(40_000),
];

const STEPS = 200;
const ROUNDS = 3;

describe('the moves of a managed server', () => {
  it('R11 are the ones that are named, whatever happens', async () => {
    const steps = fc.array(fc.integer({ min: 0, max: DOINGS.length - 1 }), {
      minLength: STEPS,
      maxLength: STEPS,
    });
    const property = fc.asyncProperty(steps, async (sequence) => {
      const world = createManagedWorld();
      let state = (await world.add('a', { url: WORLD_URL, autoRetry: 1_000 })).state;
      const forbidden: string[] = [];
      world.manager.subscribeTo('a', () => {
        const next = world.server().state;
        if (next !== state && !MOVES[state].includes(next)) forbidden.push(`${state} → ${next}`);
        state = next;
      });
      for (const step of sequence) {
        void Promise.resolve(DOINGS[step]?.(world)).catch(() => undefined);
        await Promise.resolve();
        if (step % 3 === 0) await world.settle();
      }
      await world.settle();
      await world.manager.close();
      expect(forbidden).toEqual([]);
      expect(world.clock.armed).toBe(0);
    });
    await fc.assert(property, { numRuns: ROUNDS, seed: 20_260_728, endOnFailure: true });
  }, 120_000);

  it('R5 keep what did not change, and nobody can write to what others see', async () => {
    const world = createManagedWorld();
    await world.add('a', { url: WORLD_URL, headers: { a: '1' }, oauth: { scope: 'a' }, autoRetry: false });
    let before = world.server();
    const changed: string[] = [];
    const states = new Set<string>();
    world.manager.subscribeTo('a', () => {
      const after = world.server();
      states.add(after.state);
      for (const [name, value] of Object.entries(after)) {
        // Of another connection there is another one.
        if (name === 'client') continue;
        if (typeof value === 'function' && value !== Reflect.get(before, name)) changed.push(name);
        const same = JSON.stringify(value) === JSON.stringify(Reflect.get(before, name));
        if (same && typeof value === 'object' && !Object.is(value, Reflect.get(before, name))) {
          changed.push(name);
        }
      }
      before = after;
    });
    const events: readonly Doing[] = [
      () => world.server().refreshAll(),
      () => world.server().callTool('echo', {}),
      () => world.server().setDisplayName(`name ${states.size + world.sent.length}`),
      () => world.server().markAllNotificationsRead(),
      () => world.server().callTool('none'),
      () => world.script(() => new Response(null, { status: 500 })),
      () => world.script(() => undefined),
      () => world.server().reconnect(),
    ];
    let seed = 7;
    for (let event = 0; event < 50; event++) {
      seed = (seed * 16_807) % 2_147_483_647;
      await Promise.resolve(events[seed % events.length]?.(world)).catch(() => undefined);
    }
    world.script(() => new Response(null, { status: 500 }));
    await world.server().reconnect();
    await world.server().setDisplayName('while it is failed');
    world.script(() => undefined);
    await world.server().reconnect();
    expect([...states].toSorted()).toEqual(['discovering', 'failed', 'ready']);
    expect(changed).toEqual([]);
    const server = world.server();
    expect(() => Object.assign(server, { state: 'failed' })).toThrow(TypeError);
    expect(() => server.tools.push(server.tools[0] as never)).toThrow(TypeError);
    expect(() => Object.assign(server.tools[0] as object, { name: 'other' })).toThrow(TypeError);
    expect(() => server.log.pop()).toThrow(TypeError);
    expect(() => Object.assign(server.serverInfo as object, { name: 'other' })).toThrow(TypeError);
    expect(world.server()).toMatchObject({ state: 'ready', tools: [{ name: 'echo' }] });
  });
});
