import { SKILL_FILE, SKILL_LIMITS } from '@portico/spec/skills';
import type { Skill } from '@portico/spec/skills';
import { layOut } from './catalog-tree.ts';
import type { CatalogTree, FoundSkill } from './catalog-tree.ts';
import { below, readScanned, scan, withDescendants } from './scan.ts';
import type { ScannedFolder } from './scan.ts';
import { SkillCatalogError, invalidOption } from './skill-catalog-error.ts';
import { buildEntry, encodePath, measure } from './skill-entry.ts';
import type { MeasuredFile } from './skill-entry.ts';
import type { SkillCatalogOptions, SkillFiles, SkillWarning } from './types.ts';
import type { Warn } from './warnings.ts';

/** Everything that one scan of a storage found; holds no contents. */
export interface BuiltCatalog extends CatalogTree {
  /** Sorted by URI, and frozen. */
  readonly entries: readonly Skill[];
}

/** Scans a storage. @throws SkillCatalogError when it fails, and under `strict` for any problem */
export async function buildCatalog(
  files: SkillFiles,
  options: SkillCatalogOptions,
  warn: Warn,
): Promise<BuiltCatalog> {
  const root = await scan(files);
  const builder = new Builder(files, options);
  for (const folder of withDescendants(root)) {
    if (folder.files.includes(SKILL_FILE)) await builder.add(folder);
  }
  const { problems, skills, measured, base } = builder;
  if (options.strict === true && problems.length > 0) throw new SkillCatalogError(problems);
  for (const problem of problems) warn(problem);
  const entries = skills
    .map(({ entry }) => deepFreeze(entry))
    .toSorted((one, other) => (one.uri < other.uri ? -1 : 1));
  return { ...layOut(skills, measured, base), entries: Object.freeze(entries) };
}

/** What stands before every path, with a slash at its end. @throws TypeError (`INVALID_SKILLS`) */
export function baseOf(prefix: string | undefined): string {
  if (prefix === undefined || prefix === '') return 'skill://';
  const encoded = encodePath(prefix);
  if (encoded !== undefined) return `skill://${encoded}/`;
  throw invalidOption(TypeError, 'prefix is no path');
}

class Builder {
  readonly problems: SkillWarning[] = [];
  readonly skills: FoundSkill[] = [];
  /** By path from the root; each file is read once, whoever contains it. */
  readonly measured = new Map<string, MeasuredFile>();
  readonly base: string;
  readonly #files: SkillFiles;
  readonly #options: SkillCatalogOptions;

  constructor(files: SkillFiles, options: SkillCatalogOptions) {
    this.#files = files;
    this.#options = options;
    this.base = baseOf(options.prefix);
  }

  async add(folder: ScannedFolder): Promise<void> {
    const tree = withDescendants(folder);
    const bad = tree.find(({ unsupported }) => unsupported.length > 0);
    if (folder.path === '') return this.#refuse('.', 'a SKILL.md needs a folder around it');
    if (bad !== undefined) {
      const path = below(bad.path, String(bad.unsupported[0]));
      return this.#refuse(folder.path, `${path} is no ordinary file or folder`);
    }
    const own: MeasuredFile[] = [];
    for (const { path, files } of tree) {
      for (const name of files) own.push(await this.#measure(below(path, name)));
    }
    const relative = own.map((file) => ({ ...file, path: file.path.slice(folder.path.length + 1) }));
    const root = this.base + String(encodePath(folder.path));
    const skillFile = await readScanned(this.#files, below(folder.path, SKILL_FILE));
    const entry = await buildEntry(root, relative, skillFile);
    if (typeof entry === 'string') return this.#refuse(folder.path, entry);
    this.#checkLimits(folder.path, own);
    this.skills.push({ entry, folder });
  }

  #refuse(path: string, message: string): void {
    this.problems.push({ path, message });
  }

  #checkLimits(path: string, own: readonly MeasuredFile[]): void {
    const { files = SKILL_LIMITS.files, bytes = SKILL_LIMITS.bytes } = this.#options.limits ?? {};
    const total = own.reduce((sum, { size }) => sum + size, 0);
    if (own.length > files) {
      this.#refuse(path, `it has ${String(own.length)} files; hosts need not take over ${String(files)}`);
    }
    if (total > bytes) {
      this.#refuse(path, `it has ${String(total)} bytes; hosts need not take over ${String(bytes)}`);
    }
  }

  async #measure(path: string): Promise<MeasuredFile> {
    const known = this.measured.get(path);
    if (known !== undefined) return known;
    const file = await measure(path, await readScanned(this.#files, path));
    this.measured.set(path, file);
    return file;
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
