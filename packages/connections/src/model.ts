import { LISTS_AT_REST } from './list-progress.ts';
import type { ListsProgress } from './list-progress.ts';
import type { ReconnectPolicy } from './policy.ts';
import { NO_LISTS } from './state.ts';
import type {
  ConnectionFailure,
  ConnectionState,
  DroppedItem,
  ListName,
  ServerAbout,
  ServerLists,
} from './state.ts';

/** Everything the reducer knows of one connection. */
export interface ConnectionModel {
  readonly state: ConnectionState;
  readonly policy: ReconnectPolicy;
  /** Counts openings; what belongs to an earlier one is ignored. */
  readonly generation: number;
  readonly lists: ListsProgress;
  /** Failures in a row as far as the next wait is concerned. */
  readonly backOffStep: number;
  /** Whether the connection was in service since somebody asked for it. */
  readonly hasServed: boolean;
  /** When the connection last came into service, epoch milliseconds. */
  readonly inServiceSinceMs?: number;
  /** Times of recent ends, as far back as the policy looks. */
  readonly endsMs: readonly number[];
  readonly missedPings: number;
}

/** What happens to a connection. Events of an opening carry its generation. */
export type ConnectionEvent =
  | { readonly type: 'connect' }
  | { readonly type: 'reconnect' }
  /** It is another server from now on: what was known of the one before is void. */
  | { readonly type: 'replaced' }
  | { readonly type: 'disconnect'; readonly status: 'idle' | 'stopped' }
  | { readonly type: 'opened'; readonly generation: number; readonly about: ServerAbout }
  | FailureEvent<'open_failed'>
  | FailureEvent<'lost'>
  | FailureEvent<'refused'>
  | FailureEvent<'troubled'>
  | { readonly type: 'retry_due'; readonly generation: number }
  /** The policy is another one from now on. */
  | { readonly type: 'policy_changed'; readonly policy: ReconnectPolicy }
  | { readonly type: 'answered'; readonly generation: number }
  | { readonly type: 'ping_missed'; readonly generation: number }
  | { readonly type: 'session_renewed'; readonly generation: number }
  | { readonly type: 'list_changed'; readonly generation: number; readonly list: ListName }
  | { readonly type: 'relist_due'; readonly generation: number; readonly list: ListName }
  | ListLoaded
  | (FailureEvent<'list_failed'> & { readonly list: ListName });

interface FailureEvent<Type extends string> {
  readonly type: Type;
  readonly generation: number;
  readonly failure: ConnectionFailure;
}

export interface ListLoaded {
  readonly type: 'list_loaded';
  readonly generation: number;
  readonly list: ListName;
  readonly items: Partial<ServerLists>;
  readonly dropped: readonly DroppedItem[];
}

/** What the runner has to do; it does not decide anything by itself. */
export type ConnectionEffect =
  | { readonly type: 'open'; readonly generation: number }
  | { readonly type: 'close'; readonly generation: number }
  /** Does nothing more by itself; what is under way may end. */
  | { readonly type: 'rest' }
  | { readonly type: 'retry_later'; readonly generation: number; readonly delayMs: number }
  | { readonly type: 'list'; readonly list: ListName }
  | { readonly type: 'relist_later'; readonly list: ListName; readonly delayMs: number };

export interface Step {
  readonly model: ConnectionModel;
  readonly effects: readonly ConnectionEffect[];
}

/** What an event happens in: given from outside so that the reducer stays a function. */
export interface Surroundings {
  readonly nowMs: number;
  /** From 0 (included) to 1 (excluded). */
  readonly random: number;
}

/** A connection that was never opened. */
export function createModel(id: string, policy: ReconnectPolicy, nowMs: number): ConnectionModel {
  return {
    state: { id, status: 'idle', ...NO_LISTS, dropped: [], attempt: 0, sinceMs: nowMs },
    policy,
    generation: 0,
    lists: LISTS_AT_REST,
    backOffStep: 0,
    hasServed: false,
    endsMs: [],
    missedPings: 0,
  };
}

type Clearable = 'error' | 'listErrors' | 'retryAtMs' | keyof ServerAbout;

/**
 * The state with some members replaced and others removed; the same object when nothing differs, so
 * that watchers can compare by identity.
 */
export function changeState(
  state: ConnectionState,
  patch: Partial<ConnectionState>,
  options: { readonly nowMs: number; readonly clear?: readonly Clearable[] },
): ConnectionState {
  const cleared = (options.clear ?? []).filter((key) => state[key] !== undefined && !(key in patch));
  const keys = Object.keys(patch) as (keyof ConnectionState)[];
  if (cleared.length === 0 && keys.every((key) => Object.is(state[key], patch[key]))) return state;
  const next = { ...state, ...patch };
  for (const key of cleared) delete next[key];
  return next.status === state.status ? next : { ...next, sinceMs: options.nowMs };
}
