import { Composer, Parser, isMap, isScalar, isSeq } from 'yaml';
import type { CST, Node } from 'yaml';
import { isRecord } from '../guards.ts';

/** Deepest nesting of a frontmatter. */
const MAX_DEPTH = 32;

/** Deepest nesting of tokens that is composed: a level of values may take several of tokens. */
const MAX_TOKEN_DEPTH = 128;
/** Most signs in front of the text of a line that could nest it. */
const MAX_COLUMNS = 128;

/**
 * The tokens of a text, unless they are nested so deeply that composing them could exhaust the stack. The
 * composer recurses, and the machine itself gives up, not only the call, when the stack ends inside a
 * regular expression. The parser keeps a stack of its own, and is kept from unwinding much at once.
 */
function tokensOf(text: string): CST.Token[] | undefined {
  if (hasDeepLine(text)) return undefined;
  const tokens = [...new Parser().parse(text)];
  const open: { readonly token: unknown; readonly depth: number }[] = tokens.map((token) => ({
    token,
    depth: 0,
  }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (!isRecord(token)) continue;
    if (depth > MAX_TOKEN_DEPTH) return undefined;
    const { value, key, items } = token;
    open.push({ token: value, depth: depth + 1 }, { token: key, depth: depth + 1 });
    // An item is no level by itself.
    if (Array.isArray(items)) for (const item of items) open.push({ token: item, depth });
  }
  return tokens;
}

/** Whether a line has very many indicators: each may open a level, of which all end at once. */
function hasDeepLine(text: string): boolean {
  return text.split('\n').some((line) => {
    const indentation = line.length - line.trimStart().length;
    if (indentation > MAX_COLUMNS) return true;
    let indicators = 0;
    for (const [index, character] of Array.from(line).entries()) {
      if (index > 0 && (character === ' ' || character === '\t') && '-?:'.includes(line.charAt(index - 1)))
        indicators += 1;
      if (character === '[' || character === '{') indicators += 1;
    }
    return indicators > MAX_COLUMNS;
  });
}

/** What a YAML document stands for in JSON, or why it stands for nothing, as a phrase. */
export type ReadYaml = { readonly value: unknown } | { readonly fault: string };

/** Something that is not read because two readers might read it differently, or because of its size. */
class Refusal {
  readonly fault: string;

  constructor(fault: string) {
    this.fault = fault;
  }
}

/**
 * Reads one YAML document with the types of the core schema. What JSON does not have, and what makes
 * small texts large (anchors, aliases, tags), is refused.
 */
export function readYaml(text: string): ReadYaml {
  const tokens = tokensOf(text);
  if (tokens === undefined) return { fault: 'the frontmatter is nested too deeply' };
  try {
    // Repeated keys are found below, in one pass; the library compares each with each.
    const settings = { schema: 'core', version: '1.2', merge: false, uniqueKeys: false } as const;
    const [document, second] = [...new Composer({ ...settings, prettyErrors: false }).compose(tokens)];
    if (document === undefined) return { value: null };
    if (second !== undefined) return { fault: 'the frontmatter has several documents' };
    const [error] = [...document.errors, ...document.warnings];
    if (error !== undefined) return { fault: `the frontmatter is no YAML that is read here: ${error.code}` };
    if (document.directives?.docStart === true) return { fault: 'the frontmatter has a document mark' };
    return { value: toJson(document.contents as Node | null, 0) };
  } catch (error) {
    if (error instanceof Refusal) return { fault: error.fault };
    throw error;
  }
}

function toJson(node: Node | null, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new Refusal(`the frontmatter is nested over ${MAX_DEPTH} levels`);
  if (node === null) return null;
  if ('anchor' in node && node.anchor !== undefined) throw new Refusal('the frontmatter has anchors');
  if ('tag' in node && node.tag !== undefined) throw new Refusal('the frontmatter has tags');
  if (isScalar(node)) return scalar(node.value);
  if (isSeq(node)) return node.items.map((item) => toJson(item as Node | null, depth + 1));
  if (!isMap(node)) throw new Refusal('the frontmatter has aliases');
  const record: Record<string, unknown> = {};
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? toJson(key, depth) : undefined;
    if (typeof name !== 'string') throw new Refusal('the frontmatter has a key that is no text');
    if (Object.hasOwn(record, name)) throw new Refusal('the frontmatter has a key twice');
    // An assignment to `__proto__` would set something else.
    Object.defineProperty(record, name, {
      value: toJson(value as Node | null, depth + 1),
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
  return record;
}

function scalar(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new Refusal('the frontmatter has a value that JSON does not have');
}
