import { randomUUID } from 'node:crypto';
import type { ToolResultBlockParam, ToolUseBlockParam } from '@anthropic-ai/sdk/resources';
import type { CallToolResult } from '@portico/spec';
import { messageOf } from '../errors.ts';
import { afterTool } from '../hooks/hook-events.ts';
import type { HookStop } from '../hooks/hook-events.ts';
import { INTERRUPTED_CALL } from '../session/history.ts';
import type { ToolCatalog } from '../tools/tool-catalog.ts';
import { failureResult, toolResultBlock } from '../tools/tool-result.ts';
import { raceAbort } from './abort-race.ts';
import { decideCall } from './decide-call.ts';
import type { CallDecision, PlannedCall } from './decide-call.ts';
import { isBadInput } from './open-block.ts';
import type { Run, Turn } from './run.ts';

/** Most calls at one time. */
const MAX_PARALLEL = 10;
const DEFAULT_MAX_CHARS = 100_000;

type Input = Readonly<Record<string, unknown>>;
type ToolUse = Pick<ToolUseBlockParam, 'id' | 'name' | 'input'>;

/** Lets calls start: those that only read side by side, any other alone and in its place. */
interface Schedule {
  start(readOnly: boolean, work: () => Promise<void>): void;
  /** Settles when all have ended; rejects with the first failure. */
  settled(): Promise<void>;
}

function createSchedule(): Schedule {
  const all: Promise<void>[] = [];
  let lastAlone: Promise<void> = Promise.resolve();
  return {
    start: (readOnly, work) => {
      // The tenth call before this one bounds how many run at once.
      const tenthBefore = all.at(-MAX_PARALLEL) ?? lastAlone;
      const before = readOnly ? [lastAlone, tenthBefore] : all;
      const run = Promise.all(before).then(() => work());
      // Watched by `settled`; until then a failure must not count as unhandled.
      run.catch(() => {});
      if (!readOnly) lastAlone = run;
      all.push(run);
    },
    settled: async () => {
      // All of them, so that nothing is still reporting when the turn goes on.
      const failed = (await Promise.allSettled(all)).find((outcome) => outcome.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
  };
}

async function report(run: Run, turn: Turn, result: ToolResultBlockParam): Promise<void> {
  const uuid = randomUUID();
  await run.session.append({ type: 'user', uuid, origin: 'tool_result', content: [structuredClone(result)] });
  await run.emit(
    {
      type: 'user',
      uuid,
      session_id: run.session.id,
      parent_tool_use_id: null,
      message: { role: 'user', content: [result] },
    },
    turn.signal,
  );
}

/** Runs the tool. What goes wrong in it becomes an error result; only the end of the turn rejects. */
async function callTool(
  turn: Turn,
  call: PlannedCall,
  maxChars: number,
): Promise<{ block: ToolResultBlockParam; response: unknown }> {
  const { toolUseId, tool } = call;
  try {
    const work = Promise.resolve().then(() =>
      tool.source.call(tool.ownName, call.input, { signal: turn.signal, toolUseId }),
    );
    const response: CallToolResult = await raceAbort(work, turn.signal);
    return { block: toolResultBlock(toolUseId, response, { maxChars }), response };
  } catch (thrown) {
    if (turn.signal.aborted) throw thrown;
    const timedOut =
      typeof thrown === 'object' &&
      thrown !== null &&
      'code' in thrown &&
      String(thrown.code).includes('timeout');
    const text = `[${timedOut ? 'mcp_timeout' : 'mcp_error'}] ${messageOf(thrown)}`;
    return {
      block: failureResult(toolUseId, text),
      response: { content: [{ type: 'text', text }], isError: true },
    };
  }
}

function withNote(block: ToolResultBlockParam, input: Input): ToolResultBlockParam {
  const note = {
    type: 'text' as const,
    text: `[The person changed the input of this call to ${JSON.stringify(input)}]`,
  };
  return { ...block, content: [note, ...(Array.isArray(block.content) ? block.content : [])] };
}

/** One round's calls and what they lead to. */
interface Round {
  readonly schedule: Schedule;
  readonly reported: Set<string>;
  stop: HookStop | undefined;
}

async function runCall(
  context: { readonly run: Run; readonly turn: Turn; readonly round: Round },
  planned: PlannedCall,
  decision: Extract<CallDecision, { run: true }>,
): Promise<void> {
  const { run, turn, round } = context;
  const call: PlannedCall = { ...planned, input: decision.input };
  const { block, response } = await callTool(turn, call, run.portico.maxMcpOutputChars ?? DEFAULT_MAX_CHARS);
  if (run.hooks.has('PostToolUse')) {
    const { tool, toolUseId, input } = call;
    const after = await raceAbort(
      afterTool(run.hooks, { tool, toolUseId, input, response }, turn.signal),
      turn.signal,
    );
    turn.contexts.push(...after.contexts);
    round.stop ??= after.stop;
  }
  round.reported.add(call.toolUseId);
  await report(run, turn, decision.changed ? withNote(block, call.input) : block);
}

async function refuse(
  context: { readonly run: Run; readonly turn: Turn; readonly round: Round },
  use: ToolUse,
  text: string,
): Promise<void> {
  context.round.reported.add(use.id);
  await report(context.run, context.turn, failureResult(use.id, text));
}

async function takeUp(
  context: { readonly run: Run; readonly turn: Turn; readonly round: Round },
  catalog: ToolCatalog,
  use: ToolUse,
): Promise<void> {
  const { run, turn, round } = context;
  const tool = catalog.find(use.name);
  if (tool === undefined) {
    return await refuse(
      context,
      use,
      `[unknown_tool] There is no tool ${use.name}. Use one of those offered.`,
    );
  }
  if (isBadInput(use.input))
    return await refuse(context, use, '[invalid_input] The input is not a JSON object.');
  const planned: PlannedCall = { toolUseId: use.id, tool, input: use.input as Input };
  const decision = await decideCall(run, turn, planned);
  round.stop ??= decision.stop;
  if (decision.run) return round.schedule.start(tool.readOnly, () => runCall(context, planned, decision));
  turn.figures.denials.push({
    tool_name: use.name,
    tool_use_id: use.id,
    tool_input: structuredClone(use.input) as Record<string, unknown>,
  });
  await refuse(context, use, decision.text);
  if (decision.interrupt) turn.stop('interrupted');
}

export interface RoundOutcome {
  /** A hook's wish to end the turn. */
  readonly stop?: HookStop;
}

/**
 * Answers all tool uses of one answer: permissions one after another in order, results as they
 * come. When the turn's signal fires, what has no result yet is told to be interrupted.
 */
export async function runToolRound(
  run: Run,
  turn: Turn,
  answer: { readonly uses: readonly ToolUse[]; readonly catalog: ToolCatalog },
): Promise<RoundOutcome> {
  const round: Round = { schedule: createSchedule(), reported: new Set(), stop: undefined };
  const context = { run, turn, round };
  try {
    for (const use of answer.uses) {
      if (turn.signal.aborted) break;
      await takeUp(context, answer.catalog, use);
    }
    await round.schedule.settled();
  } catch (thrown) {
    if (!turn.signal.aborted) throw thrown;
  }
  await interruptOpen(
    run,
    turn,
    answer.uses.filter((use) => !round.reported.has(use.id)),
  );
  return round.stop === undefined ? {} : { stop: round.stop };
}

/** Gives an answer to tool uses that never got one. */
export async function interruptOpen(run: Run, turn: Turn, uses: readonly ToolUse[]): Promise<void> {
  for (const use of uses) await report(run, turn, failureResult(use.id, INTERRUPTED_CALL));
}
