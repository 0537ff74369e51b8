import type { ViewSession } from '@portico/api';
import type { AppTool, Refusal } from '@portico/react/views';
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';

export interface ViewFacts {
  readonly status: 'opening' | 'loading' | 'ready' | 'failed';
  readonly reason?: string;
  readonly appName?: string;
  readonly session?: ViewSession;
  readonly appTools: readonly AppTool[];
  readonly refusals: readonly Refusal[];
  readonly log: readonly string[];
}

const NO_FACTS: ViewFacts = { status: 'opening', appTools: [], refusals: [], log: [] };

/** Refusals and log lines kept for one view. */
const MAX_REFUSALS = 50;
const MAX_LOG = 100;

/** What is known of each open view, by the call that it shows; read by the side panel. */
export interface ViewFactStore {
  readonly store: StoreApi<Readonly<Record<string, ViewFacts>>>;
  reset(callId: string): void;
  change(callId: string, part: Partial<ViewFacts>): void;
  addRefusal(callId: string, refusal: Refusal): void;
  addLog(callId: string, line: string): void;
}

export function createViewFacts(): ViewFactStore {
  const store = createStore<Readonly<Record<string, ViewFacts>>>(() => ({}));
  const update = (callId: string, change: (facts: ViewFacts) => ViewFacts): void =>
    store.setState((all) => ({ ...all, [callId]: change(all[callId] ?? NO_FACTS) }), true);
  return {
    store,
    reset: (callId) => update(callId, () => NO_FACTS),
    change: (callId, part) => update(callId, (facts) => ({ ...facts, ...part })),
    addRefusal: (callId, refusal) =>
      update(callId, (facts) => ({ ...facts, refusals: [...facts.refusals, refusal].slice(-MAX_REFUSALS) })),
    addLog: (callId, line) =>
      update(callId, (facts) => ({ ...facts, log: [...facts.log, line].slice(-MAX_LOG) })),
  };
}
