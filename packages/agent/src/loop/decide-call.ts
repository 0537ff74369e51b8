import type { PermissionResult, PermissionUpdate } from '../contract/permissions.ts';
import { messageOf } from '../errors.ts';
import { beforeTool, notify } from '../hooks/hook-events.ts';
import type { HookStop } from '../hooks/hook-events.ts';
import type { OfferedTool } from '../tools/tool-catalog.ts';
import { raceAbort } from './abort-race.ts';
import type { Run, Turn } from './run.ts';

type Input = Readonly<Record<string, unknown>>;

/** A tool use of the model, with the tool it means. */
export interface PlannedCall {
  readonly toolUseId: string;
  readonly tool: OfferedTool;
  readonly input: Input;
}

/** Whether a call runs, with which input, or what the model is told instead. */
export type CallDecision = { readonly stop?: HookStop } & (
  | { readonly run: true; readonly input: Input; readonly changed: boolean }
  | { readonly run: false; readonly text: string; readonly interrupt: boolean }
);

const refused = (text: string, interrupt = false): CallDecision => ({
  run: false,
  text: `[denied] ${text}`,
  interrupt,
});

const isInput = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The callback may be untyped; what is no answer refuses the call. */
function readResult(result: unknown): PermissionResult | undefined {
  if (!isInput(result)) return undefined;
  if (result['behavior'] === 'deny') {
    const message = typeof result['message'] === 'string' ? result['message'] : '';
    return { behavior: 'deny', message, interrupt: result['interrupt'] === true };
  }
  if (result['behavior'] !== 'allow') return undefined;
  const changed = result['updatedInput'];
  if (changed !== undefined && !isInput(changed)) return undefined;
  return result as PermissionResult;
}

function declined(message: string): string {
  const words = message.trim();
  return words === '' ? 'The person declined this call.' : `The person declined this call: ${words}`;
}

function afterAnswer(run: Run, call: PlannedCall, result: PermissionResult): CallDecision {
  if (result.behavior === 'deny') return refused(declined(result.message), result.interrupt === true);
  if (result.updatedPermissions !== undefined && !run.permissions.apply(result.updatedPermissions).ok) {
    return refused('The permission updates that came with the answer cannot be used.');
  }
  // The updates may have brought a rule that forbids the very call.
  const again = run.permissions.judge(call.tool);
  if (again.behavior === 'deny') return refused(again.reason);
  // Untyped callers may leave the input out, which means the one they were shown.
  const input: Input = (result.updatedInput as Input | undefined) ?? call.input;
  return { run: true, input, changed: JSON.stringify(input) !== JSON.stringify(call.input) };
}

async function askPerson(
  run: Run,
  turn: Turn,
  question: { readonly call: PlannedCall; readonly suggestions: PermissionUpdate[] },
): Promise<CallDecision> {
  const { canUseTool } = run.options;
  const { call, suggestions } = question;
  if (canUseTool === undefined) return refused('It needs a permission, and nobody can be asked for it.');
  if (run.hooks.has('Notification'))
    await notify(run.hooks, `${call.tool.name} waits for a permission`, turn.signal);
  // Ends with the turn or with the question, so that a late listener is told at once.
  const asked = new AbortController();
  const signal = AbortSignal.any([turn.signal, asked.signal]);
  let answer: unknown;
  try {
    const shown = structuredClone(call.input);
    const work = Promise.resolve().then(() =>
      canUseTool(call.tool.name, shown, { signal, suggestions, toolUseID: call.toolUseId }),
    );
    answer = await raceAbort(work, turn.signal);
  } catch (thrown) {
    if (turn.signal.aborted) throw thrown;
    return refused(`Asking for the permission failed: ${messageOf(thrown)}`);
  } finally {
    asked.abort();
  }
  const result = readResult(answer);
  if (result === undefined) return refused('The answer to the permission question cannot be understood.');
  return afterAnswer(run, call, result);
}

/**
 * Takes a call through the steps of rule G57: hooks, deny rules, ask rules, mode, allow rules, the
 * person. Rejects only when the turn ends meanwhile.
 */
export async function decideCall(run: Run, turn: Turn, planned: PlannedCall): Promise<CallDecision> {
  const { tool, toolUseId } = planned;
  const hook = run.hooks.has('PreToolUse')
    ? await raceAbort(
        beforeTool(run.hooks, { tool, input: planned.input, toolUseId }, turn.signal),
        turn.signal,
      )
    : { input: planned.input };
  const stop = 'stop' in hook && hook.stop !== undefined ? { stop: hook.stop } : {};
  if ('stop' in stop) return { ...refused('A hook ended the turn before this call.'), ...stop };
  const reason = 'reason' in hook ? hook.reason : undefined;
  const decision = 'decision' in hook ? hook.decision : undefined;
  if (decision === 'deny') return refused(reason ?? 'A hook forbids this call.');
  const call: PlannedCall = { ...planned, input: hook.input };
  const verdict = run.permissions.judge(tool, decision);
  switch (verdict.behavior) {
    case 'deny':
      return refused(verdict.reason);
    case 'allow':
      return { run: true, input: call.input, changed: false };
    case 'ask':
      return await askPerson(run, turn, { call, suggestions: verdict.suggestions });
  }
}
