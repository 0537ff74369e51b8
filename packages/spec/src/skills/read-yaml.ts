import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Node } from 'yaml';

/** Deepest nesting of a frontmatter. */
const MAX_DEPTH = 32;

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
  try {
    // Repeated keys are found below, in one pass; the library compares each with each.
    const document = parseDocument(text, {
      schema: 'core',
      version: '1.2',
      merge: false,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
    });
    const [error] = [...document.errors, ...document.warnings];
    if (error !== undefined) return { fault: `the frontmatter is no YAML that is read here: ${error.code}` };
    if (document.directives?.docStart === true) return { fault: 'the frontmatter has a document mark' };
    return { value: toJson(document.contents as Node | null, 0) };
  } catch (error) {
    if (error instanceof Refusal) return { fault: error.fault };
    // The library recurses; a text that is deep enough exhausts the stack before its depth is known.
    if (error instanceof RangeError) return { fault: 'the frontmatter is nested too deeply' };
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
