// @ts-check
// One server with every kind of thing that a server offers, and a client in the same process that uses it.
import assert from 'node:assert/strict';
import { Client, InMemoryTransport } from '@portico/client';
// #region tool
import { McpServer, ResourceTemplate, completable } from '@portico/server';
import { z } from 'zod';

const server = new McpServer(
  { name: 'library', version: '1.0.0' },
  { instructions: 'Search before you read.', capabilities: { logging: {} } },
);

server.registerTool(
  'search',
  {
    title: 'Search the shelves',
    description: 'Finds books by a word of their title',
    inputSchema: z.object({ word: z.string().min(2), limit: z.number().int().max(50).default(10) }),
    outputSchema: z.object({ titles: z.array(z.string()) }),
    annotations: { readOnlyHint: true },
  },
  ({ word, limit }) => {
    const titles = TITLES.filter((title) => title.toLowerCase().includes(word.toLowerCase()));
    return { content: [], structuredContent: { titles: titles.slice(0, limit) } };
  },
);
// #endregion

const TITLES = ['Middlemarch', 'The Mill on the Floss', 'Silas Marner'];

// #region context
server.registerTool('count_pages', { description: 'Counts the pages of every book' }, async (ctx) => {
  let pages = 0;
  for (const [index, title] of TITLES.entries()) {
    if (ctx.mcpReq.signal.aborted) break;
    pages += title.length * 20;
    ctx.mcpReq.progress({ progress: index + 1, total: TITLES.length, message: title });
    await ctx.mcpReq.log('debug', { title });
  }
  return { content: [{ type: 'text', text: `${pages} pages` }] };
});
// #endregion

// #region resource
server.registerResource(
  'shelf',
  'library://shelf',
  { description: 'All titles', mimeType: 'text/plain', cacheHint: { ttlMs: 60_000, cacheScope: 'public' } },
  (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: TITLES.join('\n') }] }),
);

server.registerResource(
  'book',
  new ResourceTemplate('library://book/{title}', {
    list: () => ({
      resources: TITLES.map((name) => ({ name, uri: `library://book/${encodeURIComponent(name)}` })),
    }),
    complete: { title: (typed) => TITLES.filter((title) => title.startsWith(typed)) },
  }),
  { description: 'One book' },
  (uri, { title }) => ({ contents: [{ uri: uri.href, text: `You are reading ${String(title)}.` }] }),
);
// #endregion

// #region prompt
server.registerPrompt(
  'review',
  {
    description: 'Asks for a review of a book',
    argsSchema: z.object({
      title: completable(z.string(), (typed) => TITLES.filter((title) => title.startsWith(typed))),
    }),
  },
  ({ title }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Write a short review of ${title}.` } }],
  }),
);
// #endregion

// #region handle
const closing = server.registerTool('closing_time', { description: 'When the library closes' }, () => ({
  content: [{ type: 'text', text: '18:00' }],
}));
closing.update({ description: 'When the library closes today' });
closing.disable();
// #endregion

const [near, far] = InMemoryTransport.createLinkedPair();
await server.connect(far);
const client = new Client({ name: 'example', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(near);

const { tools } = await client.listTools();
assert.deepEqual(
  tools.map(({ name }) => name),
  ['search', 'count_pages'],
);
const found = await client.callTool({ name: 'search', arguments: { word: 'mill' } });
assert.deepEqual(found.structuredContent, { titles: ['The Mill on the Floss'] });

/** @type {number[]} */
const seen = [];
await client.callTool({ name: 'count_pages' }, { onprogress: ({ progress }) => void seen.push(progress) });
assert.deepEqual(seen, [1, 2, 3]);

const read = await client.readResource({ uri: 'library://book/Silas%20Marner' });
assert.deepEqual(read.contents, [
  { uri: 'library://book/Silas%20Marner', text: 'You are reading Silas Marner.' },
]);
const { completion } = await client.complete({
  ref: { type: 'ref/prompt', name: 'review' },
  argument: { name: 'title', value: 'M' },
});
assert.deepEqual(completion.values, ['Middlemarch']);
await client.close();
await server.close();
console.log(`searched, counted with ${seen.length} reports of progress, read a book and completed a title`);
