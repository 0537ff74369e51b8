// @ts-check
// A server with one tool, spoken to over standard input and output.
// #region server
import { McpServer } from '@portico/server';
import { StdioServerTransport } from '@portico/server/stdio';
import { z } from 'zod';

const server = new McpServer({ name: 'adder', version: '1.0.0' });

server.registerTool(
  'add',
  { description: 'Adds two numbers', inputSchema: z.object({ a: z.number(), b: z.number() }) },
  ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }], structuredContent: { sum: a + b } }),
);

await server.connect(new StdioServerTransport());
// #endregion
