// @ts-check
import { Client, StreamableHTTPClientTransport } from '@portico/client';
import { SkillVerificationError, SkillsClient } from '@portico/client/ext/skills';
import { AUTH_SCENARIOS, signInScenario } from './auth-scenarios.mjs';

/**
 * What the suite says about one run.
 * @typedef {object} Setting
 * @property {URL} url of the suite's server
 * @property {string} version of the protocol that the run is about
 * @property {Readonly<Record<string, unknown>>} context data of the scenario
 *
 * @typedef {(setting: Setting) => Promise<void>} Scenario
 */

const MODERN = '2026-07-28';
const INFO = { name: 'portico-conformance', version: '1.0.0' };

/**
 * Connects as the revision of the run demands, and closes in the end.
 * @param {Setting} setting
 * @param {(client: Client) => Promise<unknown>} play
 * @param {{ capabilities?: import('@portico/spec').ClientCapabilities, prepare?: (client: Client) => void }} [options]
 */
async function withClient({ url, version }, play, { capabilities = {}, prepare } = {}) {
  const mode = version === MODERN ? 'auto' : 'legacy';
  const client = new Client(INFO, { capabilities, versionNegotiation: { mode } });
  prepare?.(client);
  await client.connect(new StreamableHTTPClientTransport(url));
  try {
    await play(client);
  } finally {
    await client.close();
  }
}

/** @type {Scenario} */
const connectAndList = (setting) => withClient(setting, (client) => client.listTools());

/**
 * Calls one tool.
 * @param {string} name
 * @param {Record<string, unknown>} [args]
 * @returns {Scenario}
 */
const callTool =
  (name, args = {}) =>
  (setting) =>
    withClient(setting, async (client) => {
      await client.listTools();
      await client.callTool({ name, arguments: args });
    });

/** @type {Scenario} */
const describeEachRequest = (setting) =>
  withClient(setting, (client) => client.listTools(), {
    capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} },
  });

/** Fills in nothing, so that what the form has as defaults is what the server gets. @type {Scenario} */
const acceptDefaults = (setting) =>
  withClient(setting, (client) => client.callTool({ name: 'test_client_elicitation_defaults' }), {
    capabilities: { elicitation: { form: { applyDefaults: true } } },
    prepare: (client) =>
      client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} })),
  });

/** @type {Scenario} */
const useEverything = (setting) =>
  withClient(setting, async (client) => {
    for (const { name } of (await client.listTools()).tools) await client.callTool({ name, arguments: {} });
    for (const { uri } of (await client.listResources()).resources) await client.readResource({ uri });
    for (const { name } of (await client.listPrompts()).prompts) await client.getPrompt({ name });
  });

/** Makes the calls that the suite hands over. @type {Scenario} */
const callAsTold = (setting) =>
  withClient(setting, async (client) => {
    await client.listTools();
    const calls = /** @type {{ name: string, arguments: Record<string, unknown> }[]} */ (
      setting.context['toolCalls']
    );
    for (const call of calls) await client.callTool(call);
  });

/** Tools that the client does not list are not there to be called. @type {Scenario} */
const callWhatIsListed = (setting) =>
  withClient(setting, async (client) => {
    const { tools } = await client.listTools();
    for (const { name } of tools) await client.callTool({ name, arguments: { region: 'us-west1' } });
  });

/** @type {Scenario} */
const answerQuestions = (setting) =>
  withClient(
    setting,
    async (client) => {
      await client.callTool({ name: 'test_mrtr_echo_state' });
      await client.callTool({ name: 'test_mrtr_no_state' });
      await client.callTool({ name: 'test_mrtr_unrelated' });
      await client.callTool({ name: 'test_mrtr_no_result_type' });
    },
    {
      capabilities: { elicitation: {} },
      prepare: (client) =>
        client.setRequestHandler('elicitation/create', () => ({
          action: 'accept',
          content: { confirmed: true },
        })),
    },
  );

/** Sends a schema back as it was listed. @type {Scenario} */
const returnSchema = (setting) =>
  withClient(setting, async (client) => {
    const { tools } = await client.listTools();
    const schema = tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema;
    await client.callTool({ name: 'json_schema_echo', arguments: { schema } });
  });

/** Looks at what there is and loads none of it. @type {Scenario} */
const listSkills = (setting) => withClient(setting, (client) => new SkillsClient(client).list());

/**
 * Loads the skills, each with all its files, which are to be refused for one reason.
 * @param {import('@portico/client/ext/skills').SkillVerificationReason} reason
 * @returns {Scenario}
 */
const refuseSkills = (reason) => (setting) =>
  withClient(setting, async (client) => {
    const skills = new SkillsClient(client);
    for (const skill of (await skills.list()).skills) {
      const refused = await loadSkill(skills, skill).catch((error) => error);
      if (!(refused instanceof SkillVerificationError) || refused.reason !== reason) throw refused;
    }
  });

/**
 * @param {SkillsClient} skills
 * @param {import('@portico/client/ext/skills').Skill} skill
 * @returns {Promise<never>}
 */
async function loadSkill(skills, skill) {
  await skills.read(skill);
  if (skill.resources !== 'dynamic') for (const { uri } of skill.resources) await skills.read(skill, uri);
  throw new TypeError(`${skill.uri} was taken`);
}

/** @type {ReadonlyMap<string, Scenario>} */
const SCENARIOS = new Map([
  ['initialize', connectAndList],
  ['tools_call', callTool('add_numbers', { a: 5, b: 3 })],
  ['elicitation-sep1034-client-defaults', acceptDefaults],
  ['sse-retry', callTool('test_reconnection')],
  ['request-metadata', describeEachRequest],
  ['sep-2322-client-request-state', answerQuestions],
  ['http-standard-headers', useEverything],
  ['http-custom-headers', callAsTold],
  ['http-invalid-tool-headers', callWhatIsListed],
  ['json-schema-ref-no-deref', connectAndList],
  ['json-schema-2020-12-preservation', returnSchema],
  ['sep-2640-client-no-prefetch', listSkills],
  ['sep-2640-client-verify-digest', refuseSkills('digest')],
  ['sep-2640-client-verify-size', refuseSkills('size')],
  ['sep-2640-client-verify-frontmatter', refuseSkills('frontmatter')],
  ...AUTH_SCENARIOS,
]);

/** What to do in a scenario; in one that we have nothing for, what any program would do. @param {string} name */
export const scenarioOf = (name) =>
  SCENARIOS.get(name) ?? (name.startsWith('auth/') ? signInScenario : callTool('test-tool'));
