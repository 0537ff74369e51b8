import { isRecord } from '@portico/spec';
import { frontmatterDifferences, readFrontmatter, sha256Digest, splitSkillFile } from '@portico/spec/skills';
import type { Skill, SkillResourceEntry } from '@portico/spec/skills';
import { textOf } from './skill-content.ts';
import type { SkillContent } from './skill-content.ts';
import { SkillVerificationError } from './skill-verification-error.ts';

/** Reads the YAML of a frontmatter. May throw. */
export type ParseFrontmatter = (yaml: string) => Record<string, unknown>;

/** Holds a file against its entry. @throws SkillVerificationError `size`, `digest` */
export async function checkBytes(
  bytes: Uint8Array,
  { uri, size, digest }: SkillResourceEntry,
): Promise<void> {
  if (bytes.length !== size) {
    const message = `${uri} has ${String(bytes.length)} bytes where its entry says ${String(size)}`;
    throw new SkillVerificationError('size', uri, message);
  }
  if ((await sha256Digest(bytes)) !== digest) {
    throw new SkillVerificationError('digest', uri, `${uri} has other bytes than its entry says`);
  }
}

/** What a `SKILL.md` says, apart from and beside its frontmatter. */
export interface SkillInstructions {
  readonly frontmatter: Record<string, unknown>;
  readonly body: string;
  readonly text: string;
}

/** Holds a `SKILL.md` against the frontmatter of its entry. @throws SkillVerificationError `frontmatter` */
export async function checkInstructions(
  content: SkillContent,
  { uri, frontmatter: expected }: Skill,
  parse: ParseFrontmatter | undefined,
): Promise<SkillInstructions> {
  const text = textOf(content);
  if (text === undefined) throw unreadable(uri, 'the file is no text in UTF-8');
  const split = splitSkillFile(text);
  if (typeof split === 'string') throw unreadable(uri, split);
  const frontmatter = await parsed(uri, split.yaml, parse);
  const differences = frontmatterDifferences(frontmatter, expected);
  if (differences.length > 0) {
    const message = `the frontmatter of ${uri} is not that of its entry: ${differences.join(', ')}`;
    throw new SkillVerificationError('frontmatter', uri, message, differences);
  }
  return { frontmatter, body: split.body, text };
}

async function parsed(
  uri: string,
  yaml: string,
  parse: ParseFrontmatter | undefined,
): Promise<Record<string, unknown>> {
  if (parse === undefined) {
    const read = await readFrontmatter(yaml);
    if ('fault' in read) throw unreadable(uri, read.fault);
    return read.value;
  }
  let value: unknown;
  try {
    value = parse(yaml);
  } catch (cause) {
    throw unreadable(uri, 'the frontmatter could not be read', { cause });
  }
  if (isRecord(value)) return { ...value };
  throw unreadable(uri, 'the frontmatter is no mapping of names to values');
}

function unreadable(uri: string, fault: string, options?: ErrorOptions): SkillVerificationError {
  return new SkillVerificationError('frontmatter', uri, `${uri}: ${fault}`, [fault], options);
}
