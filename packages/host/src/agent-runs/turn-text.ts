import type { SDKMessage } from '@portico/agent';
import type { ConversationBook } from '../conversations/conversation-book.ts';
import type { LiveText } from '../conversations/live-text.ts';
import type { Clock } from '../ports/clock.ts';
import { newId } from '../random-ids.ts';

export interface TurnTextOptions {
  readonly conversationId: string;
  readonly book: ConversationBook;
  readonly clock: Clock;
  readonly model: string;
}

/** Turns the model's stream into growing answers of the conversation, one an answer of the model. */
export interface TurnText {
  take(message: SDKMessage): Promise<void>;
  /** Ends the answer that is growing, if any; what came stays. */
  end(): Promise<void>;
}

export function createTurnText(options: TurnTextOptions): TurnText {
  const { conversationId, book, clock, model } = options;
  let current: LiveText | undefined;
  let blocks = 0;

  const end = async (): Promise<void> => {
    const ending = current;
    current = undefined;
    blocks = 0;
    await ending?.end();
  };
  const open = async (): Promise<LiveText> =>
    await book.openText(conversationId, {
      type: 'assistant_message',
      id: newId('answer'),
      createdAtMs: clock.now(),
      text: '',
      streaming: true,
      model,
    });

  return {
    end,
    async take(message) {
      if (message.type !== 'stream_event') return;
      const { event } = message;
      if (event.type === 'message_start' || event.type === 'message_stop') await end();
      if (event.type !== 'content_block_delta' && event.type !== 'content_block_start') return;
      const isStart = event.type === 'content_block_start';
      if (isStart && event.content_block.type === 'text') blocks++;
      const piece = textOf(event);
      if (piece === '') return;
      const isFirstOfLater = current !== undefined && blocks > 1;
      current ??= await open();
      // Blocks of one answer are paragraphs of their own.
      if (isFirstOfLater) {
        current.add('\n\n');
        blocks = 1;
      }
      current.add(piece);
    },
  };
}

type StreamEvent = Extract<SDKMessage, { type: 'stream_event' }>['event'];

function textOf(event: StreamEvent): string {
  if (event.type === 'content_block_start' && event.content_block.type === 'text')
    return event.content_block.text;
  if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') return event.delta.text;
  return '';
}
