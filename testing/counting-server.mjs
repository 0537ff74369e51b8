// An MCP server on stdio that writes every execution of its tools to the file that its only argument
// names, with the value of COUNTER_SECRET. It ends with its input, as a child of a killed host has to.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , file = ''] = process.argv;
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const ITEM = { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] };
const TOOLS = [
  { name: 'count', title: 'Count', description: 'Counts an item.', inputSchema: ITEM },
  {
    name: 'count_forever',
    title: 'Count forever',
    description: 'Counts an item and never answers.',
    inputSchema: ITEM,
  },
];

function callTool({ name, arguments: { item } }) {
  const secret = process.env.COUNTER_SECRET ?? '';
  appendFileSync(file, `${JSON.stringify({ name, item, secret })}\n`);
  return name === 'count' ? { content: [{ type: 'text', text: `Counted ${item}.` }] } : undefined;
}

const METHODS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'counting-server', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: TOOLS }),
  'tools/call': callTool,
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const answer = METHODS[method];
    if (answer === undefined) return say({ id, error: { code: -32601, message: 'no such method' } });
    const result = answer(params);
    if (result !== undefined) say({ id, result });
  })
  .on('close', () => process.exit(0));
