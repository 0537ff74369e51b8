/** Under this id a server declares that it serves skills. */
export const SKILLS_EXTENSION_ID = 'io.modelcontextprotocol/skills';
/** Lists the skills of a server. */
export const SKILLS_LIST_METHOD = 'skills/list';
/** Gets the entry of one skill, listed or not. */
export const SKILLS_GET_METHOD = 'skills/get';
/** Lists the children of a folder; only where the server declares `directoryRead`. */
export const RESOURCES_DIRECTORY_READ_METHOD = 'resources/directory/read';
/** The type of a resource that is a folder. */
export const DIRECTORY_MIME_TYPE = 'inode/directory';
/** What every host takes of one skill: files, and bytes of all of them together. */
export const SKILL_LIMITS: Readonly<{ files: number; bytes: number }> = Object.freeze({
  files: 512,
  bytes: 16 * 1024 * 1024,
});
/** The file that every skill has at its root. */
export const SKILL_FILE = 'SKILL.md';
