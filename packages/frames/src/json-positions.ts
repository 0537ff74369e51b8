/** A JSON value with the place of every member, so that complaints can name a line. */
interface PositionedJson {
  readonly value: unknown;
  /** Path in JSON Pointer form (`/mcp/servers/0/name`, root is empty) → offset. */
  readonly positions: ReadonlyMap<string, number>;
  /** Offsets of names that repeat within one object. */
  readonly duplicates: readonly { readonly key: string; readonly offset: number }[];
}

/** Where and why a text is not JSON. */
interface JsonFault {
  readonly offset: number;
  readonly reason: string;
}

export type JsonReading =
  | { readonly ok: true; readonly json: PositionedJson }
  | { readonly ok: false; readonly fault: JsonFault };

const MAX_DEPTH = 32;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// oxlint-disable-next-line no-control-regex -- JSON forbids raw control characters in strings
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SPACE = /[\t\n\r ]*/y;
const LITERALS: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/** Stops the reader; carries the fault to the one place that catches it. */
class Stop extends Error {
  readonly fault: JsonFault;
  constructor(offset: number, reason: string) {
    super(reason);
    this.fault = { offset, reason };
  }
}

/** Step into an object key's or array index's pointer. */
export function pointerStep(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

class Reader {
  readonly positions = new Map<string, number>();
  readonly duplicates: { key: string; offset: number }[] = [];
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  document(): unknown {
    const value = this.value('', 1);
    this.space();
    if (this.at < this.text.length) throw new Stop(this.at, 'there is text after the value');
    return value;
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text)?.[0];
    this.at += match?.length ?? 0;
    return match;
  }

  private space(): void {
    this.take(SPACE);
  }

  private value(pointer: string, depth: number): unknown {
    this.space();
    if (depth > MAX_DEPTH) throw new Stop(this.at, `more than ${MAX_DEPTH} levels`);
    if (!this.positions.has(pointer)) this.positions.set(pointer, this.at);
    const character = this.text[this.at];
    if (character === '{') return this.object(pointer, depth);
    if (character === '[') return this.array(pointer, depth);
    if (character === '"') return this.string();
    for (const [word, value] of LITERALS) {
      if (!this.text.startsWith(word, this.at)) continue;
      this.at += word.length;
      return value;
    }
    const number = this.take(NUMBER);
    if (number === undefined)
      throw new Stop(
        this.at,
        character === undefined ? 'the text ends early' : `unexpected ${JSON.stringify(character)}`,
      );
    return Number(number);
  }

  private string(): string {
    const start = this.at;
    const text = this.take(STRING);
    if (text === undefined) throw new Stop(start, 'a string is not closed or has a bad escape');
    return JSON.parse(text) as string;
  }

  private object(pointer: string, depth: number): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    this.at += 1;
    this.space();
    for (let first = true; this.text[this.at] !== '}'; first = false) {
      if (!first) this.expect(',');
      this.space();
      const offset = this.at;
      if (this.text[this.at] !== '"') throw new Stop(this.at, 'a member name in double quotes is missing');
      const key = this.string();
      if (Object.hasOwn(result, key)) this.duplicates.push({ key, offset });
      const child = pointerStep(pointer, key);
      this.positions.set(child, offset);
      this.space();
      this.expect(':');
      const value = this.value(child, depth + 1);
      Object.defineProperty(result, key, { value, enumerable: true, configurable: true, writable: true });
      this.space();
    }
    this.at += 1;
    return result;
  }

  private array(pointer: string, depth: number): unknown[] {
    const result: unknown[] = [];
    this.at += 1;
    this.space();
    while (this.text[this.at] !== ']') {
      if (result.length > 0) this.expect(',');
      result.push(this.value(pointerStep(pointer, result.length), depth + 1));
      this.space();
    }
    this.at += 1;
    return result;
  }

  private expect(character: string): void {
    if (this.text[this.at] !== character) {
      throw new Stop(
        this.at,
        this.at >= this.text.length ? 'the text ends early' : `${JSON.stringify(character)} is missing`,
      );
    }
    this.at += 1;
  }
}

/** Reads JSON and remembers where everything stands. At most 32 levels deep. Never throws. */
export function readJsonWithPositions(text: string): JsonReading {
  const reader = new Reader(text);
  try {
    const value = reader.document();
    return { ok: true, json: { value, positions: reader.positions, duplicates: reader.duplicates } };
  } catch (error) {
    if (error instanceof Stop) return { ok: false, fault: error.fault };
    throw error;
  }
}
