import { describe, expect, it } from 'vitest';
import { HOST_PID, createFakeSystem } from '../../../../testing/fake-processes.ts';
import type { FakeSystem } from '../../../../testing/fake-processes.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import type { ManualClock } from '../../../../testing/manual-clock.ts';
import { createQuietLog } from '../../../../testing/quiet-log.ts';
import type { QuietLog } from '../../../../testing/quiet-log.ts';
import { openChildLedger } from './child-ledger.ts';
import type { ChildLedger } from './child-ledger.ts';
import { MAX_RECORDS, readRecords } from './child-records.ts';
import type { ChildRecord } from './child-records.ts';
import type { RecordFile } from './record-file.ts';

const ID = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);
/** What an earlier run left on record. */
const CHILD: ChildRecord = { id: ID, command: '/bin/server', place: 'here', pid: 200, startedAt: 'monday' };
const ORPHAN = { pid: 200, startedAt: 'monday', mark: ID };

interface Run {
  readonly ledger: ChildLedger;
  readonly system: FakeSystem;
  readonly clock: ManualClock;
  readonly log: QuietLog;
  readonly file: MemoryFile;
  /** What is on record. */
  records(): readonly ChildRecord[] | undefined;
  /** Lets all that was begun come to its end. */
  over(): Promise<void>;
}

interface MemoryFile extends RecordFile {
  text: string | undefined;
  full: boolean;
}

function memoryFile(text?: string): MemoryFile {
  const file: MemoryFile = {
    text,
    full: false,
    read: () => Promise.resolve(file.text),
    write(next) {
      if (file.full) return Promise.reject(new Error('no space left'));
      file.text = next;
      return Promise.resolve();
    },
  };
  return file;
}

const recordOf = (...children: readonly ChildRecord[]): string => JSON.stringify({ format: 1, children });

async function start(text?: string, system = createFakeSystem()): Promise<Run> {
  const clock = createManualClock();
  const log = createQuietLog();
  const file = memoryFile(text);
  const { processes, signals } = system;
  const ledger = await openChildLedger({ file, processes, signals, clock, log });
  return {
    ledger,
    system,
    clock,
    log,
    file,
    records: () => readRecords(file.text ?? ''),
    async over() {
      await clock.advance(5_000);
      await ledger.close();
    },
  };
}

describe('the record of children', () => {
  it('K31 has a child from before it starts until nothing of it is left', async () => {
    const run = await start();
    const kept = await run.ledger.expect('/bin/server');
    const id = kept.env['PORTICO_CHILD'] ?? '';
    expect(run.records()).toEqual([{ id, command: '/bin/server', place: 'here' }]);
    run.system.run({ pid: 300, parent: HOST_PID, startedAt: 'noon', mark: id });
    kept.started(300);
    await run.over();
    expect(run.records()).toMatchObject([{ id, pid: 300, startedAt: 'noon' }]);
    run.system.end(300);
    await kept.ended();
    expect(run.records()).toEqual([]);
    expect(run.system.sent).toEqual([]);
  });

  it('K31 says nothing of a start time that is not the child’s own', async () => {
    const run = await start();
    const kept = await run.ledger.expect('/bin/server');
    run.system.run({ pid: 300, parent: 90, startedAt: 'noon' });
    kept.started(300);
    await run.over();
    expect(run.records()?.[0]).toMatchObject({ pid: 300 });
    expect(run.records()?.[0]).not.toHaveProperty('startedAt');
  });

  it('K31 ends what has left the child’s group: asks it to, and kills it two seconds later', async () => {
    const run = await start();
    const kept = await run.ledger.expect('/bin/server');
    run.system.run(
      { pid: 400, mark: kept.env['PORTICO_CHILD'], deaf: true },
      { pid: 401, mark: OTHER },
      { pid: 402 },
    );
    const ended = kept.ended();
    await run.clock.advance(1_900);
    expect(run.system.sent).toEqual(['SIGTERM 400']);
    await run.clock.advance(200);
    await ended;
    expect(run.system.sent).toEqual(['SIGTERM 400', 'SIGKILL 400']);
    expect(run.system.alive).toEqual([401, 402]);
  });

  it('K31 keeps what does not even end when it is killed, and says so', async () => {
    const run = await start();
    const kept = await run.ledger.expect('/bin/server');
    run.system.run({ pid: 400, mark: kept.env['PORTICO_CHILD'], stuck: true });
    void kept.ended();
    await run.over();
    expect(run.records()).toHaveLength(1);
    expect(run.log.lines).toMatchObject([{ level: 'error', fields: { command: '/bin/server' } }]);
  });

  it('K31 holds at most 1,000 children; one more is started without, and ended all the same', async () => {
    const full = Array.from({ length: MAX_RECORDS }, (_, index) => ({
      ...CHILD,
      id: index.toString(16).padStart(32, '0'),
      pid: 200,
    }));
    const system = createFakeSystem();
    system.run({ ...ORPHAN, stuck: true });
    const run = await start(recordOf(...full), system);
    await run.clock.advance(5_000);
    const kept = await run.ledger.expect('/bin/one-more');
    system.run({ pid: 500, mark: kept.env['PORTICO_CHILD'] });
    expect(run.records()).toHaveLength(MAX_RECORDS);
    expect(run.log.lines.at(-1)).toMatchObject({ level: 'warn', fields: { most: MAX_RECORDS } });
    void kept.ended();
    await run.over();
    expect(system.alive).toEqual([200]);
  });

  it('starts children although nothing can be written, and says so once', async () => {
    const run = await start();
    run.file.full = true;
    const first = await run.ledger.expect('/bin/first');
    await run.ledger.expect('/bin/second');
    expect(run.log.lines).toMatchObject([{ level: 'warn', fields: { reason: 'Error: no space left' } }]);
    await first.ended();
    run.file.full = false;
    await run.ledger.expect('/bin/third');
    expect(run.records()?.map(({ command }) => command)).toEqual(['/bin/second', '/bin/third']);
  });
});

