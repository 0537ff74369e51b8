import { randomUUID } from 'node:crypto';
import type { SDKMessage, SDKUserMessage } from '../contract/messages.ts';
import type { Options } from '../contract/options.ts';
import { AbortError, isAgentError } from '../errors.ts';
import { atSessionEnd, atSessionStart } from '../hooks/hook-events.ts';
import { createMessageQueue } from './message-queue.ts';
import type { MessageQueue } from './message-queue.ts';
import { openRun } from './open-run.ts';
import type { OpenRun } from './open-run.ts';
import { createPromptFeed } from './prompt-feed.ts';
import type { PromptFeed } from './prompt-feed.ts';
import { pause } from './retry.ts';
import type { Run, Turn } from './run.ts';
import { runTurn } from './run-turn.ts';
import { noUsage } from './usage.ts';

/** Undelivered messages at which the loop waits for the reader. */
const MAX_UNDELIVERED = 1000;
const DEFAULT_INIT_WAIT_MS = 5000;
/** Most time in milliseconds that SessionEnd hooks may take. */
const SESSION_END_MS = 5000;

/** A query from its first use to its end. */
export interface QueryDriver {
  /** Starts the turns on its first call. */
  next(): Promise<IteratorResult<SDKMessage, void>>;
  /** Gets the run ready without starting a turn. Rejects as the first `next()` would. */
  open(): Promise<OpenRun>;
  /** Stops the running turn and settles when it has ended. */
  interrupt(): Promise<void>;
  /** Ends the query early and settles when it has ended. */
  close(): Promise<void>;
  readonly ended: boolean;
}

interface ActiveTurn extends Turn {
  readonly settled: Promise<void>;
  settle(): void;
}

interface State {
  readonly options: Options;
  readonly feed: PromptFeed;
  readonly queue: MessageQueue<SDKMessage>;
  /** Fires when the query is aborted or closed. */
  readonly lifetime: AbortController;
  opened: Promise<OpenRun> | undefined;
  driving: Promise<void> | undefined;
  turn: ActiveTurn | undefined;
  aborted: boolean;
  ended: boolean;
}

function createTurn(run: Run): ActiveTurn {
  const controller = new AbortController();
  let settle = (): void => {};
  const settled = new Promise<void>((resolve) => (settle = resolve));
  return {
    signal: controller.signal,
    figures: { startedAtMs: run.clock.now(), apiMs: 0, modelTurns: 0, usage: noUsage(), denials: [] },
    model: undefined,
    contexts: [],
    stop: (why) => controller.abort(why),
    settled,
    settle: () => settle(),
  };
}

function open(state: State): Promise<OpenRun> {
  state.opened ??= openRun(state.options, {
    // A reader that has gone or given up is told nothing more.
    emit: async (message, signal) => {
      if (!state.lifetime.signal.aborted) await state.queue.push(message, signal);
    },
    arrivedPrompts: () => state.feed.arrived(),
  });
  return state.opened;
}

async function waitForServers(state: State, run: Run): Promise<void> {
  const waitMs = run.portico.mcp?.initWaitMs ?? DEFAULT_INIT_WAIT_MS;
  const done = new AbortController();
  const signal = AbortSignal.any([state.lifetime.signal, done.signal]);
  // Either outcome of the wait is fine: what is not there yet is shown as pending.
  const waited = pause(run.clock, waitMs, signal).catch(() => {});
  await Promise.race([run.mcp.settled(), waited]);
  done.abort();
}

/** Takes one prompt after another until there are no more. */
async function runTurns(state: State, run: Run): Promise<void> {
  await waitForServers(state, run);
  let contexts = run.hooks.has('SessionStart')
    ? await atSessionStart(run.hooks, run.session.resumed ? 'resume' : 'startup', state.lifetime.signal)
    : [];
  for (;;) {
    const prompt = await state.feed.next(state.lifetime.signal);
    if (prompt === undefined || state.lifetime.signal.aborted) return;
    const turn = createTurn(run);
    turn.contexts.push(...contexts);
    contexts = [];
    state.turn = turn;
    try {
      await runTurn(run, turn, prompt);
    } finally {
      state.turn = undefined;
      turn.settle();
    }
  }
}

