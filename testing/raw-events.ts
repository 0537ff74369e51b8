/** One event of a stream as it stands on the wire, comments included. */
export interface RawEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  readonly retry?: string;
  readonly comment?: string;
}

/** Reads the events of a response one by one, whole or while they come. */
export async function* rawEvents(response: Response): AsyncGenerator<RawEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) yield eventOf(block);
  }
}

/** All events of a stream that ends. */
export async function allEvents(response: Response): Promise<RawEvent[]> {
  const events: RawEvent[] = [];
  for await (const event of rawEvents(response)) events.push(event);
  return events;
}

/** The message of an event; undefined where it has none. */
export function messageOf({ data }: RawEvent): Record<string, unknown> | undefined {
  return data === undefined || data === '' ? undefined : (JSON.parse(data) as Record<string, unknown>);
}

function eventOf(block: string): RawEvent {
  const fields = block.split('\n').map((line) => {
    const colon = line.indexOf(':');
    return [colon === 0 ? 'comment' : line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
  });
  return Object.fromEntries(fields) as RawEvent;
}
