import { describe, expect, it } from 'vitest';
import { createManagedWorld } from '../../../../testing/managed-world.ts';

const SERVERS = 8;

describe.each(['legacy', 'modern'] as const)('long streams to one origin, %s', (era) => {
  const isStream = (line: string): boolean => line === 'GET -' || line === 'POST subscriptions/listen';

  it('R161 are three at most where each takes a connection, and all servers are ready', async () => {
    const world = createManagedWorld({ era, carriesMany: false });
    for (let index = 0; index < SERVERS; index++) await world.add(`s${index}`);
    await world.settle();
    expect(world.lines().filter(isStream)).toHaveLength(3);
    for (let index = 0; index < SERVERS; index++) {
      expect(world.server(`s${index}`).state).toBe('ready');
      expect(world.server(`s${index}`).log.filter(({ level }) => level !== 'debug')).toEqual([]);
    }
    await world.manager.removeServer('s0');
    await world.settle();
    await world.add('late');
    expect(world.lines().filter(isStream)).toHaveLength(4);
  });

  it('R161 are as many as there are servers where connections carry many', async () => {
    const world = createManagedWorld({ era });
    for (let index = 0; index < SERVERS; index++) await world.add(`s${index}`);
    expect(world.lines().filter(isStream)).toHaveLength(SERVERS);
  });
});
