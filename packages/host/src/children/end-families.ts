import type { Clock } from '../ports/clock.ts';
import type { ChildRecord } from './child-records.ts';
import { familyOf } from './family.ts';
import type { Family } from './family.ts';
import type { ProcessList, SeenProcess, Signals } from './process-list.ts';

/**
 * What became of a child's family:
 * `gone` nothing of it was there; `reused` nothing, and its number is another process's now;
 * `ended` it was ended; `left` it could not be ended; `above` this process stems from it;
 * `unproved` the system does not tell whose processes those are, so nothing was done.
 */
export type FamilyEnd = 'gone' | 'reused' | 'ended' | 'left' | 'above' | 'unproved';

export interface EndFamiliesOptions {
  readonly processes: Pick<ProcessList, 'self' | 'look'>;
  /** Reads all processes. */
  readonly read: ProcessList['read'];
  readonly signals: Signals;
  readonly clock: Clock;
}

/** How long a family may take to end when it is asked to, milliseconds. */
const TERMINATE_MS = 2_000;
/** How long the system may take to collect what was killed, milliseconds. */
const KILL_MS = 2_000;
/** How often it is looked whether everything has gone, milliseconds. */
const LOOK_EVERY_MS = 50;

/**
 * Ends what children have left running: asks it to, and kills what is left after 2 s (K31). Only groups
 * are signalled of which one member is proved, and that it still is the same process is looked at right
 * before each signal.
 */
export async function endFamilies(
  records: readonly ChildRecord[],
  options: EndFamiliesOptions,
): Promise<ReadonlyMap<ChildRecord, FamilyEnd>> {
  const { clock } = options;
  const ends = new Map<ChildRecord, FamilyEnd>();
  const asked = new Set<string>();
  const beganMs = clock.now();
  for (;;) {
    const living = await lookAt(records, ends, options);
    const elapsedMs = clock.now() - beganMs;
    if (living.length === 0 || elapsedMs >= TERMINATE_MS + KILL_MS) return ends;
    if (elapsedMs >= TERMINATE_MS) signalGroups(living, 'SIGKILL', options);
    else {
      const unasked = living.filter((process) => !asked.has(nameOf(process)));
      for (const process of unasked) asked.add(nameOf(process));
      signalGroups(unasked, 'SIGTERM', options);
    }
    await new Promise<void>((resolve) => void clock.setTimer(LOOK_EVERY_MS, resolve));
  }
}

/** Notes what has become of each family that may still be there; @returns whoever is to be ended. */
async function lookAt(
  records: readonly ChildRecord[],
  ends: Map<ChildRecord, FamilyEnd>,
  { processes: { self }, read }: EndFamiliesOptions,
): Promise<readonly SeenProcess[]> {
  const open = records.filter((record) => [undefined, 'left'].includes(ends.get(record)));
  const all = self === undefined || open.length === 0 ? undefined : await read();
  const living: SeenProcess[] = [];
  for (const record of open) {
    const family = self === undefined || all === undefined ? undefined : familyOf(record, all, self);
    const end = family === undefined ? 'unproved' : endOf(family, ends.has(record));
    ends.set(record, end);
    if (end === 'left') living.push(...(family?.living ?? []));
  }
  return living;
}

function endOf({ living, holdsSelf, numberReused }: Family, wasThere: boolean): FamilyEnd {
  if (holdsSelf) return 'above';
  if (living.length > 0) return 'left';
  if (wasThere) return 'ended';
  return numberReused ? 'reused' : 'gone';
}

function signalGroups(
  living: readonly SeenProcess[],
  signal: 'SIGTERM' | 'SIGKILL',
  { processes, signals }: EndFamiliesOptions,
): void {
  const signalled = new Set<number>();
  for (const process of living) {
    const { pid, group } = process;
    if (signalled.has(group)) continue;
    const now = processes.look(pid);
    if (now === undefined || nameOf(now) !== nameOf(process) || now.group !== group) continue;
    signalled.add(group);
    signals.toGroup(group, signal);
  }
}

/** One process of all times. */
function nameOf({ pid, startedAt }: SeenProcess): string {
  return `${pid} ${startedAt}`;
}
