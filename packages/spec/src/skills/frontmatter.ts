import { isRecord } from '../guards.ts';

/** Largest frontmatter, in UTF-16 units of its YAML: 16 KiB. */
const MAX_FRONTMATTER_LENGTH = 16 * 1024;

const OPENING = /^\uFEFF?---[\t ]*\r?\n/;
const CLOSING = /^---[\t ]*\r?$/m;

/** A `SKILL.md` taken apart. */
export interface SplitSkillFile {
  /** Between the lines of hyphens, with LF at the ends of lines. */
  readonly yaml: string;
  /** What follows, as it is. */
  readonly body: string;
}

/** Takes a `SKILL.md` apart; for one that cannot be, the reason as a phrase. */
export function splitSkillFile(text: string): SplitSkillFile | string {
  const opening = OPENING.exec(text);
  if (opening === null) return 'the file does not begin with a frontmatter';
  const rest = text.slice(opening[0].length);
  const closing = CLOSING.exec(rest);
  if (closing === null) return 'the frontmatter has no end';
  if (closing.index > MAX_FRONTMATTER_LENGTH) return 'the frontmatter is larger than 16 KiB';
  const yaml = rest.slice(0, closing.index).replaceAll('\r\n', '\n');
  const body = rest.slice(closing.index + closing[0].length).replace(/^\n/, '');
  return { yaml, body };
}

/** What a frontmatter says, or why it says nothing, as a phrase. */
export type ReadFrontmatter =
  | { readonly value: Readonly<Record<string, unknown>> }
  | { readonly fault: string };

/** Reads the YAML of a frontmatter. What reads YAML is loaded with the first one. */
export async function readFrontmatter(yaml: string): Promise<ReadFrontmatter> {
  const { readYaml } = await import('./read-yaml.ts');
  const read = readYaml(yaml);
  if ('fault' in read) return read;
  return isRecord(read.value)
    ? { value: read.value }
    : { fault: 'the frontmatter is no mapping of names to values' };
}

/** Longest name of a field in a difference, characters, and most differences that are told. */
const MAX_FIELD = 100;
const MAX_DIFFERENCES = 50;

/** One line for each field in which a file differs from its entry; nothing when they are equal. */
export function frontmatterDifferences(
  file: Readonly<Record<string, unknown>>,
  entry: Readonly<Record<string, unknown>>,
): string[] {
  const differences: string[] = [];
  for (const field of new Set([...Object.keys(entry), ...Object.keys(file)])) {
    const name = JSON.stringify(field.slice(0, MAX_FIELD));
    if (!Object.hasOwn(file, field)) differences.push(`${name} is not in the file`);
    else if (!Object.hasOwn(entry, field)) differences.push(`${name} is not in the entry`);
    else if (!isEqualJson(file[field], entry[field])) differences.push(`${name} differs`);
    if (differences.length === MAX_DIFFERENCES) break;
  }
  return differences;
}

function isEqualJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isEqualJson(item, other[index]))
    );
  }
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isEqualJson(one[key], other[key]));
}
