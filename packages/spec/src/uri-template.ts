import { SdkError } from './sdk-errors.ts';

/** Values of template variables; a list where the template explodes or repeats one. */
export type Variables = Record<string, string | string[]>;

interface Expression {
  readonly operator: string;
  readonly names: readonly TemplateVariable[];
  /** The same by name, so that many pairs of a query find their variables among many. */
  readonly byName: ReadonlyMap<string, TemplateVariable>;
}

interface TemplateVariable {
  readonly name: string;
  readonly explode: boolean;
}

type Part = string | Expression;

/** Longest accepted template, URI and value, in characters. */
const MAX_TEMPLATE_LENGTH = 1_000_000;
/** Most expressions in one template. */
const MAX_EXPRESSIONS = 10_000;

/** First character and separator per operator of RFC 6570, section 3.2.1. */
const OPERATORS: Readonly<Record<string, { first: string; separator: string; named: boolean }>> = {
  '': { first: '', separator: ',', named: false },
  '+': { first: '', separator: ',', named: false },
  '#': { first: '#', separator: ',', named: false },
  '.': { first: '.', separator: '.', named: false },
  '/': { first: '/', separator: '/', named: false },
  ';': { first: ';', separator: ';', named: true },
  '?': { first: '?', separator: '&', named: true },
  '&': { first: '&', separator: '&', named: true },
};

/**
 * A URI template (RFC 6570) that can be filled in and matched. Matching never backtracks and takes time
 * in proportion to template and URI (rule W159); a value crosses a `/` only under the operators `+`
 * and `#`.
 */
export class UriTemplate {
  /** Whether the text has an expression in braces. */
  static isTemplate(text: string): boolean {
    return /\{[^{}\s]+\}/.test(text.slice(0, MAX_TEMPLATE_LENGTH));
  }

  readonly #text: string;
  readonly #parts: readonly Part[];

  /** @throws SdkError `INVALID_URI_TEMPLATE` for unclosed, empty or oversized templates */
  constructor(template: string) {
    this.#text = template;
    this.#parts = parse(template);
  }

  /** The names of all variables, in order of appearance. */
  get variableNames(): string[] {
    return this.#parts.flatMap((part) =>
      typeof part === 'string' ? [] : part.names.map((entry) => entry.name),
    );
  }

  toString(): string {
    return this.#text;
  }

  /**
   * Fills the template in; variables without a value are left out.
   * @throws SdkError `INVALID_URI_TEMPLATE` for values of more than 1,000,000 characters
   */
  expand(variables: Variables): string {
    return this.#parts
      .map((part) => (typeof part === 'string' ? part : expandExpression(part, variables)))
      .join('');
  }

  /** The decoded variables of a URI that this template describes, or null for any other URI. */
  match(uri: string): Variables | null {
    if (uri.length > MAX_TEMPLATE_LENGTH) return null;
    const variables: Variables = Object.create(null) as Variables;
    const places = new Places(uri);
    let position = 0;
    for (const [index, part] of this.#parts.entries()) {
      if (typeof part === 'string') {
        if (!uri.startsWith(part, position)) return null;
        position += part.length;
        continue;
      }
      const end = endOfExpression(places, {
        position,
        part,
        next: this.#parts[index + 1],
        isLast: index + 2 === this.#parts.length,
      });
      if (end === null || !readExpression(part, uri.slice(position, end), variables)) return null;
      position = end;
    }
    return position === uri.length ? { ...variables } : null;
  }
}

function parse(template: string): Part[] {
  if (template.length > MAX_TEMPLATE_LENGTH) throw refused('it is too long');
  const parts: Part[] = [];
  let expressions = 0;
  let position = 0;
  while (position < template.length) {
    const open = template.indexOf('{', position);
    if (open === -1) {
      parts.push(template.slice(position));
      break;
    }
    if (open > position) parts.push(template.slice(position, open));
    const close = template.indexOf('}', open);
    if (close === -1) throw refused('an expression is not closed');
    if (++expressions > MAX_EXPRESSIONS) throw refused('it has too many expressions');
    parts.push(parseExpression(template.slice(open + 1, close)));
    position = close + 1;
  }
  return parts;
}

function parseExpression(text: string): Expression {
  const first = text.charAt(0);
  const operator = first !== '' && Object.hasOwn(OPERATORS, first) ? first : '';
  const names = text
    .slice(operator.length)
    .split(',')
    .map((entry) => entry.trim())
    .map((entry) => ({
      name: entry.replace(/\*$/, '').replace(/:\d+$/, ''),
      explode: entry.endsWith('*'),
    }));
  if (names.some((entry) => entry.name === '')) throw refused('an expression has no name');
  return { operator, names, byName: new Map(names.map((entry) => [entry.name, entry])) };
}

function refused(reason: string): SdkError {
  return new SdkError('INVALID_URI_TEMPLATE', { message: `the URI template is refused: ${reason}` });
}

function operatorOf(part: Expression): { first: string; separator: string; named: boolean } {
  return OPERATORS[part.operator] ?? { first: '', separator: ',', named: false };
}

