// The loop of an agent with a model of four lines: it asks for two tools, one of which is denied.
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

const canUseTool = async (name, input) =>
  name.endsWith('read')
    ? { behavior: 'allow', updatedInput: input }
    : { behavior: 'deny', message: 'Leave the clock alone.' };
// #endregion

/** Plays answers in place of a model that costs money. */
function scriptedProvider(answers) {
  const told = [];
  return {
    told,
    name: 'scripted',
    defaultModel: 'scripted-1',
    async *stream({ messages }) {
      told.push(messages);
      const content = answers.shift();
      const usage = { input_tokens: 1, output_tokens: 1 };
      yield {
        type: 'message_start',
        message: { id: 'msg', type: 'message', role: 'assistant', model: 'scripted-1', content: [], usage },
      };
      for (const [index, block] of content.entries()) {
        const { input, text, ...start } = block;
        const begun = block.type === 'text' ? { ...start, text: '' } : { ...start, input: {} };
        yield { type: 'content_block_start', index, content_block: begun };
        const delta =
          block.type === 'text'
            ? { type: 'text_delta', text }
            : { type: 'input_json_delta', partial_json: JSON.stringify(input) };
        yield { type: 'content_block_delta', index, delta };
        yield { type: 'content_block_stop', index };
      }
      const stop_reason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
      yield { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage };
      yield { type: 'message_stop' };
    },
  };
}

const provider = scriptedProvider([
  [
    { type: 'tool_use', id: 'a', name: 'mcp__clock__read', input: {} },
    { type: 'tool_use', id: 'b', name: 'mcp__clock__set', input: { to: 'midnight' } },
  ],
  [{ type: 'text', text: 'It is noon.' }],
]);

// #region query
const messages = query({
  prompt: 'What time is it?',
  options: { mcpServers: { clock }, canUseTool, portico: { provider } },
});
let result;
for await (const message of messages) if (message.type === 'result') result = message;
// #endregion

const told = JSON.stringify(provider.told.at(-1));
assert.equal(result.result, 'It is noon.');
assert.match(told, /noon/);
assert.match(told, /Leave the clock alone/);
assert.doesNotMatch(told, /set to midnight/);
assert.equal(result.permission_denials.length, 1);
console.log(result.result);
