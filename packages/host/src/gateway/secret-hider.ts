/** Shorter values are everyday words and numbers: hiding them would make nonsense of a text. */
const MIN_VALUE_LENGTH = 6;
/** Shorter words of a value, such as `Bearer`, are no secret by themselves. */
const MIN_WORD_LENGTH = 8;

/** Shortest beginning of a value that is hidden where a text was cut in the middle of it. */
const MIN_CUT_LENGTH = 4;

interface Piece {
  readonly text: string;
  readonly shown: string;
}

/**
 * Answers a function that puts the name of a secret in the place of its value. Hides values as a whole
 * and their words one by one: a program may print a key line by line, and a header without its scheme.
 * @param secrets name → value, or pairs of both where several have one name
 */
export function secretHider(
  secrets: Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[],
): (text: string) => string {
  const pairs = Array.isArray(secrets) ? secrets : Object.entries(secrets);
  const pieces = pairs.flatMap(([name, value]) => piecesOf(name, value));
  // Longest first, so that no piece breaks another that contains it.
  pieces.sort((left, right) => right.text.length - left.text.length);
  return (text) => {
    let hidden = text;
    for (const { text: secret, shown } of pieces) hidden = hidden.replaceAll(secret, () => shown);
    for (const piece of pieces) hidden = withoutCutEnd(hidden, piece);
    return hidden;
  };
}

function piecesOf(name: string, value: string): Piece[] {
  if (value.length < MIN_VALUE_LENGTH) return [];
  const words = value.split(/\s+/).filter((word) => word.length >= MIN_WORD_LENGTH);
  return [...new Set([value, ...words])].map((text) => ({ text, shown: `[value of ${name}]` }));
}

function withoutCutEnd(text: string, { text: secret, shown }: Piece): string {
  for (let length = Math.min(secret.length, text.length); length >= MIN_CUT_LENGTH; length--) {
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + shown;
  }
  return text;
}
