/** Control, invisible and direction characters, which can make text look like other text. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{115f}\u{1160}\u{3164}\u{ffa0}]/gu;

/** The text with every character that does not show written as an escape such as `\u{202e}`. */
export function showHidden(text: string): string {
  return text.replaceAll(HIDDEN, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    if (character === '\r') return '\\r';
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** As `showHidden`, with line breaks and tabs left as they are. */
export function showHiddenInLines(text: string): string {
  return text
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : showHidden(part)))
    .join('');
}
