import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createProcessList, markIn, readStatus } from './linux-processes.ts';

const rest = (ticks: string): string => `1 200 201 0 -1 4194560 ${'0 '.repeat(12)}${ticks} 9 9`;

describe('processes as /proc tells of them', () => {
  it.each([
    ['a plain name', '(node)'],
    ['brackets and spaces in it', '(a) S 7 7 7 (b)'],
    ['a line end in it', '(a\n9 (b) R 1)'],
  ])('K31 are read past %s', (_what, name) => {
    expect(readStatus(`300 ${name} S ${rest('12345')}`, 'boot')).toEqual({
      pid: 300,
      parent: 1,
      group: 200,
      session: 201,
      startedAt: 'boot 12345',
      over: false,
    });
  });

  it('K31 are over when nobody has collected them yet, and unknown when the line is cut off', () => {
    expect(readStatus(`300 (node) Z ${rest('12345')}`, 'boot')?.over).toBe(true);
    expect(readStatus('300 (node) S 1 200', 'boot')).toBeUndefined();
    expect(readStatus('', 'boot')).toBeUndefined();
  });

  it('K31 have a mark only where the variable has exactly that name', () => {
    expect(markIn('A=1\0PORTICO_CHILD=abc\0B=2\0')).toBe('abc');
    expect(markIn('NOT_PORTICO_CHILD=abc\0X=PORTICO_CHILD=abc\0PORTICO_CHILDREN=abc')).toBeUndefined();
  });

  it('K31 are not told of on other systems', async () => {
    const list = createProcessList('darwin', process.pid);
    expect(list.self).toBeUndefined();
    expect(list.look(process.pid)).toBeUndefined();
    expect(await list.read()).toBeUndefined();
  });

  it.skipIf(process.platform !== 'linux')('K31 are this one and its children, with their marks', async () => {
    const list = createProcessList(process.platform, process.pid);
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PORTICO_CHILD: 'abc' },
    });
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    const found = (await list.read())?.find((process) => process.pid === pid);
    expect(found).toMatchObject({ parent: process.pid, group: pid, session: pid, mark: 'abc', over: false });
    expect(found?.place).toBe(list.self?.place);
    expect(list.look(pid)?.startedAt).toBe(found?.startedAt);
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
    expect(list.look(pid)).toBeUndefined();
  });
});
