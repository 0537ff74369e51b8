import { LISTS_AT_REST, listChanged, listFailed, listLoaded, relistDue } from './list-progress.ts';
import type { ListProgress, ListStep } from './list-progress.ts';
import { isLineFailure } from './link-failure.ts';
import { changeState } from './model.ts';
import type {
  ConnectionEffect,
  ConnectionEvent,
  ConnectionModel,
  ListLoaded,
  Step,
  Surroundings,
} from './model.ts';
import { backOffMs, nextTryMs } from './policy.ts';
import { LIST_NAMES, NO_LISTS } from './state.ts';
import type { ConnectionFailure, ConnectionState, ListErrors, ListName, ServerAbout } from './state.ts';

/** Pings without an answer that make a connection degraded (K28). */
const MISSED_PINGS = 2;
/** Longest wait that a server may ask for, milliseconds. */
const MAX_RETRY_AFTER_MS = 60_000;

/** What a server told of itself, which says nothing once it is gone. */
const ABOUT = ['server', 'era', 'protocolVersion', 'capabilities', 'instructions'] as const;

const still = (model: ConnectionModel): Step => ({ model, effects: [] });

function withState(
  model: ConnectionModel,
  patch: Partial<ConnectionState>,
  options: Parameters<typeof changeState>[2],
): ConnectionModel {
  const state = changeState(model.state, patch, options);
  return state === model.state ? model : { ...model, state };
}

/** Begins an opening under a new number, after putting away what the old one holds. */
function open(model: ConnectionModel, nowMs: number): Step {
  const generation = model.generation + 1;
  const fresh: ConnectionModel = { ...model, generation, lists: LISTS_AT_REST, missedPings: 0 };
  return {
    model: withState(fresh, { status: 'connecting' }, { nowMs, clear: ['retryAtMs'] }),
    effects: [
      { type: 'close', generation: model.generation },
      { type: 'open', generation },
    ],
  };
}

/** A person asked for it: earlier failures no longer count. */
function openAfresh(model: ConnectionModel, nowMs: number): Step {
  const forgiven = withState(model, { attempt: 0 }, { nowMs, clear: ['error'] });
  return open({ ...forgiven, backOffStep: 0, hasServed: false, endsMs: [] }, nowMs);
}

/** In one step, so that nobody sees it closed in between. */
function replaced(model: ConnectionModel, nowMs: number): Step {
  const patch = { ...NO_LISTS, dropped: [], status: 'connecting' } as const;
  return openAfresh(withState(model, patch, { nowMs, clear: ['listErrors', ...ABOUT] }), nowMs);
}

function disconnect(model: ConnectionModel, status: 'idle' | 'stopped', nowMs: number): Step {
  const ended: ConnectionModel = {
    ...model,
    generation: model.generation + 1,
    lists: LISTS_AT_REST,
    backOffStep: 0,
    hasServed: false,
    endsMs: [],
  };
  const patch = { status, ...NO_LISTS, dropped: [], attempt: 0 };
  return {
    model: withState(ended, patch, { nowMs, clear: ['error', 'listErrors', 'retryAtMs', ...ABOUT] }),
    effects: [{ type: 'close', generation: model.generation }],
  };
}

/** Which lists a server says it has. */
function offeredLists(about: ServerAbout): readonly ListName[] {
  const { tools, resources, prompts } = about.capabilities;
  return LIST_NAMES.filter((list) => {
    if (list === 'tools') return tools !== undefined;
    return list === 'prompts' ? prompts !== undefined : resources !== undefined;
  });
}

function opened(model: ConnectionModel, about: ServerAbout, nowMs: number): Step {
  const offered = offeredLists(about);
  const absent = Object.fromEntries(
    LIST_NAMES.filter((list) => !offered.includes(list)).map((list) => [list, NO_LISTS[list]]),
  );
  const lists: Record<ListName, ListProgress> = { ...LISTS_AT_REST };
  const effects: ConnectionEffect[] = [];
  for (const list of offered) {
    const step = listChanged(lists[list], list, nowMs);
    lists[list] = step.progress;
    if (step.effect !== undefined) effects.push(step.effect);
  }
  const status = offered.includes('tools') ? 'connecting' : 'ready';
  const patch = { ...about, ...absent, status, attempt: 0 } as const;
  const inService = { hasServed: model.hasServed || status === 'ready', inServiceSinceMs: nowMs };
  const served: ConnectionModel = { ...model, ...inService, lists, missedPings: 0 };
  const clear = ['error', 'listErrors', 'retryAtMs'] as const;
  return { model: withState(served, patch, { nowMs, clear }), effects };
}

/** Counts an end against the policy's limit. */
function recentEnds(model: ConnectionModel, nowMs: number): readonly number[] {
  const limit = model.policy.crashLimit;
  if (limit === undefined) return [];
  return [...model.endsMs.filter((endMs) => nowMs - endMs < limit.withinMs), nowMs];
}

