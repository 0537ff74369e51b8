import { stripControlSequences } from './control-sequences.ts';

/** What is kept of a child's error output. */
export interface StderrTailLimits {
  /** Lines; 2,000 by default. */
  readonly maxLines: number;
  /** Characters of one line, the rest of it is dropped; 8,192 by default. */
  readonly maxLineLength: number;
  /** Characters of all kept lines together; 1,048,576 by default. */
  readonly maxLength: number;
}

export const DEFAULT_STDERR_LIMITS: StderrTailLimits = {
  maxLines: 2_000,
  maxLineLength: 8_192,
  maxLength: 1_048_576,
};

const LINE_END = /[\n\r]/;

/** The last lines of a byte stream, however much flows through it. */
export interface StderrTail {
  push(bytes: Uint8Array): void;
  /** Ends the last line when the stream is over. */
  end(): void;
  /** The kept lines, oldest first, without control sequences. */
  lines(): readonly string[];
}

/**
 * Keeps the end of a child's error output within bounds.
 *
 * @param limits how much is kept
 * @param onLine told of each line as it is completed; must not throw
 */
export function createStderrTail(
  limits: StderrTailLimits = DEFAULT_STDERR_LIMITS,
  onLine?: (line: string) => void,
): StderrTail {
  const decoder = new TextDecoder();
  let kept: string[] = [];
  let keptLength = 0;
  let dropped = 0;
  let current = '';

  const completeLine = (): void => {
    const line = stripControlSequences(current).trimEnd();
    current = '';
    if (line === '') return;
    onLine?.(line);
    kept.push(line);
    keptLength += line.length;
    while (kept.length - dropped > limits.maxLines || keptLength > limits.maxLength) {
      keptLength -= kept[dropped]?.length ?? 0;
      dropped += 1;
    }
    // Shifting per line would be quadratic under a flood; cutting now and then is not.
    if (dropped > limits.maxLines) {
      kept = kept.slice(dropped);
      dropped = 0;
    }
  };
  const append = (text: string): void => {
    const room = limits.maxLineLength - current.length;
    if (room > 0) current += text.length > room ? text.slice(0, room) : text;
  };
  const take = (text: string): void => {
    // A bare carriage return redraws a line; progress bars would otherwise be one endless line.
    const [first = '', ...others] = text.split(LINE_END);
    append(first);
    for (const other of others) {
      completeLine();
      append(other);
    }
  };
  return {
    push: (bytes) => take(decoder.decode(bytes, { stream: true })),
    end(): void {
      take(decoder.decode());
      completeLine();
    },
    lines: () => kept.slice(dropped),
  };
}
