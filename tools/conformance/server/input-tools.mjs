// @ts-check
import { randomUUID } from 'node:crypto';
import { inputRequired, inputResponse } from '@portico/server';
import { z } from 'zod';
import { requestStates } from './request-state.mjs';
import { said } from './samples.mjs';

/**
 * @typedef {import('@portico/server').ServerContext} ServerContext
 */

/**
 * A form with one field.
 * @param {string} message
 * @param {z.ZodType} [type]
 */
const form = (message, field = 'name', type = z.string()) =>
  inputRequired.elicit({ message, requestedSchema: z.object({ [field]: type }) });

/** @param {string} question @param {number} maxTokens */
const prompt = (question, maxTokens) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens,
  });

/**
 * One field of an accepted form.
 * @param {ServerContext} context
 * @param {string} key
 */
function fieldOf({ mcpReq }, key, field = 'name') {
  const answer = inputResponse(mcpReq.inputResponses, key);
  return answer.kind === 'elicit' && answer.action === 'accept' ? answer.content?.[field] : undefined;
}

/** State that no two answers share. @param {Readonly<Record<string, unknown>>} value */
const mint = (value) => requestStates.mint({ ...value, nonce: randomUUID() });

/**
 * Tools and a prompt that need input of the client before they can finish.
 * @param {import('@portico/server').McpServer} mcp
 */
export function registerInputTools(mcp) {
  registerOneQuestion(mcp);
  registerStateful(mcp);
  registerSeveralQuestions(mcp);
  registerCapabilityBound(mcp);
}

/** @param {import('@portico/server').McpServer} mcp */
function registerOneQuestion(mcp) {
  mcp.registerTool(
    'test_input_required_result_elicitation',
    { description: 'Asks for a name' },
    (context) => {
      const name = fieldOf(context, 'user_name');
      if (typeof name === 'string') return said(`Hello, ${name}!`);
      return inputRequired({ inputRequests: { user_name: form('What is your name?') } });
    },
  );
  mcp.registerTool('test_input_required_result_sampling', { description: 'Asks the model' }, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (answer.kind === 'sampling') return said(JSON.stringify(answer.result.content));
    const question = prompt('What is the capital of France?', 100);
    return inputRequired({ inputRequests: { capital_question: question } });
  });
  mcp.registerTool(
    'test_input_required_result_list_roots',
    { description: 'Asks for roots' },
    ({ mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, 'client_roots');
      if (answer.kind === 'roots') return said(answer.roots.map(({ uri }) => uri).join(', '));
      return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    },
  );
  mcp.registerPrompt('test_input_required_result_prompt', { description: 'Asks for context' }, (context) => {
    const text = fieldOf(context, 'user_context', 'context');
    if (typeof text !== 'string') {
      const question = form('In which context?', 'context');
      return inputRequired({ inputRequests: { user_context: question } });
    }
    return { messages: [{ role: 'user', content: { type: 'text', text: `In this context: ${text}` } }] };
  });
}

/** @param {import('@portico/server').McpServer} mcp */
function registerStateful(mcp) {
  for (const name of ['request_state', 'tampered_state']) {
    const description = 'Asks, and wants its state back untouched';
    mcp.registerTool(`test_input_required_result_${name}`, { description }, async (context) => {
      const state = context.mcpReq.requestState();
      const confirmed = fieldOf(context, 'confirm', 'ok') !== undefined;
      if (state !== undefined && confirmed) return said('state-ok: the state came back as it was made');
      return inputRequired({
        inputRequests: { confirm: form('Please confirm', 'ok', z.boolean()) },
        requestState: await mint({ tool: name }),
      });
    });
  }
  mcp.registerTool(
    'test_input_required_result_multi_round',
    { description: 'Asks twice' },
    async (context) => {
      const state = context.mcpReq.requestState();
      const { round, name } = z
        .object({ round: z.number(), name: z.string().optional() })
        .catch({ round: 0 })
        .parse(state);
      if (round === 0) {
        return inputRequired({
          inputRequests: { step1: form('What is your name?') },
          requestState: await mint({ round: 1 }),
        });
      }
      if (round === 1) {
        return inputRequired({
          inputRequests: { step2: form('Which colour do you like?', 'color') },
          requestState: await mint({ round: 2, name: String(fieldOf(context, 'step1')) }),
        });
      }
      return said(`${name} likes ${String(fieldOf(context, 'step2', 'color'))}`);
    },
  );
}

/** @param {import('@portico/server').McpServer} mcp */
function registerSeveralQuestions(mcp) {
  const description = 'Asks the person, the model and for roots at once';
  mcp.registerTool('test_input_required_result_multiple_inputs', { description }, async (context) => {
    const { inputResponses } = context.mcpReq;
    const name = fieldOf(context, 'user_name');
    const greeting = inputResponse(inputResponses, 'greeting');
    const roots = inputResponse(inputResponses, 'client_roots');
    if (typeof name === 'string' && greeting.kind === 'sampling' && roots.kind === 'roots') {
      return said(`${JSON.stringify(greeting.result.content)} to ${name} with ${roots.roots.length} roots`);
    }
    return inputRequired({
      inputRequests: {
        user_name: form('What is your name?'),
        greeting: prompt('Write a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await mint({ tool: 'multiple_inputs' }),
    });
  });
}

/** @param {import('@portico/server').McpServer} mcp */
function registerCapabilityBound(mcp) {
  mcp.registerTool(
    'test_input_required_result_capabilities',
    { description: 'Asks only what the client can answer' },
    ({ client, mcpReq }) => {
      if (mcpReq.inputResponses !== undefined) return said('Answered.');
      const { elicitation, sampling, roots } = client.capabilities;
      const inputRequests = {
        ...(elicitation === undefined ? {} : { user_name: form('What is your name?') }),
        ...(sampling === undefined ? {} : { greeting: prompt('Write a greeting', 50) }),
        ...(roots === undefined ? {} : { client_roots: inputRequired.listRoots() }),
      };
      if (Object.keys(inputRequests).length === 0) return said('This client answers no questions.');
      return inputRequired({ inputRequests });
    },
  );
  mcp.registerTool('test_missing_capability', { description: 'Needs a model' }, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'answer');
    if (answer.kind === 'sampling') return said('The model answered.');
    return inputRequired({ inputRequests: { answer: prompt('Say yes', 16) } });
  });
}
