import type { AssistantMessage } from '@portico/api';
import { createTextUpdates } from '../events/text-updates.ts';
import type { TextUpdate } from '../events/text-updates.ts';
import type { Clock } from '../ports/clock.ts';

/** A growing answer is written to the store at most once in this time (ms); its pieces are in the event log. */
const SAVE_EVERY_MS = 1000;

/** One answer of the model while it arrives. */
export interface LiveText {
  readonly itemId: string;
  add(text: string): void;
  /** Ends the answer and stores it whole; what comes later is dropped. */
  end(): Promise<void>;
}

export interface LiveTextOptions {
  readonly clock: Clock;
  /** Gets what pages are told, with the item as it then is. Must not throw. */
  onShown(item: AssistantMessage, update: TextUpdate): void;
  onSave(item: AssistantMessage): void;
  onEnd(item: AssistantMessage): Promise<void>;
}

export function createLiveText(item: AssistantMessage, options: LiveTextOptions): LiveText {
  const { clock } = options;
  let text = item.text;
  let savedAtMs = clock.now();
  let ended = false;
  const updates = createTextUpdates(clock, (update) => {
    // An update brings everything that is not shown yet, so that afterwards the whole text is.
    const shown = { ...item, text };
    options.onShown(shown, update);
    if (clock.now() - savedAtMs < SAVE_EVERY_MS) return;
    savedAtMs = clock.now();
    options.onSave(shown);
  });
  return {
    itemId: item.id,
    add(piece) {
      if (ended || piece === '') return;
      const offset = text.length;
      text += piece;
      updates.add({ itemId: item.id, offset, text: piece });
    },
    async end() {
      if (ended) return;
      ended = true;
      updates.flush();
      await options.onEnd({ ...item, text, streaming: false });
    },
  };
}
