import {
  SKILL_FILE,
  encodeSegment,
  losslessText,
  readFrontmatter,
  sha256Digest,
  skillFault,
  splitSkillFile,
  utf8Bytes,
} from '@portico/spec/skills';
import type { Skill, SkillResourceEntry } from '@portico/spec/skills';
import { SkillCatalogError } from './skill-catalog-error.ts';

/** What an entry says of a file, and where it lies below the skill's folder. */
export interface MeasuredFile {
  readonly path: string;
  readonly digest: string;
  readonly size: number;
}

export async function measure(path: string, bytes: Uint8Array): Promise<MeasuredFile> {
  return { path, digest: await sha256Digest(bytes), size: bytes.length };
}

/** A path as the end of a URI; undefined when a name on it cannot be one. */
export function encodePath(path: string): string | undefined {
  const segments = path.split('/').map(encodeSegment);
  return segments.includes(undefined) ? undefined : segments.join('/');
}

/** The skill's own file first, then by path. */
function inOrder(files: readonly MeasuredFile[]): MeasuredFile[] {
  const rank = ({ path }: MeasuredFile): string => (path === SKILL_FILE ? '' : path);
  return files.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
}

/**
 * Builds the entry of one skill; for one that breaks the rules, the reason as a phrase.
 * @param root URI of its folder
 */
export async function buildEntry(
  root: string,
  files: readonly MeasuredFile[],
  skillFile: Uint8Array,
): Promise<Skill | string> {
  const text = losslessText(skillFile);
  const split = text === undefined ? 'its SKILL.md is no text in UTF-8' : splitSkillFile(text);
  if (typeof split === 'string') return split;
  const read = await readFrontmatter(split.yaml);
  if ('fault' in read) return read.fault;
  const resources: SkillResourceEntry[] = [];
  for (const { path, digest, size } of inOrder(files)) {
    const encoded = encodePath(path);
    if (encoded === undefined) return `the name of ${JSON.stringify(path)} cannot be served`;
    resources.push({ uri: `${root}/${encoded}`, digest, size });
  }
  const entry = { uri: `${root}/${SKILL_FILE}`, frontmatter: read.value, resources };
  const fault = skillFault(entry);
  if (fault !== undefined) return fault;
  return entry as unknown as Skill;
}

/**
 * Builds an entry from the files of one skill, for sources that publish digests.
 *
 * @param skillPath path of the skill's folder, such as `acme/refunds`; its last name is the skill's
 * @param files contents by path below that folder, `SKILL.md` among them
 * @param options `baseUri` stands in front of the path; `skill://` by default
 * @throws SkillCatalogError (`INVALID_SKILLS`) that names the broken rule
 */
export async function skillEntry(
  skillPath: string,
  files: Record<string, string | Uint8Array>,
  options: { baseUri?: string } = {},
): Promise<Skill> {
  const encoded = encodePath(skillPath);
  const contents = new Map(Object.entries(files).map(([path, content]) => [path, bytesOf(content)]));
  const skillFile = contents.get(SKILL_FILE);
  if (encoded === undefined) throw faulty(skillPath, 'this is no path of a skill');
  if (skillFile === undefined) throw faulty(skillPath, 'it has no SKILL.md');
  const measured: MeasuredFile[] = [];
  for (const [path, bytes] of contents) measured.push(await measure(path, bytes));
  const entry = await buildEntry(`${options.baseUri ?? 'skill://'}${encoded}`, measured, skillFile);
  if (typeof entry === 'string') throw faulty(skillPath, entry);
  return entry;
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? utf8Bytes(content) : content;
}

function faulty(path: string, message: string): SkillCatalogError {
  return new SkillCatalogError([{ path, message }]);
}
