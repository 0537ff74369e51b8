/**
 * Control, invisible and direction characters and broken halves of pairs, which can make text look
 * like other text. A selector that chooses the look of the pictograph before it is no such thing.
 */
const HIDDEN =
  /(?!(?<=\p{Extended_Pictographic})[\u{fe0e}\u{fe0f}])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]/gu;

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
