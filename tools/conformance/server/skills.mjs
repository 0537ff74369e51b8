// @ts-check
import { SkillsExtension, memorySkillFiles } from '@portico/server/ext/skills';

/** @param {string} name @param {string} description */
const skill = (name, description) =>
  `---\nname: ${name}\ndescription: ${description}\nmetadata:\n  version: "1.0"\n---\n\n# ${name}\n`;

/** Skills with folders, files of several kinds and one skill inside another, on pages of two. */
export function loadSkills() {
  const files = memorySkillFiles({
    'forms/SKILL.md': skill('forms', 'Fills in forms'),
    'forms/references/FIELDS.md': '# Fields\n',
    'forms/scripts/fill.py': 'print("filled")\n',
    'forms/templates/regional/invoice.md': '# Invoice\n',
    'forms/logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
    'team/release/SKILL.md': skill('release', 'Releases a version'),
    'team/release/notes/SKILL.md': skill('notes', 'Writes the notes of a release'),
  });
  return SkillsExtension.load(files, { pageSize: 2, cacheHint: { ttlMs: 60_000, cacheScope: 'public' } });
}
