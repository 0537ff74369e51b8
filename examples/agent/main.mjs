// @ts-check
// The loop of an agent with a scripted model, which asks for two tools; one of them is denied.
import assert from 'node:assert/strict';
// #region agent
import { createSdkMcpServer, query, tool } from '@portico/agent';
import { z } from 'zod';

const clock = createSdkMcpServer({
  name: 'clock',
  tools: [
    tool('read', 'Tells the time', {}, async () => ({ content: [{ type: 'text', text: 'noon' }] })),
    tool('set', 'Changes the time', { to: z.string() }, async ({ to }) => ({
      content: [{ type: 'text', text: `set to ${to}` }],
    })),
  ],
});

/** @type {import('@portico/agent').CanUseTool} */
const canUseTool = async (name, input) =>
  name === 'mcp__clock__read'
    ? { behavior: 'allow', updatedInput: input }
    : { behavior: 'deny', message: 'Leave the clock alone.' };
// #endregion

/**
 * What the model says in its two turns: text, or calls of tools.
 * @typedef {{ text: string } | { id: string, tool: string, input: Record<string, unknown> }} Part
 * @type {Part[][]}
 */
const script = [
  [
    { id: 'first', tool: 'mcp__clock__read', input: {} },
    { id: 'second', tool: 'mcp__clock__set', input: { to: 'midnight' } },
  ],
  [{ text: 'It is noon.' }],
];

/** What the model was told, one entry a turn. @type {string[]} */
const told = [];

/**
 * An answer of the model as the events of a Messages stream, with the members that the loop reads.
 * @param {string} model
 * @param {Part[]} parts
 * @returns {AsyncGenerator<any>}
 */
async function* answer(model, parts) {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], usage };
  yield { type: 'message_start', message };
  for (const [index, part] of parts.entries()) {
    if ('text' in part) {
      yield { type: 'content_block_start', index, content_block: { type: 'text', text: '' } };
      yield { type: 'content_block_delta', index, delta: { type: 'text_delta', text: part.text } };
    } else {
      const call = { type: 'tool_use', id: part.id, name: part.tool, input: {} };
      const input = { type: 'input_json_delta', partial_json: JSON.stringify(part.input) };
      yield { type: 'content_block_start', index, content_block: call };
      yield { type: 'content_block_delta', index, delta: input };
    }
    yield { type: 'content_block_stop', index };
  }
  const reason = parts.some((part) => 'tool' in part) ? 'tool_use' : 'end_turn';
  yield { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage };
  yield { type: 'message_stop' };
}

// #region provider
/** @type {import('@portico/agent').ModelProvider} */
const provider = {
  name: 'scripted',
  defaultModel: 'scripted-1',
  stream({ model, messages }) {
    told.push(JSON.stringify(messages));
    return answer(model, script[told.length - 1] ?? []);
  },
};
// #endregion

// #region query
/** @type {import('@portico/agent').SDKResultMessage | undefined} */
let result;
const messages = query({
  prompt: 'What time is it?',
  options: { mcpServers: { clock }, canUseTool, portico: { provider } },
});
for await (const message of messages) if (message.type === 'result') result = message;
// #endregion

assert.ok(result?.subtype === 'success');
assert.equal(result.result, 'It is noon.');
assert.deepEqual(
  result.permission_denials.map(({ tool_name }) => tool_name),
  ['mcp__clock__set'],
);
assert.equal(told.length, 2);
assert.match(told[1] ?? '', /noon/);
assert.match(told[1] ?? '', /Leave the clock alone/);
assert.doesNotMatch(told[1] ?? '', /set to midnight/);
console.log(`${result.result} (${result.num_turns} turns, denied: mcp__clock__set)`);
