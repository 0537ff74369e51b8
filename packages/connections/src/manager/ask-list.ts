import type { Clock } from '@portico/rpc';

/** One question that waits for an answer. */
export interface Waiting<Item, Answer> {
  readonly item: Item;
  /** Takes it off the list and answers it. */
  answer(answer: Answer): void;
  /** Takes it off the list and lets whoever asked fail, with a text for the other side. */
  refuse(text: string): void;
}

/** How one question waits. */
export interface Wait<Item, Answer> {
  readonly item: Item;
  /** Fires when nobody wants the answer any more. */
  readonly signal: AbortSignal;
  /** Makes of a text what whoever asked fails with. */
  readonly refusal: (text: string) => Error;
  /** What whoever asked fails with when the signal fires. */
  readonly gone: () => Error;
  /** Called when nobody answered in time; has to answer or refuse it. */
  readonly onLate: (waiting: Waiting<Item, Answer>) => void;
}

/** Questions in the order in which they came. */
export interface AskList<Item, Answer> {
  /** Replaced whenever it changes. */
  readonly items: Item[];
  get(id: string): Waiting<Item, Answer> | undefined;
  add(wait: Wait<Item, Answer>): Promise<Answer>;
  failAll(error: Error): void;
}

/** What an {@link AskList} needs. */
export interface AskListPort {
  readonly clock: Clock;
  readonly waitMs: number;
  /** The list differs. */
  readonly changed: () => void;
}

/** A list of questions; each leaves it exactly once, whoever ends its wait. */
export function createAskList<Item extends { readonly id: string }, Answer>(
  port: AskListPort,
): AskList<Item, Answer> {
  const open = new Map<string, Waiting<Item, Answer> & { fail(error: Error): void }>();
  let items: Item[] = [];
  Object.freeze(items);
  const publish = (): void => {
    items = Array.from(open.values(), ({ item }) => item);
    Object.freeze(items);
    port.changed();
  };
  const wait = ({ item, signal, refusal, gone, onLate }: Wait<Item, Answer>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        timer.cancel();
        signal.removeEventListener('abort', abort);
        open.delete(item.id);
        publish();
      };
      const waiting = {
        item,
        answer(answer: Answer): void {
          leave();
          resolve(answer);
        },
        refuse: (text: string): void => waiting.fail(refusal(text)),
        fail(error: Error): void {
          leave();
          reject(error);
        },
      };
      const abort = (): void => waiting.fail(gone());
      const timer = port.clock.setTimer(port.waitMs, () => onLate(waiting));
      signal.addEventListener('abort', abort, { once: true });
      open.set(item.id, waiting);
      publish();
    });
  return {
    get items() {
      return items;
    },
    get: (id) => open.get(id),
    async add(entry) {
      if (entry.signal.aborted) throw entry.gone();
      return wait(entry);
    },
    failAll(error) {
      for (const waiting of Array.from(open.values())) waiting.fail(error);
    },
  };
}
