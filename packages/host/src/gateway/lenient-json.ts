import { nestsDeeperThan } from '../json-depth.ts';

/** Deepest nesting, in levels; what is built of it later would overflow the stack at some thousand. */
const MAX_DEPTH = 64;

/**
 * Reads JSON as people keep it in configuration files: with a byte order mark, with comments, and
 * with commas after the last member.
 * @throws SyntaxError when it is no JSON even then, or nests deeper than 64 levels
 */
export function parseLenientJson(text: string): unknown {
  const json = withoutTrailingCommas(withoutComments(text.replace(/^\uFEFF/, '')));
  if (nestsDeeperThan(json, MAX_DEPTH)) throw new SyntaxError(`it nests deeper than ${MAX_DEPTH} levels`);
  return JSON.parse(json) as unknown;
}

/** End (exclusive) of the string that opens at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === '"') return index + 1;
  }
  return text.length;
}

function withoutComments(text: string): string {
  let kept = '';
  let index = 0;
  while (index < text.length) {
    const start = index;
    if (text[index] === '"') {
      index = endOfString(text, index);
      kept += text.slice(start, index);
    } else if (text.startsWith('//', index)) {
      const end = text.indexOf('\n', index);
      index = end === -1 ? text.length : end;
    } else if (text.startsWith('/*', index)) {
      const end = text.indexOf('*/', index + 2);
      index = end === -1 ? text.length : end + 2;
      kept += ' ';
    } else {
      kept += text[index] ?? '';
      index++;
    }
  }
  return kept;
}

function withoutTrailingCommas(text: string): string {
  let kept = '';
  let index = 0;
  while (index < text.length) {
    const start = index;
    if (text[index] === '"') {
      index = endOfString(text, index);
      kept += text.slice(start, index);
      continue;
    }
    index++;
    if (text[start] === ',') {
      let following = index;
      while (/\s/.test(text[following] ?? '')) following++;
      if (text[following] === '}' || text[following] === ']') continue;
    }
    kept += text[start] ?? '';
  }
  return kept;
}
