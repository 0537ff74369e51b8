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
export { memorySkillFiles } from './memory-skill-files.ts';
export { SkillCatalogError } from './skill-catalog-error.ts';
export { skillEntry } from './skill-entry.ts';
export { SkillCatalog, SkillsExtension } from './skills-extension.ts';
export type {
  SkillCatalogChanges,
  SkillCatalogOptions,
  SkillFileEntry,
  SkillFiles,
  SkillReadResult,
  SkillSource,
  SkillSourceOptions,
  SkillsOptions,
  SkillWarning,
} from './types.ts';