/** Gives the connection's next opening a new number, so that what the old one still says is ignored. */
function retire(model: ConnectionModel): ConnectionModel {
  const { inServiceSinceMs: _served, ...rest } = model;
  return { ...rest, generation: model.generation + 1, lists: LISTS_AT_REST, missedPings: 0 };
}

/** An opening failed or a connection broke: what it holds is put away, and mostly it is tried again. */
function ended(
  model: ConnectionModel,
  event: { readonly failure: ConnectionFailure; readonly waitsAs: 'failed' | 'connecting' },
  { nowMs, random }: Surroundings,
): Step {
  const { failure, waitsAs } = event;
  const close: ConnectionEffect = { type: 'close', generation: model.generation };
  const attempt = model.state.attempt + 1;
  const retired = retire(model);
  const rest = (status: ConnectionState['status']): Step => ({
    model: withState(retired, { status, error: failure, attempt }, { nowMs, clear: ['retryAtMs'] }),
    effects: [close],
  });
  // Trouble on the way to who signs people in says nothing of the grant.
  if (failure.step === 'sign_in' && !failure.retryable) return rest('needs_sign_in');
  if (!failure.retryable) return rest('failed');

  const endsMs = recentEnds(model, nowMs);
  const { crashLimit, steadyAfterMs } = model.policy;
  if (crashLimit !== undefined && endsMs.length >= crashLimit.count) return rest('stopped');

  const servedMs = model.inServiceSinceMs === undefined ? 0 : nowMs - model.inServiceSinceMs;
  const step = servedMs >= steadyAfterMs ? 1 : model.backOffStep + 1;
  const wait = nextTryMs(model.policy, { served: model.hasServed, step, random });
  if (wait === undefined) return rest('failed');
  const delayMs = Math.max(wait, Math.min(failure.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
  const patch = { status: waitsAs, error: failure, attempt, retryAtMs: nowMs + delayMs };
  // First tries at fixed times are no steps on the way to longer waits.
  const counts = model.hasServed || (model.policy.firstTries ?? 'back_off') === 'back_off';
  const backOffStep = counts ? step : model.backOffStep;
  const waiting = withState({ ...retired, endsMs, backOffStep }, patch, { nowMs });
  return {
    model: waiting,
    effects: [close, { type: 'retry_later', generation: waiting.generation, delayMs }],
  };
}

/**
 * A call was refused for want of a sign-in. What the server took before that goes on, and each of the others
 * learns for itself that it was refused: cut off, nobody could tell whether it had happened.
 */
function refused(model: ConnectionModel, failure: ConnectionFailure, surroundings: Surroundings): Step {
  const step = ended(model, { failure, waitsAs: 'failed' }, surroundings);
  const effects = step.effects.map((effect): ConnectionEffect =>
    effect.type === 'close' ? { type: 'rest' } : effect,
  );
  return { ...step, effects: step.model.state.status === 'needs_sign_in' ? effects : step.effects };
}

function withList(model: ConnectionModel, list: ListName, step: ListStep): Step {
  return {
    model: { ...model, lists: { ...model.lists, [list]: step.progress } },
    effects: step.effect === undefined ? [] : [step.effect],
  };
}

function listsChanged(model: ConnectionModel, lists: readonly ListName[], nowMs: number): Step {
  let current = model;
  const effects: ConnectionEffect[] = [];
  for (const list of lists) {
    const step = withList(current, list, listChanged(current.lists[list], list, nowMs));
    current = step.model;
    effects.push(...step.effects);
  }
  return { model: current, effects };
}

function loaded(model: ConnectionModel, event: ListLoaded, nowMs: number): Step {
  const { list, items } = event;
  const step = withList(model, list, listLoaded(model.lists[list], list, nowMs));
  const others = model.state.dropped.filter((item) => item.list !== list);
  const sameDropped = others.length === model.state.dropped.length && event.dropped.length === 0;
  const dropped = sameDropped ? model.state.dropped : [...others, ...event.dropped];
  const comesUp = list === 'tools' && !isUsable(model.state, 'ready');
  const listErrors = withoutError(model.state.listErrors, list);
  const patch = {
    ...items,
    dropped,
    ...(listErrors === undefined ? {} : { listErrors }),
    ...(comesUp ? { status: 'ready' as const } : {}),
  };
  const clear = [...(comesUp ? (['error'] as const) : []), 'listErrors' as const];
  const serving = comesUp ? { ...step.model, hasServed: true } : step.model;
  return { ...step, model: withState(serving, patch, { nowMs, clear }) };
}

/** Nothing when that was the last one. */
function withoutError(errors: ListErrors | undefined, list: ListName): ListErrors | undefined {
  if (errors?.[list] === undefined) return errors;
  const { [list]: _gone, ...rest } = errors;
  return Object.keys(rest).length === 0 ? undefined : rest;
}

function isUsable(state: ConnectionState, ...statuses: ConnectionState['status'][]): boolean {
  return statuses.includes(state.status);
}

function listBroke(
  model: ConnectionModel,
  event: { readonly list: ListName; readonly failure: ConnectionFailure },
  surroundings: Surroundings,
): Step {
  const { nowMs, random } = surroundings;
  const { list, failure } = event;
  // What is remembered of a server may open a connection without a word to it: then this is the first one.
  if (list === 'tools' && model.state.status === 'connecting' && endsOpening(failure)) {
    return ended(model, { failure, waitsAs: 'failed' }, surroundings);
  }
  const before = model.lists[list];
  const delayMs = backOffMs(model.policy, before.failures + 1, random);
  const failed = listFailed(before, list, delayMs);
  // A server that answers with an error answers so the next time too: then only its notice helps.
  const step: ListStep = failure.retryable ? failed : { progress: { ...failed.progress, phase: 'idle' } };
  const next = withList(model, list, step);
  const told = { listErrors: { ...model.state.listErrors, [list]: failure } };
  // Only without its tools is a connection of little use; other lists are extras.
  if (list !== 'tools') return { ...next, model: withState(next.model, told, { nowMs }) };
  const patch = { ...told, status: 'degraded' as const, error: failure };
  return { ...next, model: withState({ ...next.model, hasServed: true }, patch, { nowMs }) };
}

/** Whatever the server says over the protocol shows that it is there; a refusal before that does not. */
function endsOpening(failure: ConnectionFailure): boolean {
  return failure.step === 'sign_in' || isLineFailure(failure);
}

function degrade(model: ConnectionModel, failure: ConnectionFailure, nowMs: number): Step {
  if (model.state.status !== 'ready') return still(model);
  return still(withState(model, { status: 'degraded', error: failure }, { nowMs }));
}

/** Traffic is the best sign of health: an answer ends a trouble that is not a list's. */
function answered(model: ConnectionModel, nowMs: number): Step {
  const calm = model.missedPings === 0 ? model : { ...model, missedPings: 0 };
  if (calm.state.status !== 'degraded' || calm.lists.tools.failures > 0) return still(calm);
  return still(withState(calm, { status: 'ready' }, { nowMs, clear: ['error'] }));
}

function pingMissed(model: ConnectionModel, nowMs: number): Step {
  const missedPings = model.missedPings + 1;
  const counted = { ...model, missedPings };
  if (missedPings < MISSED_PINGS) return still(counted);
  const failure: ConnectionFailure = {
    code: 'ping_missed',
    message: 'the server does not answer pings',
    step: 'timeout',
    retryable: true,
  };
  return degrade(counted, failure, nowMs);
}

/**
 * The whole behaviour of one connection as a function: events in, new model and effects out. Events of
 * an opening that is over change nothing.
 */
export function reduceConnection(
  model: ConnectionModel,
  event: ConnectionEvent,
  surroundings: Surroundings,
): Step {
  const { nowMs } = surroundings;
  if ('generation' in event && event.generation !== model.generation) return still(model);
  switch (event.type) {
    case 'connect':
      return isUsable(model.state, 'ready', 'degraded') ||
        (model.state.status === 'connecting' && model.state.retryAtMs === undefined)
        ? still(model)
        : openAfresh(model, nowMs);
    case 'reconnect':
      return openAfresh(model, nowMs);
    case 'replaced':
      return replaced(model, nowMs);
    case 'disconnect':
      return disconnect(model, event.status, nowMs);
    case 'retry_due':
      return open(model, nowMs);
    case 'policy_changed':
      return still({ ...model, policy: event.policy });
    case 'opened':
      return opened(model, event.about, nowMs);
    case 'open_failed':
      return ended(model, { failure: event.failure, waitsAs: 'failed' }, surroundings);
    case 'lost':
      return ended(model, { failure: event.failure, waitsAs: 'connecting' }, surroundings);
    case 'refused':
      return refused(model, event.failure, surroundings);
    case 'troubled':
      return degrade(model, event.failure, nowMs);
    case 'answered':
      return answered(model, nowMs);
    case 'ping_missed':
      return pingMissed(model, nowMs);
    case 'session_renewed':
      return listsChanged(
        model,
        LIST_NAMES.filter((list) => model.lists[list].settled),
        nowMs,
      );
    case 'list_changed':
      return listsChanged(model, [event.list], nowMs);
    case 'relist_due':
      return withList(model, event.list, relistDue(model.lists[event.list], event.list, nowMs));
    case 'list_loaded':
      return loaded(model, event, nowMs);
    case 'list_failed':
      return listBroke(model, event, surroundings);
  }
}
