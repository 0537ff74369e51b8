/**
 * Whether JSON text nests deeper than this many levels. Counts brackets outside strings, so that no
 * deep value is ever built; text that is no JSON may get either answer.
 */
export function nestsDeeperThan(text: string, limit: number): boolean {
  const significant = /["{}[\]]/g;
  let depth = 0;
  for (let match = significant.exec(text); match !== null; match = significant.exec(text)) {
    if (match[0] === '"') {
      significant.lastIndex = endOfString(text, match.index);
    } else if (match[0] === '{' || match[0] === '[') {
      depth++;
      if (depth > limit) return true;
    } else depth--;
  }
  return false;
}

/** Where the string that opens at `start` has ended, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}
