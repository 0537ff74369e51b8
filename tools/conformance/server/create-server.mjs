// @ts-check
import { McpServer } from '@portico/server';
import { registerAskingTools } from './asking-tools.mjs';
import { registerInputTools } from './input-tools.mjs';
import { registerPlainTools } from './plain-tools.mjs';
import { requestStates } from './request-state.mjs';
import { registerPrompts, registerResources } from './resources-and-prompts.mjs';
import { said } from './samples.mjs';
import { loadSkills } from './skills.mjs';
import { registerTaskTools } from './task-tools.mjs';

/** A server with everything that the suite's server scenarios look for. */
export async function createServer() {
  const mcp = new McpServer(
    { name: 'portico-conformance', version: '1.0.0' },
    {
      capabilities: { logging: {}, resources: { subscribe: true } },
      tasks: { pollIntervalMs: 100 },
      requestState: { verify: requestStates.verify },
    },
  );
  registerPlainTools(mcp);
  registerAskingTools(mcp);
  registerInputTools(mcp);
  registerTaskTools(mcp);
  registerResources(mcp);
  registerPrompts(mcp);
  registerTriggers(mcp);
  (await loadSkills()).attach(mcp);
  return mcp;
}

/**
 * Tools that change the lists, for those who listen.
 * @param {McpServer} mcp
 */
function registerTriggers(mcp) {
  const tool = mcp.registerTool('test_comes_and_goes', { description: 'Is not always there' }, () =>
    said('Still here.'),
  );
  const prompt = mcp.registerPrompt('test_comes_and_goes', { description: 'Is not always there' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Still here.' } }],
  }));
  const toggles = /** @type {const} */ ([
    ['test_trigger_tool_change', tool],
    ['test_trigger_prompt_change', prompt],
  ]);
  for (const [name, handle] of toggles) {
    mcp.registerTool(name, { description: 'Changes a list' }, () => {
      if (handle.enabled) handle.disable();
      else handle.enable();
      return said('Changed.');
    });
  }
}
