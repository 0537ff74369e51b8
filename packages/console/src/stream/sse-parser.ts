/** Longest event that is kept, in UTF-16 units; a longer one ends the stream (16 Mi). */
const MAX_EVENT_LENGTH: number = 16 * 1024 * 1024;

export interface StreamMessage {
  readonly id: string;
  readonly data: string;
}

/** Takes the chunks of an event stream and answers with the messages they complete. */
export interface SseParser {
  /** Linear in the chunk's length. */
  push(chunk: string): readonly StreamMessage[];
  readonly overflowed: boolean;
}

/** Comments, `event:` and `retry:` lines are dropped: the host says everything in `id` and `data`. */
export function createSseParser(maxLength: number = MAX_EVENT_LENGTH): SseParser {
  let rest: string[] = [];
  let restLength = 0;
  let data: string[] = [];
  let dataLength = 0;
  let id = '';
  let overflowed = false;

  const takeLine = (line: string): StreamMessage | undefined => {
    if (line === '') {
      const message = data.length > 0 ? { id, data: data.join('\n') } : undefined;
      data = [];
      dataLength = 0;
      return message;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') {
      data.push(value);
      dataLength += value.length;
    } else if (field === 'id' && !value.includes('\0')) id = value;
    return undefined;
  };

  return {
    get overflowed() {
      return overflowed;
    },
    push(chunk) {
      const messages: StreamMessage[] = [];
      const lines = chunk.split('\n');
      for (const [index, part] of lines.entries()) {
        if (index === lines.length - 1) {
          rest.push(part);
          restLength += part.length;
          break;
        }
        const whole = rest.length === 0 ? part : rest.join('') + part;
        rest = [];
        restLength = 0;
        const message = takeLine(whole.endsWith('\r') ? whole.slice(0, -1) : whole);
        if (message !== undefined) messages.push(message);
      }
      overflowed ||= restLength + dataLength > maxLength;
      return messages;
    },
  };
}
