import type { ContentBlockParam } from '@anthropic-ai/sdk/resources';
import { randomUUID } from 'node:crypto';
import type { AgentError, ProviderErrorCode } from '../errors.ts';
import { atStop, beforePrompt } from '../hooks/hook-events.ts';
import type { SessionEntry } from '../session/session-store.ts';
import type { ToolCatalog } from '../tools/tool-catalog.ts';
import { raceAbort } from './abort-race.ts';
import type { Answer, AnswerPart } from './answer-reader.ts';
import type { AskOutcome } from './ask-model.ts';
import { askWithRetries } from './ask-with-retries.ts';
import { modelRequest } from './model-request.ts';
import type { Prompt } from './prompt-feed.ts';
import type { Run, Turn } from './run.ts';
import { interruptOpen, runToolRound } from './tool-round.ts';
import { initMessage, partMessage, resultMessage, syntheticAnswer, syntheticUser } from './turn-messages.ts';
import type { TurnEnd } from './turn-messages.ts';
import { addUsage, noUsage } from './usage.ts';

/** Continuations after the token limit, and blocks of Stop hooks in a row, in one turn. */
const MAX_CONTINUATIONS = 3;
const MAX_STOP_BLOCKS = 20;

const INTERRUPT_NOTE = '[interrupted] The person stopped this turn.';
const CONTINUE_NOTE = 'The answer was cut off by the token limit. Go on exactly where it stopped.';

const failure: TurnEnd = { kind: 'error_during_execution' };

const textOf = (answer: Answer): string =>
  answer.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');

function toolUsesOf(answer: Answer) {
  return answer.content.flatMap((block) =>
    block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
  );
}

/** Writes a user message of our own to history and stream. */
async function say(run: Run, turn: Turn, text: string): Promise<void> {
  const { entry, message } = syntheticUser(run, text);
  await run.session.append(entry);
  await run.emit(message, turn.signal);
}

/** Asks once more for this turn and keeps what came of it. */
async function ask(run: Run, turn: Turn, catalog: ToolCatalog): Promise<AskOutcome> {
  const uuids: string[] = [];
  const deliver = async (parts: readonly AnswerPart[]): Promise<void> => {
    for (const part of parts) {
      if (part.type === 'event' && run.options.includePartialMessages !== true) continue;
      const message = partMessage(run, part);
      if (message.type === 'assistant') uuids.push(message.uuid);
      await run.emit(message, turn.signal);
    }
  };
  const outcome = await askWithRetries(run, turn, {
    request: (model) => modelRequest(run, catalog, model),
    deliver,
  });
  const { answer } = outcome;
  turn.figures.usage = addUsage(turn.figures.usage, answer.usage);
  if (Object.keys(answer.usage).length > 0)
    run.usageBook.add(answer.model, addUsage(noUsage(), answer.usage));
  if (answer.content.length > 0) {
    const content = structuredClone(answer.content) as unknown as ContentBlockParam[];
    await run.session.append({
      type: 'assistant',
      uuids,
      messageId: answer.id,
      model: answer.model,
      content,
      stopReason: answer.stopReason,
    });
  }
  return outcome;
}

/** The tool that a provider's refusal names by its place in the list, as `tools.3.…`. */
function refusedTool(error: AgentError<ProviderErrorCode>, catalog: ToolCatalog): string | undefined {
  if (error.code !== 'provider_bad_request') return undefined;
  const [, place] = /\btools\.(\d+)\b/.exec(error.message) ?? [];
  return place === undefined ? undefined : catalog.tools[Number(place)]?.name;
}

/** The provider gave up: the reason goes to the reader as an answer and to the host as an error. */
async function endFailed(run: Run, turn: Turn, error: AgentError<ProviderErrorCode>): Promise<TurnEnd> {
  await run.emit(syntheticAnswer(run, error.message), turn.signal);
  try {
    run.portico.onProviderError?.(error);
  } catch {
    run.warn('The onProviderError callback threw.');
  }
  return { kind: 'success', text: error.message, isError: true };
}

async function endInterrupted(run: Run, turn: Turn): Promise<TurnEnd> {
  await say(run, turn, INTERRUPT_NOTE);
  return failure;
}

/** Counters of one turn's loop. */
interface Progress {
  continuations: number;
  stopBlocks: number;
}

/** Prompts and texts of hooks that arrived meanwhile go into the next request. */
async function addArrivals(run: Run, turn: Turn): Promise<void> {
  for (const context of turn.contexts.splice(0)) await say(run, turn, context);
  for (const prompt of run.arrivedPrompts()) {
    const { contexts, stop } = await beforePrompt(run.hooks, prompt.text, turn.signal);
    if (stop !== undefined) run.warn(`A prompt was held back by a hook: ${stop.reason}`);
    else await run.session.append(promptEntry(prompt, contexts));
  }
}

