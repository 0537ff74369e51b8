/** A JSON value that knows the place of every member, so that complaints can name a line. */
interface PositionedJson {
  readonly value: unknown;
  /** Offset of a member, by its path in JSON Pointer form (`/mcp/servers/0/name`, root is empty). */
  offsetOf(pointer: string): number | undefined;
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

/** Offsets of members: of every name in an object, of every index in an array. */
type Places = Map<string, number>;

class Reader {
  /**
   * By the object or array itself rather than by path: the paths of all members together may be far
   * longer than the text.
   */
  readonly places = new WeakMap<object, Places>();
  start = 0;
  readonly duplicates: { key: string; offset: number }[] = [];
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  document(): unknown {
    this.space();
    this.start = this.at;
    const value = this.value(1);
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

  private value(depth: number): unknown {
    this.space();
    if (depth > MAX_DEPTH) throw new Stop(this.at, `more than ${MAX_DEPTH} levels`);
    const character = this.text[this.at];
    if (character === '{') return this.object(depth);
    if (character === '[') return this.array(depth);
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

  private object(depth: number): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    const places: Places = new Map();
    this.places.set(result, places);
    this.at += 1;
    this.space();
    for (let first = true; this.text[this.at] !== '}'; first = false) {
      if (!first) this.expect(',');
      this.space();
      const offset = this.at;
      if (this.text[this.at] !== '"') throw new Stop(this.at, 'a member name in double quotes is missing');
      const key = this.string();
      if (Object.hasOwn(result, key)) this.duplicates.push({ key, offset });
      places.set(key, offset);
      this.space();
      this.expect(':');
      const value = this.value(depth + 1);
      Object.defineProperty(result, key, { value, enumerable: true, configurable: true, writable: true });
      this.space();
    }
    this.at += 1;
    return result;
  }

  private array(depth: number): unknown[] {
    const result: unknown[] = [];
    const places: Places = new Map();
    this.places.set(result, places);
    this.at += 1;
    this.space();
    while (this.text[this.at] !== ']') {
      if (result.length > 0) this.expect(',');
      this.space();
      places.set(String(result.length), this.at);
      result.push(this.value(depth + 1));
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

/** Follows a pointer down from the root; undefined where it leads nowhere. */
function offsetIn(reader: Reader, root: unknown, pointer: string): number | undefined {
  let offset: number | undefined = reader.start;
  let holder: unknown = root;
  for (const step of pointer.split('/').slice(1)) {
    if (typeof holder !== 'object' || holder === null) return undefined;
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    offset = reader.places.get(holder)?.get(key);
    holder = Object.getOwnPropertyDescriptor(holder, key)?.value;
  }
  return offset;
}

/** Reads JSON and remembers where everything stands. At most 32 levels deep. Never throws. */
export function readJsonWithPositions(text: string): JsonReading {
  const reader = new Reader(text);
  try {
    const value = reader.document();
    const offsetOf = (pointer: string): number | undefined => offsetIn(reader, value, pointer);
    return { ok: true, json: { value, offsetOf, duplicates: reader.duplicates } };
  } catch (error) {
    if (error instanceof Stop) return { ok: false, fault: error.fault };
    throw error;
  }
}
