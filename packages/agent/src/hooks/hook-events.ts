import type { ExitReason, SyncHookJSONOutput } from '../contract/hooks.ts';
import type { RuleSubject } from '../permissions/rules.ts';
import type { HookAnswer, HookCaller } from './run-hooks.ts';

type Input = Readonly<Record<string, unknown>>;

/** A hook's wish to end the turn, with what to tell the person. */
export interface HookStop {
  readonly reason: string;
}

export interface PreToolUseOutcome {
  readonly decision?: 'allow' | 'deny' | 'ask';
  readonly reason?: string;
  /** The input as the hooks left it. */
  readonly input: Input;
  readonly stop?: HookStop;
}

export interface ContextOutcome {
  /** Texts for the model. */
  readonly contexts: readonly string[];
  readonly stop?: HookStop;
}

const outputsOf = (answers: readonly HookAnswer[]): SyncHookJSONOutput[] =>
  answers.flatMap((answer) => (answer.ok ? [answer.output] : []));

function stopOf(answers: readonly HookAnswer[]): { readonly stop?: HookStop } {
  const output = outputsOf(answers).find((candidate) => candidate.continue === false);
  return output === undefined ? {} : { stop: { reason: output.stopReason ?? '' } };
}

/** Texts that hooks of this event add; a text for another event is none of its business. */
function contextsOf(answers: readonly HookAnswer[], event: string): string[] {
  return outputsOf(answers).flatMap((output) => {
    const specific: Input = { ...output.hookSpecificOutput };
    if (specific['hookEventName'] !== event) return [];
    return typeof specific['additionalContext'] === 'string' ? [specific['additionalContext']] : [];
  });
}

const RANK = { allow: 1, ask: 2, deny: 3 } as const;
type Decision = keyof typeof RANK;

interface Said {
  readonly decision?: Decision;
  readonly reason?: string;
  readonly updatedInput?: Input;
}

/** A hook that failed counts as a refusal: silence must not let a call through. */
function saidBefore(answer: HookAnswer): Said {
  if (!answer.ok) return { decision: 'deny', reason: 'A hook that checks calls failed.' };
  const { output } = answer;
  const specific: Input =
    output.hookSpecificOutput?.hookEventName === 'PreToolUse' ? { ...output.hookSpecificOutput } : {};
  const older = output.decision === 'approve' ? 'allow' : output.decision === 'block' ? 'deny' : undefined;
  const decision = specific['permissionDecision'] ?? older;
  const reason = specific['permissionDecisionReason'] ?? output.reason;
  const input = specific['updatedInput'];
  return {
    ...(decision === 'allow' || decision === 'deny' || decision === 'ask' ? { decision } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(typeof input === 'object' && input !== null ? { updatedInput: input as Input } : {}),
  };
}

/** Asks the PreToolUse hooks: deny over ask over allow; saying nothing changes nothing. */
export async function beforeTool(
  hooks: HookCaller,
  call: { readonly tool: RuleSubject; readonly input: Input; readonly toolUseId: string },
  signal: AbortSignal,
): Promise<PreToolUseOutcome> {
  let input = call.input;
  let joint: Said = {};
  const answers = await hooks.run({
    event: 'PreToolUse',
    subject: call.tool,
    toolUseId: call.toolUseId,
    signal,
    input: () => ({
      hook_event_name: 'PreToolUse',
      tool_name: call.tool.name,
      tool_input: structuredClone(input),
    }),
    onAnswer: (answer) => {
      const said = saidBefore(answer);
      input = said.updatedInput ?? input;
      const weight = said.decision === undefined ? 0 : RANK[said.decision];
      if (weight > (joint.decision === undefined ? 0 : RANK[joint.decision])) joint = said;
    },
  });
  return {
    input,
    ...(joint.decision === undefined ? {} : { decision: joint.decision }),
    ...(joint.reason === undefined ? {} : { reason: joint.reason }),
    ...stopOf(answers),
  };
}

/** Tells the PostToolUse hooks about a call that ran; their texts go to the model. */
export async function afterTool(
  hooks: HookCaller,
  call: {
    readonly tool: RuleSubject;
    readonly input: Input;
    readonly toolUseId: string;
    readonly response: unknown;
  },
  signal: AbortSignal,
): Promise<ContextOutcome> {
  const answers = await hooks.run({
    event: 'PostToolUse',
    subject: call.tool,
    toolUseId: call.toolUseId,
    signal,
    input: () => ({
      hook_event_name: 'PostToolUse',
      tool_name: call.tool.name,
      tool_input: call.input,
      tool_response: call.response,
    }),
  });
  const blocks = outputsOf(answers).flatMap((output) =>
    output.decision === 'block' && output.reason !== undefined ? [output.reason] : [],
  );
  return { contexts: [...contextsOf(answers, 'PostToolUse'), ...blocks], ...stopOf(answers) };
}

/** Shows a prompt to the UserPromptSubmit hooks; `stop` means that it is not to be sent. */
export async function beforePrompt(
  hooks: HookCaller,
  prompt: string,
  signal: AbortSignal,
): Promise<ContextOutcome> {
  const answers = await hooks.run({
    event: 'UserPromptSubmit',
    signal,
    input: () => ({ hook_event_name: 'UserPromptSubmit', prompt }),
  });
  if (answers.some((answer) => !answer.ok)) {
    return { contexts: [], stop: { reason: 'A hook that checks prompts failed.' } };
  }
  const blocking = outputsOf(answers).find((output) => output.decision === 'block');
  if (blocking !== undefined) return { contexts: [], stop: { reason: blocking.reason ?? '' } };
  return { contexts: contextsOf(answers, 'UserPromptSubmit'), ...stopOf(answers) };
}

/** Runs the SessionStart hooks; their texts go into the first request. */
export async function atSessionStart(
  hooks: HookCaller,
  source: 'startup' | 'resume',
  signal: AbortSignal,
): Promise<readonly string[]> {
  const answers = await hooks.run({
    event: 'SessionStart',
    subject: source,
    signal,
    input: () => ({ hook_event_name: 'SessionStart', source }),
  });
  return contextsOf(answers, 'SessionStart');
}

export async function atSessionEnd(
  hooks: HookCaller,
  reason: ExitReason,
  signal: AbortSignal,
): Promise<void> {
  await hooks.run({
    event: 'SessionEnd',
    subject: reason,
    signal,
    input: () => ({ hook_event_name: 'SessionEnd', reason }),
  });
}

export interface StopOutcome {
  /** Sent to the model, which then goes on. */
  readonly goOn?: string;
}

/** Asks the Stop hooks whether the turn may end. */
export async function atStop(hooks: HookCaller, active: boolean, signal: AbortSignal): Promise<StopOutcome> {
  const answers = await hooks.run({
    event: 'Stop',
    signal,
    input: () => ({ hook_event_name: 'Stop', stop_hook_active: active }),
  });
  if (stopOf(answers).stop !== undefined) return {};
  const blocking = outputsOf(answers).find((output) => output.decision === 'block');
  return blocking === undefined ? {} : { goOn: blocking.reason ?? 'Go on.' };
}

/** Tells the Notification hooks that a call waits for the person; nothing is waited for. */
export async function notify(hooks: HookCaller, message: string, signal: AbortSignal): Promise<void> {
  await hooks.run({
    event: 'Notification',
    signal,
    input: () => ({ hook_event_name: 'Notification', message }),
  });
}
