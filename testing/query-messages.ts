import type { Query, SDKMessage, SDKResultMessage, SDKUserMessage } from '@portico/agent';

/** Reads a query to its end. */
export async function collect(query: Query): Promise<SDKMessage[]> {
  const messages: SDKMessage[] = [];
  for await (const message of query) messages.push(message);
  return messages;
}

/** Reads up to the first message that fits, which is included. */
export async function readUntil(query: Query, fits: (message: SDKMessage) => boolean): Promise<SDKMessage[]> {
  const messages: SDKMessage[] = [];
  for (;;) {
    const next = await query.next();
    if (next.done === true) throw new Error('the query ended before the message that was waited for');
    messages.push(next.value);
    if (fits(next.value)) return messages;
  }
}

export function resultOf(messages: readonly SDKMessage[]): SDKResultMessage {
  const last = messages.at(-1);
  if (last?.type !== 'result') throw new Error('the last message is no result');
  return last;
}

export const resultsOf = (messages: readonly SDKMessage[]): SDKResultMessage[] =>
  messages.filter((message) => message.type === 'result');

/** Tool results as id, text and error flag, in the order of the messages. */
export function toolResultsOf(
  messages: readonly SDKMessage[],
): { readonly id: string; readonly text: string; readonly isError: boolean }[] {
  return messages.flatMap((message) => {
    if (message.type !== 'user' || typeof message.message.content === 'string') return [];
    return message.message.content.flatMap((block) => {
      if (block.type !== 'tool_result') return [];
      const parts = typeof block.content === 'string' ? [] : (block.content ?? []);
      const text = parts.map((part) => (part.type === 'text' ? part.text : `<${part.type}>`)).join('\n');
      return [{ id: block.tool_use_id, text, isError: block.is_error === true }];
    });
  });
}

/** The text of all assistant messages. */
export function assistantText(messages: readonly SDKMessage[]): string {
  return messages
    .flatMap((message) => (message.type === 'assistant' ? message.message.content : []))
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('');
}

/** Kinds of messages in order, such as `system/init` and `assistant`. */
export const kindsOf = (messages: readonly SDKMessage[]): string[] =>
  messages.map((message) => ('subtype' in message ? `${message.type}/${message.subtype}` : message.type));

export function userMessage(text: string): SDKUserMessage {
  return {
    type: 'user',
    session_id: '',
    parent_tool_use_id: null,
    message: { role: 'user', content: text },
  };
}

/** A prompt that the test feeds message by message. */
export interface PromptChannel extends AsyncIterable<SDKUserMessage> {
  push(text: string): void;
  end(): void;
  fail(error: Error): void;
}

export function promptChannel(): PromptChannel {
  const queued: SDKUserMessage[] = [];
  let ended = false;
  let failure: Error | undefined;
  let wake = (): void => {};
  return {
    push: (text) => {
      queued.push(userMessage(text));
      wake();
    },
    end: () => {
      ended = true;
      wake();
    },
    fail: (error) => {
      failure = error;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = queued.shift();
        if (next !== undefined) yield next;
        else if (failure !== undefined) throw failure;
        else if (ended) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
