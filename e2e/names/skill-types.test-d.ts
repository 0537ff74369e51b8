import type * as OurClient from '@portico/client/ext/skills';
import type * as OurServer from '@portico/server/ext/skills';
import type * as OfficialClient from '@modelcontextprotocol/client/ext/skills';
import type * as OfficialServer from '@modelcontextprotocol/server/ext/skills';
import { expectTypeOf, it } from 'vitest';

/** Both types take each other's values. */
type Interchangeable<One, Other> = [One] extends [Other]
  ? [Other] extends [One]
    ? true
    : 'ours takes less'
  : 'ours gives more';

it('ext-S1 what the client gives and takes has the official types', () => {
  expectTypeOf<Interchangeable<OurClient.Skill, OfficialClient.Skill>>().toEqualTypeOf<true>();
  expectTypeOf<
    Interchangeable<OurClient.SkillResourceEntry, OfficialClient.SkillResourceEntry>
  >().toEqualTypeOf<true>();
  expectTypeOf<
    Interchangeable<OurClient.SkillResources, OfficialClient.SkillResources>
  >().toEqualTypeOf<true>();
  expectTypeOf<
    Interchangeable<OurClient.SkillFrontmatter, OfficialClient.SkillFrontmatter>
  >().toEqualTypeOf<true>();
  expectTypeOf<
    Interchangeable<OurClient.SkillsCapability, OfficialClient.SkillsCapability>
  >().toEqualTypeOf<true>();
  expectTypeOf<OurClient.SkillCacheScope>().toEqualTypeOf<OfficialClient.SkillCacheScope>();
  expectTypeOf<OurClient.SkillListing>().toExtend<OfficialClient.SkillListing>();
  expectTypeOf<OurClient.SkillFile>().toEqualTypeOf<OfficialClient.SkillFile>();
  expectTypeOf<OurClient.InvalidSkillEntry>().toEqualTypeOf<OfficialClient.InvalidSkillEntry>();
  expectTypeOf<OfficialClient.SkillsClientOptions>().toExtend<OurClient.SkillsClientOptions>();
  expectTypeOf<OfficialClient.SkillVerificationReason>().toExtend<OurClient.SkillVerificationReason>();
  expectTypeOf<OurClient.DirectoryResource>().toHaveProperty('uri');
  expectTypeOf<OurClient.ListSkillsResult>().toHaveProperty('nextCursor');
  expectTypeOf<OurClient.GetSkillResult>().toHaveProperty('ttlMs');
  expectTypeOf<OurClient.ReadResourceDirectoryResult>().toHaveProperty('resources');
});

it('ext-S1 what the server gives and takes has the official types', () => {
  expectTypeOf<OurServer.SkillWarning>().toEqualTypeOf<OfficialServer.SkillWarning>();
  expectTypeOf<OurServer.SkillFileEntry>().toEqualTypeOf<OfficialServer.SkillFileEntry>();
  expectTypeOf<Interchangeable<OurServer.SkillFiles, OfficialServer.SkillFiles>>().toEqualTypeOf<true>();
  expectTypeOf<OurServer.SkillReadResult>().toEqualTypeOf<OfficialServer.SkillReadResult>();
  expectTypeOf<OurServer.SkillCatalogChanges>().toEqualTypeOf<OfficialServer.SkillCatalogChanges>();
  expectTypeOf<
    Interchangeable<OurServer.SkillCatalogOptions, OfficialServer.SkillCatalogOptions>
  >().toEqualTypeOf<true>();
  expectTypeOf<keyof OurServer.SkillSource>().toEqualTypeOf<keyof OfficialServer.SkillSource>();
  expectTypeOf<keyof OurServer.SkillSourceOptions>().toEqualTypeOf<keyof OfficialServer.SkillSourceOptions>();
  expectTypeOf<keyof OurServer.SkillsOptions>().toEqualTypeOf<keyof OfficialServer.SkillsOptions>();
});
