import { randomBytes } from 'node:crypto';
import type { ChildKeeper, KeptChild } from '@portico/client/stdio';
import type { Log } from '../host-options.ts';
import type { Clock } from '../ports/clock.ts';
import { MAX_RECORDS, readRecords, shortCommand, writeRecords } from './child-records.ts';
import type { ChildRecord } from './child-records.ts';
import { endFamilies } from './end-families.ts';
import type { FamilyEnd } from './end-families.ts';
import { joinRuns } from './joined-runs.ts';
import { CHILD_VARIABLE } from './process-list.ts';
import type { ProcessList, Signals } from './process-list.ts';
import type { RecordFile } from './record-file.ts';

export interface ChildLedgerOptions {
  readonly file: RecordFile;
  readonly processes: ProcessList;
  readonly signals: Signals;
  readonly clock: Clock;
  readonly log: Log;
}

/** Keeps account of started children where the next run finds it. */
export interface ChildLedger extends ChildKeeper {
  /** Resolves when nothing is being ended any more and the record says so. Never rejects. */
  close(): Promise<void>;
}

/**
 * Reads what an earlier run left on record and begins to end it; no child is started before that is over,
 * so that none finds a lock or a port of theirs still taken. From then on each child is on record from
 * before it starts until nothing is left of it (K31). A record that cannot be read is told of and begun
 * anew. Never rejects.
 */
export async function openChildLedger(options: ChildLedgerOptions): Promise<ChildLedger> {
  const earlier = await readEarlier(options);
  const ledger = new Ledger(options, earlier);
  ledger.begin();
  return ledger;
}

async function readEarlier({ file, log }: ChildLedgerOptions): Promise<readonly ChildRecord[] | undefined> {
  let reason = 'it is damaged';
  try {
    const text = await file.read();
    const records = text === undefined ? [] : readRecords(text);
    if (records !== undefined) return records;
  } catch (error) {
    reason = String(error);
  }
  log.warn('the record of started programs cannot be used and is begun anew; none of them was ended', {
    reason,
  });
  return undefined;
}

class Ledger implements ChildLedger {
  readonly #options: ChildLedgerOptions;
  readonly #records = new Map<string, ChildRecord>();
  readonly #damaged: boolean;
  readonly #ending = new Set<Promise<void>>();
  readonly #read: ProcessList['read'];
  readonly #save: () => Promise<void>;
  #cleared: Promise<void> = Promise.resolve();
  #saveFailed = false;

  constructor(options: ChildLedgerOptions, earlier: readonly ChildRecord[] | undefined) {
    this.#options = options;
    this.#damaged = earlier === undefined;
    for (const record of earlier ?? []) this.#records.set(record.id, record);
    this.#read = joinRuns(() => options.processes.read());
    this.#save = joinRuns(() => this.#write());
  }

  begin(): void {
    this.#cleared = this.#clear([...this.#records.values()]);
  }

  async expect(command: string): Promise<KeptChild> {
    await this.#cleared;
    const { processes, log } = this.#options;
    const id = randomBytes(16).toString('hex');
    const record: ChildRecord = { id, command: shortCommand(command), place: processes.self?.place ?? '' };
    if (this.#records.size < MAX_RECORDS) {
      this.#records.set(id, record);
      await this.#save();
    } else log.warn('too many programs are on record; one more is started without', { most: MAX_RECORDS });
    return {
      env: { [CHILD_VARIABLE]: id },
      started: (pid) => this.#started(record, pid),
      ended: () => this.#track(this.#end(this.#records.get(id) ?? record)),
    };
  }

  async close(): Promise<void> {
    await this.#cleared;
    while (this.#ending.size > 0) await Promise.all(this.#ending);
  }

  #started(record: ChildRecord, pid: number): void {
    if (!this.#records.has(record.id)) return;
    const { processes } = this.#options;
    const seen = processes.look(pid);
    // As long as it is our child, nobody else can have its number.
    const isOurs = seen !== undefined && seen.parent === processes.self?.pid;
    this.#records.set(record.id, { ...record, pid, ...(isOurs ? { startedAt: seen.startedAt } : {}) });
    void this.#track(this.#save());
  }

  async #end(record: ChildRecord): Promise<void> {
    const end = await this.#endAll([record]);
    const { id, command, pid } = record;
    const facts = { command, pid };
    const { log } = this.#options;
    if (end.get(record) === 'ended') log.info('ended what a program had left running', facts);
    if (end.get(record) === 'left') {
      log.error('a program left something running that does not end', facts);
      return;
    }
    if (this.#records.delete(id)) await this.#save();
  }

  /** Ends what the earlier run left, and strikes from the record whatever there is nothing more to do about. */
  async #clear(earlier: readonly ChildRecord[]): Promise<void> {
    if (this.#damaged) await this.#save();
    if (earlier.length === 0) return;
    for (const [record, end] of await this.#endAll(earlier)) {
      const { level, message, keep } = WORDS[end];
      this.#options.log[level](message, { command: record.command, pid: record.pid });
      if (!keep) this.#records.delete(record.id);
    }
    await this.#save();
  }

  #endAll(records: readonly ChildRecord[]): Promise<ReadonlyMap<ChildRecord, FamilyEnd>> {
    return endFamilies(records, { ...this.#options, read: this.#read });
  }

  async #track(work: Promise<void>): Promise<void> {
    this.#ending.add(work);
    try {
      await work;
    } finally {
      this.#ending.delete(work);
    }
  }

  async #write(): Promise<void> {
    const { file, log } = this.#options;
    try {
      await file.write(writeRecords([...this.#records.values()]));
      this.#saveFailed = false;
    } catch (error) {
      // Programs are started all the same, and it is told once.
      if (!this.#saveFailed) {
        log.warn('the record of started programs cannot be written', { reason: String(error) });
      }
      this.#saveFailed = true;
    }
  }
}

interface Words {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  /** Whether the next start looks for it again. */
  readonly keep: boolean;
}

/** What is told of a program that was running when an earlier run was cut off. */
const WORDS: Readonly<Record<FamilyEnd, Words>> = {
  gone: { level: 'info', message: 'a program of an earlier run has ended by itself', keep: false },
  reused: {
    level: 'warn',
    message: 'a program of an earlier run has ended, and its number is another one now, which is left alone',
    keep: false,
  },
  ended: { level: 'warn', message: 'ended a program that an earlier run had left running', keep: false },
  left: {
    level: 'error',
    message: 'a program that an earlier run had left running does not end; the next start tries again',
    keep: true,
  },
  above: {
    level: 'warn',
    message: 'a program of an earlier run still runs, and this one was started by it, so it is left alone',
    keep: true,
  },
  unproved: {
    level: 'warn',
    message: 'this system does not tell whether a program of an earlier run still runs; none was ended',
    keep: false,
  },
};
