// @ts-check
// A tool that asks the person before it acts: written once, served to clients of both eras.
import assert from 'node:assert/strict';
import { Client, InMemoryTransport } from '@portico/client';
// #region server
import { McpServer, acceptedContent, inputRequired } from '@portico/server';
import { z } from 'zod';

const Answer = z.object({ sure: z.boolean(), reason: z.string().optional() });

const createServer = () => {
  const server = new McpServer({ name: 'archive', version: '1.0.0' });
  server.registerTool(
    'delete_folder',
    { description: 'Deletes a folder', inputSchema: z.object({ path: z.string() }) },
    async ({ path }, ctx) => {
      const answer = acceptedContent(ctx.mcpReq.inputResponses, 'confirm', Answer);
      if (answer === undefined) {
        const message = `Delete ${path} and everything in it?`;
        return inputRequired({
          inputRequests: { confirm: inputRequired.elicit({ message, requestedSchema: Answer }) },
        });
      }
      return { content: [{ type: 'text', text: answer.sure ? `${path} is gone` : 'kept' }] };
    },
  );
  return server;
};
// #endregion

// #region client
/** @param {'auto' | 'legacy'} mode */
const createClient = (mode) => {
  const client = new Client(
    { name: 'example', version: '1.0.0' },
    { versionNegotiation: { mode }, capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler('elicitation/create', (request) => {
    console.log(`the person is asked: ${request.params?.['message']}`);
    return { action: 'accept', content: { sure: true } };
  });
  return client;
};
// #endregion

/** @param {'auto' | 'legacy'} mode */
async function deleteAs(mode) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = createServer();
  await server.connect(far);
  const client = createClient(mode);
  await client.connect(near);
  const era = client.getProtocolEra();
  const { content } = await client.callTool({ name: 'delete_folder', arguments: { path: '/old' } });
  await client.close();
  await server.close();
  return { era, content };
}

const content = [{ type: 'text', text: '/old is gone' }];
assert.deepEqual(await deleteAs('auto'), { era: 'modern', content });
assert.deepEqual(await deleteAs('legacy'), { era: 'legacy', content });
console.log('both eras asked once and got the same answer');
