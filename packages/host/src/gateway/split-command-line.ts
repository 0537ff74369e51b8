import { ApiRefusal } from '../api-refusal.ts';

export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** Inside double quotes a backslash only protects these; before anything else it is itself. */
const ESCAPABLE_IN_QUOTES = '"\\$`';

/**
 * Splits a pasted shell line into the list that will run, without ever being a shell (K15): quotes
 * group, a backslash protects, and `;`, `|`, `$()` or back-ticks are plain characters of an argument.
 * @throws ApiRefusal bad_request for an empty line or a quote that is never closed
 */
export function splitCommandLine(line: string): CommandLine {
  const words: string[] = [];
  let word: string | undefined;
  let index = 0;
  while (index < line.length) {
    const character = line[index] ?? '';
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      index++;
      continue;
    }
    const piece = readPiece(line, index);
    // A backslash before the end of a line joins the lines and adds nothing.
    if (piece.text !== undefined) word = (word ?? '') + piece.text;
    index = piece.next;
  }
  if (word !== undefined) words.push(word);
  const [command, ...args] = words;
  if (command === undefined || command === '')
    throw new ApiRefusal('bad_request', 'The line names no command.');
  return { command, args };
}

interface Piece {
  readonly text: string | undefined;
  readonly next: number;
}

function readPiece(line: string, start: number): Piece {
  const character = line[start] ?? '';
  if (character === "'") {
    const end = line.indexOf("'", start + 1);
    if (end === -1) throw unclosed("'");
    return { text: line.slice(start + 1, end), next: end + 1 };
  }
  if (character === '"') return readDoubleQuoted(line, start);
  if (character !== '\\') return { text: character, next: start + 1 };
  const escaped = line[start + 1];
  if (escaped === '\n') return { text: undefined, next: start + 2 };
  if (escaped === '\r' && line[start + 2] === '\n') return { text: undefined, next: start + 3 };
  return { text: escaped ?? '\\', next: start + 2 };
}

function readDoubleQuoted(line: string, start: number): Piece {
  let text = '';
  for (let index = start + 1; index < line.length; index++) {
    const character = line[index] ?? '';
    if (character === '"') return { text, next: index + 1 };
    const following = line[index + 1];
    if (character === '\\' && following === '\n') index++;
    else if (character === '\\' && following !== undefined && ESCAPABLE_IN_QUOTES.includes(following)) {
      text += following;
      index++;
    } else text += character;
  }
  throw unclosed('"');
}

function unclosed(quote: string): ApiRefusal {
  return new ApiRefusal('bad_request', `The line opens a ${quote} that is never closed.`);
}
