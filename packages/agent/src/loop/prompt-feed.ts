import { randomUUID } from 'node:crypto';
import type { ContentBlockParam } from '@anthropic-ai/sdk/resources';
import type { SDKUserMessage } from '../contract/messages.ts';
import { AgentError } from '../errors.ts';
import { raceAbort } from './abort-race.ts';

/** A user's message, ready for the history. */
export interface Prompt {
  readonly uuid: string;
  readonly content: readonly ContentBlockParam[];
  /** Its text alone, for hooks. */
  readonly text: string;
}

/** Prompts in order. */
export interface PromptFeed {
  /** The next prompt, nothing at the end. Rejects with what the caller's iterable threw. */
  next(signal: AbortSignal): Promise<Prompt | undefined>;
  /** Prompts that have arrived already; removes them. */
  arrived(): Prompt[];
  /** Settles when the iterable has thrown, with what it threw. */
  readonly failed: Promise<{ readonly error: unknown }>;
  /** Reads no further and lets the iterable go. */
  close(): void;
}

function blocksOf(content: unknown): readonly ContentBlockParam[] | undefined {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return undefined;
  const areBlocks = content.every(
    (block: unknown) => typeof block === 'object' && block !== null && 'type' in block,
  );
  return areBlocks ? (content as ContentBlockParam[]) : undefined;
}

/** Callers may be untyped, so every part is looked at. */
function promptOf(message: SDKUserMessage, position: number): Prompt {
  const content = message?.type === 'user' ? blocksOf(message.message?.content) : undefined;
  if (content === undefined || content.length === 0) {
    throw new AgentError(
      'invalid_prompt',
      { position },
      { message: `Message ${position} of the prompt is no user message.` },
    );
  }
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  return { uuid: message.uuid ?? randomUUID(), content, text };
}

function textFeed(text: string): PromptFeed {
  let left: Prompt[] = [{ uuid: randomUUID(), content: [{ type: 'text', text }], text }];
  return {
    next: () => Promise.resolve(left.shift()),
    arrived: () => left.splice(0),
    failed: new Promise(() => {}),
    close: () => void (left = []),
  };
}

/** Reads the iterable one message ahead of the loop. */
function iterableFeed(iterable: AsyncIterable<SDKUserMessage>): PromptFeed {
  const iterator = iterable[Symbol.asyncIterator]();
  let position = 0;
  let ahead: Prompt | undefined;
  let reading: Promise<void> | undefined;
  let done = false;
  let failure: { readonly error: unknown } | undefined;
  let tellFailure = (_failure: { readonly error: unknown }): void => {};
  const failed = new Promise<{ readonly error: unknown }>((resolve) => (tellFailure = resolve));

  const readOne = async (): Promise<void> => {
    try {
      const next = await iterator.next();
      if (next.done === true) done = true;
      else ahead = promptOf(next.value, position++);
    } catch (error) {
      done = true;
      failure = { error };
      tellFailure(failure);
    }
  };
  const readAhead = (): void => {
    if (ahead !== undefined || reading !== undefined || done) return;
    reading = readOne().finally(() => (reading = undefined));
  };
  const take = (): Prompt | undefined => {
    const prompt = ahead;
    ahead = undefined;
    readAhead();
    return prompt;
  };
  return {
    next: async (signal) => {
      readAhead();
      if (ahead === undefined && reading !== undefined) await raceAbort(reading, signal);
      if (failure !== undefined) throw failure.error;
      return take();
    },
    arrived: () => {
      const prompt = take();
      return prompt === undefined ? [] : [prompt];
    },
    failed,
    close: () => {
      done = true;
      iterator.return?.()?.then(undefined, () => {});
    },
  };
}

export function createPromptFeed(prompt: string | AsyncIterable<SDKUserMessage>): PromptFeed {
  return typeof prompt === 'string' ? textFeed(prompt) : iterableFeed(prompt);
}
