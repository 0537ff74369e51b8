import {
  type CharacterSet,
  complement,
  DIGITS,
  EVERYTHING,
  NOT_LINE_END,
  SPACE,
  union,
  WORD,
} from './character-set.ts';

/** A regular expression, as far as it matters for how long matching takes. */
export type PatternNode =
  | { readonly type: 'characters'; readonly set: CharacterSet }
  | { readonly type: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly type: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly type: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number }
  | { readonly type: 'look'; readonly part: PatternNode }
  /** Start, end and word borders. */
  | { readonly type: 'border'; readonly start: boolean }
  | { readonly type: 'back-reference' };

const CLASSES: Readonly<Record<string, CharacterSet>> = {
  d: DIGITS,
  D: complement(DIGITS),
  w: WORD,
  W: complement(WORD),
  s: SPACE,
  S: complement(SPACE),
};
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 };

/** Parses a pattern that `RegExp` has accepted with the flag `u`. */
export function parsePattern(pattern: string): PatternNode {
  return new PatternParser(pattern).parse();
}

class PatternParser {
  readonly #text: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#text = Array.from(pattern);
  }

  parse(): PatternNode {
    return this.#choice();
  }

  #choice(): PatternNode {
    const options = [this.#sequence()];
    while (this.#takes('|')) options.push(this.#sequence());
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { type: 'choice', options };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    for (let next = this.#peek(); next !== undefined && next !== '|' && next !== ')'; next = this.#peek()) {
      parts.push(this.#repeated(this.#atom()));
    }
    return { type: 'sequence', parts };
  }

  #repeated(part: PatternNode): PatternNode {
    const bounds = this.#bounds();
    if (bounds === undefined) return part;
    this.#takes('?');
    return { type: 'repeat', part, ...bounds };
  }

  #bounds(): { min: number; max: number } | undefined {
    if (this.#takes('*')) return { min: 0, max: Infinity };
    if (this.#takes('+')) return { min: 1, max: Infinity };
    if (this.#takes('?')) return { min: 0, max: 1 };
    if (!this.#takes('{')) return undefined;
    const [low = '0', high] = this.#until('}').split(',');
    const min = Number(low);
    if (high === undefined) return { min, max: min };
    return { min, max: high === '' ? Infinity : Number(high) };
  }

  #atom(): PatternNode {
    const character = this.#next();
    switch (character) {
      case '^':
        return { type: 'border', start: true };
      case '$':
        return { type: 'border', start: false };
      case '.':
        return { type: 'characters', set: NOT_LINE_END };
      case '(':
        return this.#group();
      case '[':
        return { type: 'characters', set: this.#class() };
      case '\\':
        return this.#escaped();
      default:
        return { type: 'characters', set: point(character) };
    }
  }

  #group(): PatternNode {
    let look = false;
    if (this.#takes('?')) {
      if (this.#takes('<')) {
        if (this.#takes('=') || this.#takes('!')) look = true;
        else this.#until('>');
      } else if (this.#takes('=') || this.#takes('!')) look = true;
      else this.#until(':');
    }
    const part = this.#choice();
    this.#takes(')');
    return look ? { type: 'look', part } : part;
  }

  #escaped(): PatternNode {
    const next = this.#peek() ?? '';
    if (/[bB]/.test(next)) {
      this.#at += 1;
      return { type: 'border', start: false };
    }
    if (/[1-9k]/.test(next)) {
      this.#at += 1;
      if (next === 'k') this.#until('>');
      return { type: 'back-reference' };
    }
    return { type: 'characters', set: this.#escapedSet() };
  }

  /** After the backslash. */
  #escapedSet(): CharacterSet {
    const character = this.#next();
    const known = CLASSES[character];
    if (known !== undefined) return known;
    const control = CONTROLS[character];
    if (control !== undefined) return [control, control];
    if (character === 'p' || character === 'P') {
      this.#until('}');
      return EVERYTHING;
    }
    if (character === 'c') return point(String.fromCodePoint((this.#next().codePointAt(0) ?? 0) % 32));
    if (character === 'x') return hexadecimal(this.#next() + this.#next());
    if (character === 'u') return this.#unicode();
    return point(character);
  }

  #unicode(): CharacterSet {
    if (this.#takes('{')) return hexadecimal(this.#until('}'));
    let digits = '';
    while (digits.length < 4) digits += this.#next();
    const unit = Number.parseInt(digits, 16);
    // The two halves of one character are one character; a wide guess is safe.
    return unit >= 0xd8_00 && unit <= 0xdf_ff ? EVERYTHING : [unit, unit];
  }

  #class(): CharacterSet {
    const negated = this.#takes('^');
    const sets: CharacterSet[] = [];
    for (let next = this.#peek(); next !== undefined && next !== ']'; next = this.#peek()) {
      const low = this.#classMember();
      if (this.#peek() === '-' && this.#text[this.#at + 1] !== ']') {
        this.#at += 1;
        const high = this.#classMember();
        sets.push([low[0] ?? 0, high.at(-1) ?? 0]);
      } else sets.push(low);
    }
    this.#takes(']');
    const set = union(...sets);
    return negated ? complement(set) : set;
  }

  #classMember(): CharacterSet {
    const character = this.#next();
    if (character !== '\\') return point(character);
    if (this.#takes('b')) return [8, 8];
    return this.#escapedSet();
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #next(): string {
    return this.#text[this.#at++] ?? '';
  }

  #takes(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #until(end: string): string {
    let text = '';
    for (let next = this.#next(); next !== end && next !== ''; next = this.#next()) text += next;
    return text;
  }
}

function point(character: string): CharacterSet {
  const code = character.codePointAt(0) ?? 0;
  return [code, code];
}

function hexadecimal(digits: string): CharacterSet {
  const code = Number.parseInt(digits, 16);
  return [code, code];
}