/** The only message of a query whose session cannot be found. */
function notFoundResult(sessionId: string): SDKMessage {
  return {
    type: 'result',
    subtype: 'error_during_execution',
    uuid: randomUUID(),
    session_id: sessionId,
    is_error: true,
    duration_ms: 0,
    duration_api_ms: 0,
    num_turns: 0,
    total_cost_usd: 0,
    usage: noUsage(),
    modelUsage: {},
    permission_denials: [],
  };
}

async function endSession(run: Run): Promise<void> {
  if (run.hooks.has('SessionEnd')) {
    const stop = new AbortController();
    const timer = run.clock.setTimer(SESSION_END_MS, () => stop.abort(new AbortError()));
    await atSessionEnd(run.hooks, 'other', stop.signal).finally(() => timer.cancel());
  }
  await run.mcp.close();
}

/** Runs the query; what ended it, if anything did. */
async function driven(state: State): Promise<{ readonly run?: Run; readonly failure?: unknown }> {
  let run: Run | undefined;
  try {
    run = (await open(state)).run;
    await runTurns(state, run);
    return { run };
  } catch (thrown) {
    const ended = run === undefined ? {} : { run };
    if (state.lifetime.signal.aborted) return ended;
    if (!isAgentError(thrown) || thrown.code !== 'session_not_found') return { ...ended, failure: thrown };
    const { sessionId } = thrown.data as { sessionId: string };
    await state.queue.push(notFoundResult(sessionId));
    return ended;
  }
}

async function drive(state: State): Promise<void> {
  const outcome = await driven(state);
  state.feed.close();
  if (state.aborted) {
    state.queue.drop();
    state.queue.fail(new AbortError());
  }
  try {
    if (outcome.run !== undefined) await endSession(outcome.run);
  } catch (thrown) {
    outcome.run?.warn(`A server could not be closed: ${String(thrown)}`);
  }
  state.ended = true;
  if ('failure' in outcome) state.queue.fail(outcome.failure);
  else state.queue.end();
}

function watchAbort(state: State): () => void {
  const signal = state.options.abortController?.signal;
  if (signal === undefined) return () => {};
  const onAbort = (): void => {
    state.aborted = true;
    stopAll(state);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}

function stopAll(state: State): void {
  state.lifetime.abort(new AbortError());
  state.turn?.stop('closed');
}

function start(state: State): void {
  if (state.driving !== undefined || state.ended) return;
  const unwatch = watchAbort(state);
  void state.feed.failed.then(() => state.turn?.stop('interrupted'));
  if (state.aborted) {
    state.ended = true;
    state.queue.fail(new AbortError());
    unwatch();
    return;
  }
  state.driving = drive(state).finally(unwatch);
}

async function close(state: State): Promise<void> {
  state.queue.drop();
  stopAll(state);
  if (state.driving === undefined) {
    state.ended = true;
    state.feed.close();
    const opened = await state.opened?.catch(() => undefined);
    await opened?.run.mcp.close();
  }
  state.queue.end();
  await state.driving;
}

export function createQueryDriver(
  prompt: string | AsyncIterable<SDKUserMessage>,
  options: Options,
): QueryDriver {
  const state: State = {
    options,
    feed: createPromptFeed(prompt),
    queue: createMessageQueue<SDKMessage>(MAX_UNDELIVERED),
    lifetime: new AbortController(),
    opened: undefined,
    driving: undefined,
    turn: undefined,
    aborted: false,
    ended: false,
  };
  return {
    next: () => {
      start(state);
      return state.queue.next();
    },
    open: () => open(state),
    interrupt: async () => {
      const { turn } = state;
      turn?.stop('interrupted');
      await turn?.settled;
    },
    close: () => close(state),
    get ended() {
      return state.ended;
    },
  };
}
