import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../../testing/browser.ts';
import { createTestServer } from '../protocol/test-server.ts';
import { bundleProgram } from './bundle-entry.ts';

/** Serves a client by a server in one place, and calls a server over that place's own fetch. */
const PROGRAM = `
  import * as spec from '@portico/spec';
  import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@portico/client';
  import { McpServer } from '@portico/server';
  function make() {
    const server = new McpServer({ name: 's', version: '1' });
    const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
    const outputSchema = { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] };
    server.registerTool('echo', { inputSchema, outputSchema }, ({ text }) => ({
      content: [{ type: 'text', text }], structuredContent: { size: text.length } }));
    return server;
  }
  async function used(mode, transport, text) {
    const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(transport);
    await client.listTools();
    const { content, isError } = await client.callTool({ name: 'echo', arguments: text });
    const era = client.getProtocolEra();
    await client.close();
    return [era, isError === true ? 'error' : content[0].text];
  }
  async function inMemory(mode) {
    const [left, right] = InMemoryTransport.createLinkedPair();
    await make().connect(right);
    return used(mode, left, { text: mode });
  }
  export async function run(url) {
    const outcome = { versions: spec.SUPPORTED_PROTOCOL_VERSIONS.length > 0 };
    for (const mode of ['legacy', 'auto']) {
      outcome[mode + ' in memory'] = await inMemory(mode);
      outcome[mode + ' over fetch'] = await used(mode, new StreamableHTTPClientTransport(url), { value: mode });
    }
    return outcome;
  }`;

const EXPECTED = {
  versions: true,
  'legacy in memory': ['legacy', 'legacy'],
  'legacy over fetch': ['legacy', 'legacy'],
  'auto in memory': ['modern', 'auto'],
  'auto over fetch': ['modern', 'auto'],
};

const SCRIPTS: Readonly<Record<string, () => string>> = {
  '/program.js': () => code,
  '/worker.js': () => `importScripts('/program.js');
    onmessage = ({ data }) => program.run(data).then(postMessage, (error) => postMessage(String(error)));`,
};

let browser: Browser;
let code: string;
const { make } = createTestServer();
const mcp = toNodeHandler(createMcpHandler(make, { legacy: 'sessions' }));
const server = createServer((request, response) => {
  if (request.url === '/mcp') return void mcp(request, response);
  const text = SCRIPTS[request.url ?? '']?.();
  response.setHeader('content-type', text === undefined ? 'text/html' : 'text/javascript');
  response.end(text ?? '<!doctype html><title>place</title>');
});

beforeAll(async () => {
  ({ code } = await bundleProgram(PROGRAM, 'iife'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function openPage(): Promise<{ page: Page; faults: string[]; address: string }> {
  const { port } = server.address() as AddressInfo;
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  const address = `http://localhost:${String(port)}`;
  await page.goto(`${address}/`);
  return { page, faults, address };
}

it('W241 the roots of spec, client and server work in a page of Chromium', async () => {
  const { page, faults, address } = await openPage();
  await page.addScriptTag({ url: '/program.js' });
  const outcome = await page.evaluate(`program.run(${JSON.stringify(`${address}/mcp`)})`);
  expect([outcome, faults]).toEqual([EXPECTED, []]);
});

it('W241 the roots of spec, client and server work in a worker of Chromium', async () => {
  const { page, faults, address } = await openPage();
  const outcome = await page.evaluate(`new Promise((resolve, reject) => {
    const worker = new Worker('/worker.js');
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(${JSON.stringify(`${address}/mcp`)});
  })`);
  expect([outcome, faults]).toEqual([EXPECTED, []]);
});
