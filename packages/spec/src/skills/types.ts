import type { CacheScope, MetaObject } from '../base.ts';
import type { Resource } from '../resources.ts';

/** One file of a skill, and how to tell that it is the one that was meant. */
export interface SkillResourceEntry {
  uri: string;
  /** `sha256:` and 64 lower-case hexadecimal digits, over the raw bytes. */
  digest: string;
  /** Raw bytes. */
  size: number;
  [key: string]: unknown;
}

/** The frontmatter of a `SKILL.md` as JSON, with everything its author wrote. */
export interface SkillFrontmatter {
  name: string;
  description: string;
  [key: string]: unknown;
}

/** All files of a skill, or `dynamic` when there is nothing lasting to say of them. */
export type SkillResources = SkillResourceEntry[] | 'dynamic';

/** One skill, as lists and single answers carry it. */
export interface Skill {
  /** Of the skill's `SKILL.md`. Means something only together with the server it is from. */
  uri: string;
  frontmatter: SkillFrontmatter;
  resources: SkillResources;
  _meta?: MetaObject | undefined;
  [key: string]: unknown;
}

/** Who may keep an answer. */
export type SkillCacheScope = CacheScope;

/** Answer of `skills/list`; the caching members are there in modern revisions. */
export interface ListSkillsResult {
  skills: Skill[];
  nextCursor?: string | undefined;
  ttlMs: number;
  cacheScope: SkillCacheScope;
  _meta?: MetaObject | undefined;
  [key: string]: unknown;
}

/** Answer of `skills/get`. */
export interface GetSkillResult {
  skill: Skill;
  ttlMs: number;
  cacheScope: SkillCacheScope;
  _meta?: MetaObject | undefined;
  [key: string]: unknown;
}

/** A child of a folder. */
export interface DirectoryResource extends Resource {
  [key: string]: unknown;
}

/** Answer of `resources/directory/read`. */
export interface ReadResourceDirectoryResult {
  resources: DirectoryResource[];
  nextCursor?: string | undefined;
  ttlMs: number;
  cacheScope: SkillCacheScope;
  _meta?: MetaObject | undefined;
  [key: string]: unknown;
}

/** What a server declares under the id of the extension. */
export interface SkillsCapability {
  /** Whether folders can be read. */
  directoryRead?: boolean | undefined;
  [key: string]: unknown;
}
