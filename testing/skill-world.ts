import { createHash } from 'node:crypto';
import { ProtocolError } from '@portico/rpc';
import { Client } from '@portico/client';
import type { ClientOptions } from '@portico/client';
import { SkillsClient } from '@portico/client/ext/skills';
import type { Skill, SkillResourceEntry, SkillsClientOptions } from '@portico/client/ext/skills';
import { createManualClock } from './manual-clock.ts';
import type { ManualClock } from './manual-clock.ts';
import { createScriptedServer, discovered } from './scripted-server.ts';
import type { ScriptedAnswer, ScriptedServer } from './scripted-server.ts';

export const SKILLS_ID = 'io.modelcontextprotocol/skills';

/** What an entry says of a file. */
export function listed(uri: string, content: string | Uint8Array): SkillResourceEntry {
  const bytes = Buffer.from(content);
  return { uri, digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`, size: bytes.length };
}

/** A `SKILL.md`. */
export const skillText = (name: string, more = '', body = 'Text\n'): string =>
  `---\nname: ${name}\ndescription: About ${name}\n${more}---\n\n${body}`;

/** The entry of a skill that has these files, by URI below its folder; `SKILL.md` is added. */
export function skillOf(
  root: string,
  files: Readonly<Record<string, string | Uint8Array>> = {},
  frontmatter: Readonly<Record<string, unknown>> = {},
): Skill {
  const name = root.slice(root.lastIndexOf('/') + 1);
  const all = { 'SKILL.md': skillText(name), ...files };
  return {
    uri: `${root}/SKILL.md`,
    frontmatter: { name, description: `About ${name}`, ...frontmatter },
    resources: Object.entries(all).map(([path, content]) => listed(`${root}/${path}`, content)),
  };
}

export interface SkillWorld {
  readonly client: Client;
  readonly skills: SkillsClient;
  readonly server: ScriptedServer;
  readonly clock: ManualClock;
  /** URIs that were asked for by `resources/read`. */
  reads(): string[];
}

export interface SkillScript {
  readonly era?: 'legacy' | 'modern';
  /** What stands under the id of the extension; undefined for no declaration. */
  readonly declared?: unknown;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
  /** Contents by URI. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly answers?: Readonly<Record<string, ScriptedAnswer>>;
  readonly options?: SkillsClientOptions;
  readonly clientOptions?: ClientOptions;
}

const CACHING = { ttlMs: 5000, cacheScope: 'private' };

/** A result with the caching fields of modern wires. */
export const cached = (result: Record<string, unknown>): Record<string, unknown> => ({
  ...result,
  ...CACHING,
});

/** The content of one file as an answer. */
export function contents(uri: string, content: string | Uint8Array): Record<string, unknown> {
  const body =
    typeof content === 'string' ? { text: content } : { blob: Buffer.from(content).toString('base64') };
  return { contents: [{ uri, ...body }] };
}

/** A client that is connected to a server of skills, which answers as the test says. */
export async function openSkills(script: SkillScript = {}): Promise<SkillWorld> {
  const { era = 'modern', files = {}, answers = {}, declared = {} } = script;
  const clock = createManualClock();
  const extensions = 'extensions' in script ? script.extensions : { [SKILLS_ID]: declared };
  const capabilities = { resources: {}, ...(extensions === undefined ? {} : { extensions }) };
  const probe: Record<string, ScriptedAnswer> =
    era === 'modern' ? { 'server/discover': () => discovered(capabilities) } : {};
  const server = await createScriptedServer({
    clock,
    capabilities,
    answers: {
      ...probe,
      'resources/read': ({ uri }) => {
        const content = files[String(uri)];
        if (content === undefined) throw new ProtocolError(-32602, 'no such file');
        return contents(String(uri), content);
      },
      ...answers,
    },
  });
  const client = new Client(
    { name: 'test', version: '1' },
    { clock, versionNegotiation: { mode: 'auto' }, ...script.clientOptions },
  );
  await client.connect(server.transport);
  return {
    client,
    server,
    clock,
    skills: new SkillsClient(client, script.options),
    reads: () =>
      server.messages
        .filter(({ method }) => method === 'resources/read')
        .map(({ params }) => String(params?.['uri'])),
  };
}
