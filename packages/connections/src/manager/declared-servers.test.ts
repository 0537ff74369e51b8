import { describe, expect, it } from 'vitest';
import { DeclaredServers } from './declared-servers.ts';
import type { Declaration, ServerOptions } from './declared-servers.ts';
import type { ServerCallbacks } from './server-config.ts';

const URL_A = 'https://a.test/mcp';

/** Two parts of an application, and what was done with their servers. */
function declareTwice() {
  const lines: string[] = [];
  const callbacks = new Map<string, ServerCallbacks>();
  const present = new Set<string>();
  let due: (() => void)[] = [];
  const declared = new DeclaredServers({
    has: (id) => present.has(id),
    add(id) {
      present.add(id);
      lines.push(`add ${id}`);
    },
    patch: (id, changes) => void lines.push(`patch ${id} ${JSON.stringify(changes)}`),
    replace: (id) => void lines.push(`replace ${id}`),
    remove(id) {
      present.delete(id);
      lines.push(`remove ${id}`);
    },
    setCallbacks: (id, next) => void callbacks.set(id, next),
    setDefaults: () => () => undefined,
    disagree: (id) => void lines.push(`disagree ${id}`),
    later(run) {
      due.push(run);
      return () => void (due = due.filter((each) => each !== run));
    },
  });
  const task = (): void => {
    for (const run of due.splice(0)) run();
  };
  return { lines, callbacks, present, task, parts: [declared.declare(), declared.declare()] as const };
}

const follow = (part: Declaration, options: ServerOptions): void => part.follow({ a: options });

describe('servers that two parts of an application declare', () => {
  it('R145 tell the functions of the part that counts, and of the next one when it is gone', () => {
    const { callbacks, task, parts } = declareTwice();
    const [first, second] = parts;
    const [one, two, three] = [() => undefined, () => undefined, () => undefined];
    follow(first, { url: URL_A, onNotification: one });
    follow(second, { url: URL_A, onNotification: two });
    expect(callbacks.get('a')).toEqual({ onNotification: one });
    second.setCallbacks({ a: { onNotification: three }, strange: {} });
    expect([callbacks.get('a'), callbacks.size]).toEqual([{ onNotification: one }, 1]);
    first.setCallbacks({ a: {} });
    expect(callbacks.get('a')).toEqual({});
    first.release();
    task();
    expect(callbacks.get('a')).toEqual({ onNotification: three });
  });

  it('R145 are told again of a disagreement that ended and came back', () => {
    const { lines, parts } = declareTwice();
    const [first, second] = parts;
    follow(first, { url: URL_A });
    for (const displayName of ['x', 'x', undefined, 'y']) {
      follow(second, displayName === undefined ? { url: URL_A } : { url: URL_A, displayName });
    }
    expect(lines).toEqual(['add a', 'disagree a', 'disagree a']);
    follow(first, { url: URL_A, displayName: 'y' });
    follow(first, { url: URL_A, displayName: 'z' });
    expect(lines.slice(3)).toEqual([
      'patch a {"displayName":"y"}',
      'patch a {"displayName":"z"}',
      'disagree a',
    ]);
  });

  it('R127 stay away when they were removed by other means, until their settings change', () => {
    const { lines, present, parts } = declareTwice();
    const [first, second] = parts;
    follow(first, { url: URL_A });
    present.delete('a');
    follow(first, { url: URL_A });
    follow(second, { url: URL_A });
    expect(lines).toEqual(['add a']);
    follow(first, { url: URL_A, displayName: 'A' });
    expect(lines.slice(1)).toEqual(['add a', 'disagree a']);
  });

  it('R137 stay when who declares them lets go and comes back within a task', () => {
    const { lines, task, parts } = declareTwice();
    const [first] = parts;
    follow(first, { url: URL_A });
    first.release();
    follow(first, { url: URL_A });
    task();
    first.release();
    first.release();
    task();
    expect(lines).toEqual(['add a', 'remove a']);
  });
});
