export {
  DIRECTORY_MIME_TYPE,
  RESOURCES_DIRECTORY_READ_METHOD,
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
  SKILL_LIMITS,
} from '@portico/spec/skills';
export type {
  DirectoryResource,
  GetSkillResult,
  ListSkillsResult,
  ReadResourceDirectoryResult,
  Skill,
  SkillCacheScope,
  SkillFrontmatter,
  SkillResourceEntry,
  SkillResources,
  SkillsCapability,
} from '@portico/spec/skills';
export type { ParseFrontmatter } from './skill-check.ts';
export type { InvalidSkillEntry } from './skill-entries.ts';
export type { SkillLimits } from './skill-limits.ts';
export { SkillVerificationError } from './skill-verification-error.ts';
export type { SkillVerificationReason } from './skill-verification-error.ts';
export { SkillsClient } from './skills-client.ts';
export type { SkillFile, SkillListing, SkillsClientOptions } from './skills-client.ts';
