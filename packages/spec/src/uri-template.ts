import { SdkError } from './sdk-errors.ts';

/** Values of template variables; a list where the template explodes or repeats one. */
export type Variables = Record<string, string | string[]>;

interface Expression {
  readonly operator: string;
  readonly names: readonly { readonly name: string; readonly explode: boolean }[];
}

type Part = string | Expression;

/** Longest accepted template, in characters. */
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
 * A URI template (RFC 6570) that can be filled in and matched. Matching scans the URI once per
 * expression and never backtracks; a value crosses a `/` only under the operators `+` and `#`.
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

  /** Fills the template in; variables without a value are left out. */
  expand(variables: Variables): string {
    return this.#parts
      .map((part) => (typeof part === 'string' ? part : expandExpression(part, variables)))
      .join('');
  }

  /** The decoded variables of a URI that this template describes, or null for any other URI. */
  match(uri: string): Variables | null {
    if (uri.length > MAX_TEMPLATE_LENGTH) return null;
    const variables: Variables = Object.create(null) as Variables;
    let position = 0;
    for (const [index, part] of this.#parts.entries()) {
      if (typeof part === 'string') {
        if (!uri.startsWith(part, position)) return null;
        position += part.length;
        continue;
      }
      const end = endOfExpression(uri, { position, part, rest: this.#parts.slice(index + 1, index + 3) });
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
  return { operator, names };
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
  const encode = (value: string): string => (reserved ? encodeURI(value) : encodeURIComponent(value));
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
  readonly rest: readonly Part[];
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
 * does not allow, or at the end. A greedy expression before the last literal is anchored at the end.
 */
function endOfExpression(uri: string, { position, part, rest }: Scan): number | null {
  const [next, afterNext] = rest;
  let end = uri.length;
  if (typeof next === 'string') {
    const greedy = STOPS[part.operator] === '';
    const found = greedy && afterNext === undefined ? uri.lastIndexOf(next) : uri.indexOf(next, position);
    if (found < position) return null;
    end = found;
  } else if (next !== undefined) {
    const first = operatorOf(next).first;
    const found = first === '' ? -1 : uri.indexOf(first, position + operatorOf(part).first.length);
    if (found !== -1) end = found;
  }
  const stops = STOPS[part.operator] ?? '';
  const from = position + operatorOf(part).first.length;
  for (const stop of stops) {
    const found = uri.indexOf(stop, from);
    if (found !== -1 && found < end) end = found;
  }
  return Math.max(end, position);
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
    const entry = part.names.find((candidate) => candidate.name === name);
    if (entry === undefined) continue;
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    const before = variables[name];
    variables[name] = entry.explode ? [...(Array.isArray(before) ? before : []), value] : value;
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