async function afterTools(
  run: Run,
  turn: Turn,
  work: { answer: Answer; catalog: ToolCatalog },
): Promise<TurnEnd | undefined> {
  const { stop } = await runToolRound(run, turn, { uses: toolUsesOf(work.answer), catalog: work.catalog });
  if (turn.signal.aborted) return await endInterrupted(run, turn);
  if (stop !== undefined) return { kind: 'success', text: stop.reason, isError: false };
  if (turn.figures.modelTurns >= (run.options.maxTurns ?? Infinity)) return { kind: 'error_max_turns' };
  await addArrivals(run, turn);
  return undefined;
}

/** A text answer ends the turn unless it was cut short or a Stop hook wants more. */
async function afterText(
  run: Run,
  turn: Turn,
  work: { answer: Answer; progress: Progress },
): Promise<TurnEnd | undefined> {
  const { answer, progress } = work;
  const atLimit = turn.figures.modelTurns >= (run.options.maxTurns ?? Infinity);
  switch (answer.stopReason) {
    case 'pause_turn':
      return atLimit ? { kind: 'error_max_turns' } : undefined;
    case 'refusal':
      return { kind: 'success', text: textOf(answer) || 'The model declined to answer.', isError: true };
    case 'max_tokens':
      if (atLimit || progress.continuations >= MAX_CONTINUATIONS) {
        return { kind: 'success', text: textOf(answer), isError: true };
      }
      progress.continuations += 1;
      await say(run, turn, CONTINUE_NOTE);
      return undefined;
    case 'end_turn':
    case 'stop_sequence':
    case 'tool_use':
    case 'compaction':
    case 'model_context_window_exceeded':
    case null: {
      const goOn = await stopHooksSay(run, turn, progress);
      if (goOn === undefined || atLimit) return { kind: 'success', text: textOf(answer), isError: false };
      await say(run, turn, goOn);
      return undefined;
    }
  }
}

async function stopHooksSay(run: Run, turn: Turn, progress: Progress): Promise<string | undefined> {
  if (!run.hooks.has('Stop')) return undefined;
  const { goOn } = await atStop(run.hooks, progress.stopBlocks > 0, turn.signal);
  if (goOn === undefined || turn.signal.aborted) return undefined;
  progress.stopBlocks += 1;
  if (progress.stopBlocks <= MAX_STOP_BLOCKS) return goOn;
  run.warn(`Stop hooks held the turn ${MAX_STOP_BLOCKS} times in a row; it ends now.`);
  return undefined;
}

/** Asks and answers until something ends the turn. */
async function loop(run: Run, turn: Turn): Promise<TurnEnd> {
  const progress: Progress = { continuations: 0, stopBlocks: 0 };
  // Servers that are late are still used from the first request on; an abort is seen by the request.
  await raceAbort(run.mcp.settled(), turn.signal).catch(() => {});
  for (;;) {
    const catalog = run.catalog();
    const { answer, end } = await ask(run, turn, catalog);
    if (end !== 'complete') {
      await interruptOpen(run, turn, toolUsesOf(answer));
      if (end === 'aborted') return await endInterrupted(run, turn);
      const tool = refusedTool(end, catalog);
      if (tool === undefined || run.refusedTools.has(tool)) return await endFailed(run, turn, end);
      run.refusedTools.add(tool);
      run.warn(`The tool ${tool} is left out: the model provider refuses it.`);
      continue;
    }
    const usesTools = answer.content.some((block) => block.type === 'tool_use');
    const ended = usesTools
      ? await afterTools(run, turn, { answer, catalog })
      : await afterText(run, turn, { answer, progress });
    if (ended !== undefined) return ended;
  }
}

function promptEntry(prompt: Prompt, contexts: readonly string[]): SessionEntry {
  const added = contexts.map((text): ContentBlockParam => ({ type: 'text', text }));
  const uuid = prompt.uuid === '' ? randomUUID() : prompt.uuid;
  return { type: 'user', uuid, origin: 'prompt', content: [...prompt.content, ...added] };
}

/** Runs one turn from its prompt to its result; a turn whose query was closed has no result. */
export async function runTurn(run: Run, turn: Turn, prompt: Prompt): Promise<void> {
  const before = await beforePrompt(run.hooks, prompt.text, turn.signal);
  await run.emit(initMessage(run), turn.signal);
  let end: TurnEnd;
  if (turn.signal.aborted) {
    end = failure;
  } else if (before.stop !== undefined) {
    end = { kind: 'success', text: before.stop.reason, isError: false };
  } else {
    await run.session.append(promptEntry(prompt, [...turn.contexts.splice(0), ...before.contexts]));
    end = await loop(run, turn);
  }
  if (turn.signal.reason === 'closed') return;
  await run.emit(resultMessage(run, turn, end), turn.signal);
}
