// @ts-check
// A server that serves a folder of skills, and a host that lists, approves, loads and checks them.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { Client } from '@portico/client';
import { InMemoryTransport } from '@portico/server';
// #region serve
import { McpServer } from '@portico/server';
import { loadSkills } from '@portico/server/ext/skills/node';

const shelf = fileURLToPath(new URL('shelf', import.meta.url));
const catalog = await loadSkills(shelf, { cacheHint: { ttlMs: 300_000, cacheScope: 'public' } });

const server = new McpServer({ name: 'releases', version: '1.0.0' });
catalog.attach(server);
// #endregion

const [near, far] = InMemoryTransport.createLinkedPair();
await server.connect(far);
const client = new Client({ name: 'host', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(near);

// #region list
import { SkillVerificationError, SkillsClient } from '@portico/client/ext/skills';

const skills = new SkillsClient(client);
const { skills: entries, invalid } = await skills.list();
const offered = entries.map(({ frontmatter }) => `${frontmatter.name}: ${frontmatter.description}`);
// #endregion
assert.deepEqual(invalid, []);
assert.match(offered.join(), /^release-notes: Writes the notes/);

// #region load
const [entry] = entries;
assert(entry !== undefined);
// Ask the person here, about exactly these files, and say which server they are from.
const skill = await skills.read(entry);
const template = await skills.read(entry, 'templates/notes.md');
// #endregion
assert.equal(skill.verified && template.verified, true);
assert.match(skill.body ?? '', /# Release notes/);
assert.match(template.text ?? '', /## Mended/);

// #region refuse
/** @param {import('@portico/client/ext/skills').Skill} of @param {string} path */
async function outcomeOf(of, path) {
  try {
    await skills.read(of, path);
    return 'read';
  } catch (error) {
    if (error instanceof SkillVerificationError) return error.reason;
    throw error;
  }
}
// #endregion
assert.equal(await outcomeOf(entry, 'templates/other.md'), 'unlisted');
assert.equal(await outcomeOf(entry, '../secrets.txt'), 'unlisted');

// #region refresh
const { skill: current } = await skills.get(entry.uri);
const isAsApproved = JSON.stringify(current.resources) === JSON.stringify(entry.resources);
// #endregion
assert.equal(isAsApproved, true);

// #region folder
const { resources } = await skills.readDirectory('skill://release-notes/templates');
// #endregion
assert.deepEqual(
  resources.map(({ name }) => name),
  ['notes.md'],
);

// #region source
import { SkillsExtension, skillEntry } from '@portico/server/ext/skills';

/** @param {string} user */
const instructions = (user) => `---
name: greet
description: Greets ${user}
---

Say hello to ${user}.
`;
const own = new SkillsExtension({
  source: {
    list: async () => ({ skills: [] }),
    get: async (uri, context) =>
      uri === 'skill://greet/SKILL.md'
        ? skillEntry('greet', { 'SKILL.md': instructions(userOf(context)) })
        : undefined,
    read: async (uri, context) =>
      uri === 'skill://greet/SKILL.md' ? { text: instructions(userOf(context)) } : undefined,
  },
});
// #endregion

/** @param {import('@portico/server').ServerContext} context */
function userOf(context) {
  return context.client.info?.name ?? 'somebody';
}
const personal = new McpServer({ name: 'greetings', version: '1.0.0' });
own.attach(personal);
const [here, there] = InMemoryTransport.createLinkedPair();
await personal.connect(there);
const guest = new Client({ name: 'Ada', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await guest.connect(here);
const greetings = new SkillsClient(guest);
assert.deepEqual((await greetings.list()).skills, []);
const { skill: greet } = await greetings.get('skill://greet/SKILL.md');
assert.match((await greetings.read(greet)).body ?? '', /hello to Ada/);

await client.close();
await guest.close();
console.log(`loaded ${skill.uri} with ${template.uri}`);
