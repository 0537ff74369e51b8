import type {
  BetaContentBlock,
  BetaMessage,
  BetaRawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { ModelStreamEvent } from '../provider/model-provider.ts';
import { createOpenBlock, isBadToolUse } from './open-block.ts';
import type { OpenBlock } from './open-block.ts';
import { mergeUsage } from './usage.ts';

/** Most characters of one answer. */
const MAX_ANSWER_CHARS = 8_388_608;

type Fields = Readonly<Record<string, unknown>>;

/** Something to pass on: a raw event, or one finished block as a message of its own. */
export type AnswerPart =
  | { readonly type: 'event'; readonly event: BetaRawMessageStreamEvent }
  | { readonly type: 'block'; readonly message: BetaMessage };

export interface Answer {
  readonly id: string;
  readonly model: string;
  readonly content: readonly BetaContentBlock[];
  readonly stopReason: BetaMessage['stop_reason'];
  readonly usage: Fields;
}

/** Puts an answer together from its events. */
export interface AnswerReader {
  /** Takes the next event and returns what can be passed on now, in order. */
  accept(event: ModelStreamEvent): AnswerPart[];
  /** Passes on the block that waits for the event after it. */
  flush(): AnswerPart[];
  /** Finishes what a broken stream left: text so far is kept, half a tool use or thought is not. */
  salvage(): AnswerPart[];
  /** Whether a finished block waits for the event after it. */
  readonly holding: boolean;
  /** Whether any content has begun. */
  readonly begun: boolean;
  /** Whether the provider said how the answer ended. */
  readonly complete: boolean;
  answer(): Answer;
}

/** What a provider may leave out, and what to throw when it sends too much. */
export interface AnswerDefaults {
  readonly id: string;
  readonly model: string;
  readonly tooLong: () => Error;
}

/**
 * A finished block is held back until the event after it arrives, as only that one tells the
 * answer's stop reason and final usage.
 */
interface Held {
  readonly block: BetaContentBlock;
  readonly stop: BetaRawMessageStreamEvent | undefined;
}

interface State {
  head: Fields;
  usage: Fields;
  stopReason: BetaMessage['stop_reason'];
  stopSequence: string | null;
  characters: number;
  complete: boolean;
  begun: boolean;
  held: Held | undefined;
  readonly open: Map<number, OpenBlock>;
  readonly content: BetaContentBlock[];
  readonly defaults: AnswerDefaults;
}

const HEAD_DEFAULTS = { container: null, context_management: null, diagnostics: null, stop_details: null };

function headWord(state: State, field: 'id' | 'model'): string {
  const word = state.head[field];
  return typeof word === 'string' && word !== '' ? word : state.defaults[field];
}

function messageWith(state: State, block: BetaContentBlock): BetaMessage {
  const message = {
    ...HEAD_DEFAULTS,
    ...state.head,
    id: headWord(state, 'id'),
    type: 'message',
    role: 'assistant',
    model: headWord(state, 'model'),
    content: [block],
    stop_reason: state.stopReason,
    stop_sequence: state.stopSequence,
    usage: { ...state.usage },
  };
  return message as unknown as BetaMessage;
}

function flush(state: State): AnswerPart[] {
  const { held } = state;
  if (held === undefined) return [];
  state.held = undefined;
  const stop: AnswerPart[] = held.stop === undefined ? [] : [{ type: 'event', event: held.stop }];
  // A tool use that the token limit cut in the middle cannot be run.
  if (state.stopReason === 'max_tokens' && isBadToolUse(held.block)) {
    state.content.pop();
    return stop;
  }
  return [{ type: 'block', message: messageWith(state, held.block) }, ...stop];
}

function finish(state: State, index: number, stop: BetaRawMessageStreamEvent | undefined): void {
  const open = state.open.get(index);
  if (open === undefined) return;
  state.open.delete(index);
  const block = open.finish();
  state.content.push(block);
  state.held = { block, stop };
}

/** Takes the event into the state; what was held is flushed by the caller where it belongs. */
function take(state: State, event: ModelStreamEvent): void {
  switch (event.type) {
    case 'message_start': {
      const { usage, ...head } = event.message as unknown as Fields;
      state.head = head;
      state.usage = mergeUsage(state.usage, usage);
      return;
    }
    case 'content_block_start':
      state.begun = true;
      state.open.set(event.index, createOpenBlock(event.content_block as unknown as Fields));
      return;
    case 'content_block_delta':
      state.characters += state.open.get(event.index)?.grow(event.delta as unknown as Fields) ?? 0;
      if (state.characters > MAX_ANSWER_CHARS) throw state.defaults.tooLong();
      return;
    case 'message_delta':
      state.usage = mergeUsage(state.usage, event.usage);
      state.stopReason = event.delta?.stop_reason ?? state.stopReason;
      state.stopSequence = event.delta?.stop_sequence ?? state.stopSequence;
      if (state.stopReason !== null) state.complete = true;
      return;
    case 'message_stop':
      state.complete = true;
      return;
    case 'content_block_stop':
    case 'ping':
  }
}

function accept(state: State, event: ModelStreamEvent): AnswerPart[] {
  if (event.type === 'ping') return [];
  take(state, event);
  const before = flush(state);
  if (event.type !== 'content_block_stop') return [...before, { type: 'event', event }];
  finish(state, event.index, event);
  return before;
}

function salvage(state: State): AnswerPart[] {
  const parts = flush(state);
  for (const [index, open] of state.open) {
    if (open.hasText) finish(state, index, undefined);
    parts.push(...flush(state));
  }
  state.open.clear();
  return parts;
}

export function createAnswerReader(defaults: AnswerDefaults): AnswerReader {
  const state: State = {
    head: {},
    usage: {},
    stopReason: null,
    stopSequence: null,
    characters: 0,
    complete: false,
    begun: false,
    held: undefined,
    open: new Map(),
    content: [],
    defaults,
  };
  return {
    accept: (event) => accept(state, event),
    flush: () => flush(state),
    salvage: () => salvage(state),
    get holding() {
      return state.held !== undefined;
    },
    get begun() {
      return state.begun;
    },
    get complete() {
      return state.complete;
    },
    answer: () => ({
      id: headWord(state, 'id'),
      model: headWord(state, 'model'),
      content: state.content,
      stopReason: state.stopReason,
      usage: state.usage,
    }),
  };
}