function expandExpression(part: Expression, variables: Variables): string {
  const { first, separator, named } = operatorOf(part);
  const reserved = part.operator === '+' || part.operator === '#';
  const encode = (value: string): string => {
    if (value.length > MAX_TEMPLATE_LENGTH) throw refused('a value is too long');
    // Halves of characters have no UTF-8 form.
    const whole = value.replace(/\p{Surrogate}/gu, '\uFFFD');
    return reserved ? encodeURI(whole) : encodeURIComponent(whole);
  };
  const pieces = part.names.flatMap(({ name, explode }) => {
    if (!Object.hasOwn(variables, name)) return [];
    const value = variables[name];
    if (value === undefined) return [];
    const values = (Array.isArray(value) ? value : [value]).map(encode);
    const label = named ? `${name}=` : '';
    return explode ? values.map((entry) => label + entry) : [label + values.join(',')];
  });
  return pieces.length === 0 ? '' : first + pieces.join(separator);
}

interface Scan {
  readonly position: number;
  readonly part: Expression;
  readonly next: Part | undefined;
  /** Whether nothing follows `next`. */
  readonly isLast: boolean;
}

/** Where single characters stand in a text that is read from left to right, each sought but once. */
class Places {
  readonly text: string;
  readonly #known = new Map<string, number>();

  constructor(text: string) {
    this.text = text;
  }

  /** The first place of a character at or after one that never moves back; the length when there is none. */
  next(character: string, from: number): number {
    const known = this.#known.get(character);
    if (known !== undefined && known >= from) return known;
    const found = this.text.indexOf(character, from);
    const place = found === -1 ? this.text.length : found;
    this.#known.set(character, place);
    return place;
  }
}

/** Characters that end a value, per operator. */
const STOPS: Readonly<Record<string, string>> = {
  '': '/?#',
  '.': '/?#',
  '/': '?#',
  ';': '/?#',
  '?': '#',
  '&': '#',
  '+': '',
  '#': '',
};

/**
 * Where the text of an expression ends: at the literal that follows, at a character its operator
 * does not allow, or at the end. Before the last literal it is anchored at the end.
 */
function endOfExpression(places: Places, { position, part, next, isLast }: Scan): number | null {
  const { text } = places;
  let end = text.length;
  if (typeof next === 'string') {
    end = isLast && text.endsWith(next) ? text.length - next.length : indexOfLiteral(text, next, position);
    if (end < position) return null;
  } else if (next !== undefined) {
    const { first } = operatorOf(next);
    if (first !== '') end = places.next(first, position + operatorOf(part).first.length);
  }
  const from = position + operatorOf(part).first.length;
  for (const stop of STOPS[part.operator] ?? '') end = Math.min(end, places.next(stop, from));
  return Math.max(end, position);
}

/** Longest literal that is left to the engine's search, whose worst case is the product of both lengths. */
const SHORT_LITERAL = 32;

/** As `indexOf`, in time that is the sum of both lengths for any literal (Knuth, Morris and Pratt). */
function indexOfLiteral(text: string, literal: string, from: number): number {
  if (literal.length <= SHORT_LITERAL) return text.indexOf(literal, from);
  const overlaps = overlapsOf(literal);
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (matched > 0 && literal.charCodeAt(matched) !== code) matched = overlaps[matched - 1] ?? 0;
    if (literal.charCodeAt(matched) === code) matched += 1;
    if (matched === literal.length) return at - matched + 1;
  }
  return -1;
}

/** For each beginning of a text, how much of it is also its end. */
function overlapsOf(text: string): Uint32Array {
  const overlaps = new Uint32Array(text.length);
  let overlap = 0;
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (overlap > 0 && text.charCodeAt(overlap) !== code) overlap = overlaps[overlap - 1] ?? 0;
    if (text.charCodeAt(overlap) === code) overlap += 1;
    overlaps[at] = overlap;
  }
  return overlaps;
}

function readExpression(part: Expression, text: string, variables: Variables): boolean {
  const { first, separator, named } = operatorOf(part);
  if (named) return readNamed(part, { text, first, separator, variables });
  if (!text.startsWith(first)) return false;
  const body = text.slice(first.length);
  if (body === '') return false;
  const [only] = part.names;
  if (part.names.length === 1 && only !== undefined) {
    if (only.explode) variables[only.name] = body.split(separator).map(decode);
    else if (part.operator === '/' && body.includes('/')) return false;
    else variables[only.name] = decode(body);
    return true;
  }
  const values = body.split(separator);
  if (values.length > part.names.length) return false;
  for (const [index, value] of values.entries()) {
    const entry = part.names[index];
    if (entry !== undefined) variables[entry.name] = decode(value);
  }
  return true;
}

interface NamedText {
  readonly text: string;
  readonly first: string;
  readonly separator: string;
  readonly variables: Variables;
}

/** Query-like expressions may be absent, in any order, and may leave variables out. */
function readNamed(part: Expression, { text, first, separator, variables }: NamedText): boolean {
  if (text === '') return true;
  if (!text.startsWith(first)) return false;
  for (const pair of text.slice(first.length).split(separator)) {
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const entry = part.byName.get(name);
    if (entry === undefined) continue;
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    const before = variables[name];
    if (!entry.explode) variables[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else variables[name] = [value];
  }
  return true;
}

/** Percent-decodes; text that is not valid percent encoding stays as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
