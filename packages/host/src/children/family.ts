import type { ChildRecord } from './child-records.ts';
import type { MarkedProcess, SeenProcess } from './process-list.ts';

/** What is known of the processes that stem from one child. */
export interface Family {
  /** Those that live, each of them proved to stem from the child. */
  readonly living: readonly SeenProcess[];
  /** Another process has the child's number now. */
  readonly numberReused: boolean;
  /** The present process stems from the child itself: whoever ends the family ends it as well. */
  readonly holdsSelf: boolean;
}

/**
 * Finds what stems from a child. Proof is, to begin with, the child's number together with its start, or
 * its mark in an environment, in the place where it was started: whoever hands its environment to the
 * system's service manager makes services of other people carry the mark as well.
 *
 * From there it goes on to what those have started, and to whole sessions: a child begins a session of its
 * own, and nobody enters a session from outside, so whatever is in a session with one of them stems from
 * the child too. This finds what has overwritten its environment, and what has left the group.
 */
export function familyOf(
  record: ChildRecord,
  processes: readonly MarkedProcess[],
  self: MarkedProcess,
): Family {
  // Children are never in the session of the one that starts them.
  const others = processes.filter(({ pid, session }) => pid > 1 && session > 1 && session !== self.session);
  const found = new Set<SeenProcess>(others.filter((process) => isProved(record, process)));
  for (let before = -1; before !== found.size;) {
    before = found.size;
    const pids = new Set([...found].map(({ pid }) => pid));
    const sessions = new Set([...found].map(({ session }) => session));
    for (const process of others) {
      if (pids.has(process.parent) || sessions.has(process.session)) found.add(process);
    }
  }
  const members = [...found];
  return {
    living: members.filter(({ over }) => !over),
    numberReused: processes.some(
      ({ pid, startedAt }) => pid === record.pid && startedAt !== record.startedAt,
    ),
    holdsSelf: ancestorsOf(self, processes).some((ancestor) => members.some(({ pid }) => pid === ancestor)),
  };
}

function isProved(record: ChildRecord, { pid, startedAt, mark, place }: MarkedProcess): boolean {
  if (pid === record.pid && startedAt === record.startedAt) return true;
  return mark === record.id && place === record.place;
}

/** Numbers of those that a process stems from, as far as they still live. */
function ancestorsOf(self: SeenProcess, processes: readonly SeenProcess[]): readonly number[] {
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]));
  const found = new Set<number>();
  for (let pid = self.parent; pid > 1 && !found.has(pid); pid = parents.get(pid) ?? 0) found.add(pid);
  return [...found];
}
