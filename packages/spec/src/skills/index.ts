export { skillsCapabilityOf } from './capability.ts';
export {
  DIRECTORY_MIME_TYPE,
  RESOURCES_DIRECTORY_READ_METHOD,
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
  SKILL_FILE,
  SKILL_LIMITS,
} from './constants.ts';
export { base64Bytes, losslessText, sha256Digest, toBase64, utf8Bytes } from './content-bytes.ts';
export { frontmatterDifferences, readFrontmatter, splitSkillFile } from './frontmatter.ts';
export type { ReadFrontmatter, SplitSkillFile } from './frontmatter.ts';
export { isSkill, isSkillName, skillFault } from './skill-fault.ts';
export { encodeSegment, resolveReference, skillPlaceOf, uriKey } from './skill-uri.ts';
export type { ReferencedFile, SkillPlace } from './skill-uri.ts';
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
} from './types.ts';
