import type { ListName } from './state.ts';

/** Least time between the starts of two readings of one list, milliseconds. */
const RELIST_SPACING_MS = 300;

/** Where the reading of one list stands: at most one runs and at most one waits. */
export interface ListProgress {
  readonly phase: 'idle' | 'running' | 'waiting';
  /** It changed while it was being read. */
  readonly again: boolean;
  readonly failures: number;
  readonly startedMs: number;
  /** Whether it was read at least once on this connection, well or not. */
  readonly settled: boolean;
}

const LIST_AT_REST: ListProgress = {
  phase: 'idle',
  again: false,
  failures: 0,
  startedMs: Number.NEGATIVE_INFINITY,
  settled: false,
};

export type ListsProgress = Readonly<Record<ListName, ListProgress>>;

export const LISTS_AT_REST: ListsProgress = {
  tools: LIST_AT_REST,
  resources: LIST_AT_REST,
  resourceTemplates: LIST_AT_REST,
  prompts: LIST_AT_REST,
};

type ListEffect =
  | { readonly type: 'list'; readonly list: ListName }
  | { readonly type: 'relist_later'; readonly list: ListName; readonly delayMs: number };

export interface ListStep {
  readonly progress: ListProgress;
  readonly effect?: ListEffect;
}

function begin(progress: ListProgress, list: ListName, nowMs: number): ListStep {
  return {
    progress: { ...progress, phase: 'running', again: false, startedMs: nowMs },
    effect: { type: 'list', list },
  };
}

/** The list may have changed: read now, or once more after the reading that runs. */
export function listChanged(progress: ListProgress, list: ListName, nowMs: number): ListStep {
  if (progress.phase === 'running') return { progress: { ...progress, again: true } };
  if (progress.phase === 'waiting') return { progress };
  const waitMs = progress.startedMs + RELIST_SPACING_MS - nowMs;
  if (waitMs <= 0) return begin(progress, list, nowMs);
  return {
    progress: { ...progress, phase: 'waiting' },
    effect: { type: 'relist_later', list, delayMs: waitMs },
  };
}

/** The wait is over. */
export function relistDue(progress: ListProgress, list: ListName, nowMs: number): ListStep {
  return progress.phase === 'waiting' ? begin(progress, list, nowMs) : { progress };
}

/** A reading ended well. */
export function listLoaded(progress: ListProgress, list: ListName, nowMs: number): ListStep {
  const rested: ListProgress = {
    ...progress,
    phase: 'idle',
    again: false,
    failures: 0,
    settled: true,
  };
  return progress.again ? listChanged(rested, list, nowMs) : { progress: rested };
}

/** A reading failed; it is tried again after `delayMs`. */
export function listFailed(progress: ListProgress, list: ListName, delayMs: number): ListStep {
  return {
    progress: {
      ...progress,
      phase: 'waiting',
      again: false,
      failures: progress.failures + 1,
      settled: true,
    },
    effect: { type: 'relist_later', list, delayMs },
  };
}
