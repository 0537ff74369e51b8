import type { Clock } from '@portico/rpc';
import type {
  BaseHookInput,
  HookCallback,
  HookCallbackMatcher,
  HookEvent,
  HookInput,
  SyncHookJSONOutput,
} from '../contract/hooks.ts';
import { HOOK_EVENTS } from '../contract/hooks.ts';
import { AgentError, messageOf } from '../errors.ts';
import { raceAbort } from '../loop/abort-race.ts';
import { compileMatcher } from './hook-matcher.ts';
import type { HookSubject } from './hook-matcher.ts';

/** What one hook said, or that it failed. */
export type HookAnswer =
  | { readonly ok: true; readonly output: SyncHookJSONOutput }
  | { readonly ok: false; readonly reason: string };

/** One occasion on which hooks are called. */
interface HookOccasion {
  readonly event: HookEvent;
  readonly subject?: HookSubject;
  readonly toolUseId?: string;
  readonly signal: AbortSignal;
  /** Made anew for each hook, so that each sees what those before it changed. */
  input(): Omit<HookInput, keyof BaseHookInput> & { readonly hook_event_name: HookEvent };
  /** Called after each hook, before the next. */
  onAnswer?(answer: HookAnswer): void;
}

export interface HookCaller {
  has(event: HookEvent): boolean;
  /** Calls all matching hooks one after another, in the order of registration. Never rejects. */
  run(occasion: HookOccasion): Promise<HookAnswer[]>;
}

export interface HookCallerOptions {
  readonly hooks: Partial<Record<HookEvent, HookCallbackMatcher[]>>;
  readonly clock: Clock;
  /** Most time of one hook, in milliseconds. */
  readonly timeoutMs: number;
  base(): BaseHookInput;
  warn(text: string): void;
}

interface Registered {
  readonly fits: (subject: HookSubject) => boolean;
  readonly callback: HookCallback;
  readonly timeoutMs: number;
}

function register({ hooks, timeoutMs }: HookCallerOptions): ReadonlyMap<string, readonly Registered[]> {
  const byEvent = new Map<string, readonly Registered[]>();
  for (const [event, entries] of Object.entries(hooks)) {
    if (!HOOK_EVENTS.some((known) => known === event)) {
      throw new AgentError(
        'invalid_option',
        { option: 'hooks' },
        { message: `hooks: there is no event ${event}` },
      );
    }
    const list = (entries ?? []).flatMap((entry) => {
      const fits = compileMatcher(entry);
      const limitMs = entry.timeout === undefined ? timeoutMs : entry.timeout * 1000;
      return entry.hooks.map((callback) => ({ fits, callback, timeoutMs: limitMs }));
    });
    byEvent.set(event, list);
  }
  return byEvent;
}

function readOutput(output: unknown): HookAnswer {
  if (output === undefined || output === null) return { ok: true, output: {} };
  if (typeof output !== 'object' || Array.isArray(output))
    return { ok: false, reason: 'it answered with something that is no object' };
  if ('async' in output && output.async === true) return { ok: true, output: {} };
  return { ok: true, output: output as SyncHookJSONOutput };
}

async function callOne(
  hook: Registered,
  occasion: HookOccasion,
  options: HookCallerOptions,
): Promise<HookAnswer> {
  const stop = new AbortController();
  const timer = options.clock.setTimer(hook.timeoutMs, () =>
    stop.abort(new AgentError('hook_failed', { event: occasion.event }, { message: 'it took too long' })),
  );
  const signal = AbortSignal.any([occasion.signal, stop.signal]);
  const input = { ...options.base(), ...occasion.input() } as HookInput;
  try {
    const call = async (): Promise<unknown> => await hook.callback(input, occasion.toolUseId, { signal });
    const answer = readOutput(await raceAbort(call(), signal));
    if (!answer.ok) stop.abort(new AgentError('hook_failed', { event: occasion.event }));
    return answer;
  } catch (thrown) {
    stop.abort(thrown);
    return { ok: false, reason: messageOf(thrown) };
  } finally {
    timer.cancel();
  }
}

/** @throws AgentError `invalid_option` for an unknown event or a bad matcher */
export function createHookCaller(options: HookCallerOptions): HookCaller {
  const registered = register(options);
  return {
    has: (event) => (registered.get(event)?.length ?? 0) > 0,
    run: async (occasion) => {
      const answers: HookAnswer[] = [];
      for (const hook of registered.get(occasion.event) ?? []) {
        if (!hook.fits(occasion.subject)) continue;
        const answer = await callOne(hook, occasion, options);
        if (!answer.ok) options.warn(`A ${occasion.event} hook failed: ${answer.reason}`);
        else if (answer.output.systemMessage !== undefined) options.warn(answer.output.systemMessage);
        occasion.onAnswer?.(answer);
        answers.push(answer);
      }
      return answers;
    },
  };
}
