// @ts-check
import { z } from 'zod';
import { said } from './samples.mjs';

/**
 * Tools that send requests to the client while they run, which legacy revisions allow.
 * @param {import('@portico/server').McpServer} mcp
 */
export function registerAskingTools(mcp) {
  mcp.registerTool(
    'test_sampling',
    { description: "Asks the client's model", inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const { content } = await mcpReq.requestSampling({
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: 100,
      });
      return said(`The model said: ${JSON.stringify(content)}`);
    },
  );
  mcp.registerTool(
    'test_elicitation',
    { description: 'Asks the person', inputSchema: z.object({ message: z.string() }) },
    ({ message }, context) =>
      ask(context, message, {
        type: 'object',
        properties: { response: { type: 'string', description: 'What the person says' } },
        required: ['response'],
      }),
  );
  mcp.registerTool(
    'test_elicitation_sep1034_defaults',
    { description: 'Asks with a default in every field' },
    (context) => ask(context, 'Is this right?', DEFAULTS_FORM),
  );
  mcp.registerTool(
    'test_elicitation_sep1330_enums',
    { description: 'Asks with every kind of choice' },
    (context) => ask(context, 'Which ones?', CHOICES_FORM),
  );
}

/**
 * @typedef {import('@portico/spec').ElicitRequestFormParams['requestedSchema']} Form
 *
 * @param {import('@portico/server').ServerContext} context
 * @param {string} message
 * @param {Form} requestedSchema
 */
async function ask({ mcpReq }, message, requestedSchema) {
  const { action, content } = await mcpReq.elicitInput({ message, requestedSchema });
  return said(`The person chose ${action}: ${JSON.stringify(content ?? {})}`);
}

/** @type {Form} */
const DEFAULTS_FORM = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};

/** @param {string} name */
const titled = (name) =>
  ['first', 'second', 'third'].map((place, index) => ({
    const: `value${index + 1}`,
    title: `The ${place} ${name}`,
  }));

/** @type {Form} */
const CHOICES_FORM = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: titled('option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    },
    titledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { anyOf: titled('choice') } },
  },
};