describe('what an earlier run left running', () => {
  it('K31 is ended by its group, and killed two seconds later where it is deaf', async () => {
    const system = createFakeSystem();
    system.run({ ...ORPHAN, deaf: true }, { pid: 201, group: 200 });
    const run = await start(recordOf(CHILD), system);
    await run.clock.advance(1_900);
    expect(system.sent).toEqual(['SIGTERM 200']);
    await run.over();
    expect(system.sent).toEqual(['SIGTERM 200', 'SIGKILL 200']);
    expect(system.alive).toEqual([]);
    expect(run.records()).toEqual([]);
    expect(run.log.lines).toEqual([
      {
        level: 'warn',
        message: 'ended a program that an earlier run had left running',
        fields: { command: '/bin/server', pid: 200 },
      },
    ]);
  });

  it('K31 is gone before another child starts', async () => {
    const system = createFakeSystem();
    system.run({ ...ORPHAN, deaf: true });
    const run = await start(recordOf(CHILD), system);
    let expected = false;
    void run.ledger.expect('/bin/server').then(() => (expected = true));
    await run.clock.advance(1_900);
    expect(expected).toBe(false);
    await run.clock.advance(200);
    expect(expected).toBe(true);
    expect(system.alive).toEqual([]);
  });

  it.each([
    ['another start', { startedAt: 'tuesday' }],
    ['another start, and children', { startedAt: 'tuesday', group: 200, session: 200 }],
    ['another boot', { startedAt: 'monday of another boot' }],
    ['the mark of another child', { startedAt: 'tuesday', mark: OTHER }],
  ])('K31 is never taken for a process of the same number with %s', async (_what, other) => {
    const system = createFakeSystem();
    system.run({ pid: 200, ...other }, { pid: 201, parent: 200, group: 200 });
    const run = await start(recordOf(CHILD), system);
    await run.over();
    expect(system.sent).toEqual([]);
    expect(system.alive).toEqual([200, 201]);
    expect(run.records()).toEqual([]);
    expect(run.log.lines).toMatchObject([{ level: 'warn', fields: { pid: 200 } }]);
    expect(run.log.lines[0]?.message).toContain('left alone');
  });

  it('K31 is not signalled when its number becomes another’s in the last moment', async () => {
    const system = createFakeSystem();
    system.run(ORPHAN);
    system.onlook = () => system.run({ pid: 200, startedAt: 'just now' });
    const run = await start(recordOf(CHILD), system);
    await run.over();
    expect(system.sent).toEqual([]);
    expect(system.alive).toEqual([200]);
  });

  it('K31 is found by its mark when the child itself has gone, and by what that one shares a session with', async () => {
    const system = createFakeSystem();
    system.run(
      { pid: 201, group: 200, mark: ID },
      // It has overwritten its environment.
      { pid: 202, group: 200 },
      // They have groups of their own.
      { pid: 203, session: 200 },
      { pid: 204, mark: ID },
      { pid: 205, parent: 204 },
      { pid: 206 },
    );
    const run = await start(recordOf(CHILD), system);
    await run.over();
    expect(system.alive).toEqual([206]);
    expect(system.sent.toSorted()).toEqual(['SIGTERM 200', 'SIGTERM 203', 'SIGTERM 204', 'SIGTERM 205']);
  });

  it('K31 is found by its mark when the host was cut off in the middle of a start', async () => {
    const system = createFakeSystem();
    system.run(ORPHAN);
    const { pid: _pid, startedAt: _startedAt, ...expected } = CHILD;
    const run = await start(recordOf(expected), system);
    await run.over();
    expect(system.alive).toEqual([]);
  });

  it('K31 is not what the system’s service manager started with a copy of the environment', async () => {
    const system = createFakeSystem();
    system.run({ pid: 300, mark: ID, place: 'a service of its own' });
    const run = await start(recordOf(CHILD), system);
    await run.over();
    expect(system.sent).toEqual([]);
    expect(system.alive).toEqual([300]);
  });

  it('K31 is never looked for in the session of the host, where no child is', async () => {
    const system = createFakeSystem();
    system.run({ pid: 91, session: 90, mark: ID });
    const run = await start(recordOf(CHILD), system);
    await run.over();
    expect(system.sent).toEqual([]);
    expect(system.alive).toEqual([91]);
    expect(run.records()).toEqual([]);
    expect(run.log.lines).toMatchObject([{ level: 'info' }]);
  });

  it('K31 is left alone where the host itself stems from it', async () => {
    const system = createFakeSystem();
    system.run(ORPHAN, { pid: 90, parent: 200 });
    const run = await start(recordOf(CHILD), system);
    await run.over();
    expect(system.sent).toEqual([]);
    expect(run.records()).toHaveLength(1);
    expect(run.log.lines).toMatchObject([{ level: 'warn' }]);
  });

  it('K31 is left alone and forgotten where the system does not tell who is who, which is said', async () => {
    const system = createFakeSystem({ tells: false });
    system.run(ORPHAN);
    const run = await start(recordOf(CHILD), system);
    await run.over();
    expect(system.sent).toEqual([]);
    expect(run.records()).toEqual([]);
    expect(run.log.lines).toMatchObject([{ level: 'warn', fields: { pid: 200 } }]);
    expect(run.log.lines[0]?.message).toContain('does not tell');
  });

  it('K31 is forgotten where it has ended by itself, also when nobody has collected it', async () => {
    const system = createFakeSystem();
    system.run({ ...ORPHAN, over: true });
    const run = await start(recordOf(CHILD, { ...CHILD, id: OTHER, pid: 201 }), system);
    await run.over();
    expect(system.sent).toEqual([]);
    expect(run.records()).toEqual([]);
    expect(run.log.lines).toMatchObject([{ level: 'info' }, { level: 'info' }]);
  });

  it('K31 is looked for again at the next start where it does not end', async () => {
    const system = createFakeSystem();
    system.run({ ...ORPHAN, stuck: true });
    const run = await start(recordOf(CHILD), system);
    await run.over();
    expect(run.records()).toEqual([CHILD]);
    expect(run.log.lines).toMatchObject([{ level: 'error' }]);
  });

  it.each([
    ['no JSON', 'no JSON'],
    ['another format', JSON.stringify({ format: 2, children: [] })],
    ['the number of the first process', recordOf({ ...CHILD, pid: 1 })],
    ['a negative number', recordOf({ ...CHILD, pid: -200 })],
    ['a mark that everybody has', recordOf({ ...CHILD, id: '' })],
    ['too many children', recordOf(...Array.from({ length: MAX_RECORDS + 1 }, () => CHILD))],
  ])(
    'K31 is not looked for with a record that holds %s: it is reported and begun anew',
    async (_what, text) => {
      const system = createFakeSystem();
      system.run(ORPHAN);
      const run = await start(text, system);
      await run.over();
      expect(system.sent).toEqual([]);
      expect(run.records()).toEqual([]);
      expect(run.log.lines).toMatchObject([{ level: 'warn', fields: { reason: 'it is damaged' } }]);
      await run.ledger.expect('/bin/server');
      expect(run.records()).toHaveLength(1);
    },
  );
});
