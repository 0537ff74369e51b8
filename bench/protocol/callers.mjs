// One contestant's client: each function opens it and answers how to make one call, and how to end.
import { fork, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ARGUMENTS, INFO, register } from './tools.mjs';
import { bareAnswer } from './servers.mjs';

const SERVERS = join(import.meta.dirname, 'servers.mjs');
const CALL = { name: 'echo', arguments: ARGUMENTS };

/** @typedef {{call: () => Promise<unknown>, serverPid: number | undefined, close: () => Promise<unknown>}} Caller */

const modeOf = ({ era }) => ({
  versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
});

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': INFO,
};

const requestText = (id) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'echo', arguments: ARGUMENTS, _meta: envelope },
  });

/** Starts a server over HTTP and waits until it listens. */
async function startServer(who, parameters) {
  const child = fork(SERVERS, [who, JSON.stringify(parameters)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { port } = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`server of ${who} ended with ${code}`)));
  });
  return { child, url: new URL(`http://127.0.0.1:${port}/mcp`) };
}

async function connected(client, transport) {
  await client.connect(transport);
  return client;
}

async function inMemory(who, parameters) {
  const ours = who === 'ours';
  const root = ours ? '@portico' : '@modelcontextprotocol';
  const { McpServer } = await import(`${root}/server`);
  const { Client, InMemoryTransport } = await import(`${root}/client`);
  const [a, b] = InMemoryTransport.createLinkedPair();
  const server = register(new McpServer(INFO), parameters.tools);
  await server.connect(b);
  // The official pair in memory has the legacy era only.
  const client = await connected(new Client(INFO, modeOf(ours ? parameters : { era: 'legacy' })), a);
  return { call: () => client.callTool(CALL), serverPid: undefined, close: () => client.close() };
}

function floorInMemory() {
  let id = 0;
  const call = () => {
    const { id: asked, params } = JSON.parse(requestText(id++));
    return Promise.resolve(JSON.parse(bareAnswer(asked, params.arguments.text)));
  };
  return { call, serverPid: undefined, close: () => Promise.resolve() };
}

async function overStdio(who, parameters) {
  const root = who === 'ours' ? '@portico' : '@modelcontextprotocol';
  const { Client } = await import(`${root}/client`);
  const { StdioClientTransport } = await import(`${root}/client/stdio`);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [SERVERS, who, JSON.stringify(parameters)],
    stderr: 'inherit',
  });
  const client = await connected(new Client(INFO, modeOf(parameters)), transport);
  const serverPid = transport.pid ?? undefined;
  return { call: () => client.callTool(CALL), serverPid, close: () => client.close() };
}

function floorOverStdio(parameters) {
  const child = spawn(process.execPath, [SERVERS, 'floor', JSON.stringify(parameters)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map();
  let id = 0;
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const answer = JSON.parse(line);
      waiting.get(answer.id)(answer.result);
      waiting.delete(answer.id);
    }
  });
  const call = () =>
    new Promise((resolve) => {
      waiting.set(++id, resolve);
      child.stdin.write(`${requestText(id)}\n`);
    });
  return { call, serverPid: child.pid, close: () => Promise.resolve(child.kill()) };
}

async function overHttp(who, parameters) {
  const { child, url } = await startServer(who, parameters);
  const root = who === 'ours' ? '@portico' : '@modelcontextprotocol';
  const { Client, StreamableHTTPClientTransport } = await import(`${root}/client`);
  const pooled = who === 'ours' && parameters.by === 'pool';
  const options = pooled ? { http: (await import('@portico/client/node')).createHttpPool() } : {};
  const client = await connected(
    new Client(INFO, modeOf(parameters)),
    new StreamableHTTPClientTransport(url, options),
  );
  const close = async () => {
    await client.close();
    child.disconnect();
  };
  return { call: () => client.callTool(CALL), serverPid: child.pid, close };
}

async function floorOverHttp(parameters) {
  const { child, url } = await startServer('floor', parameters);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'echo',
  };
  let id = 0;
  const close = () => Promise.resolve(child.disconnect());
  if (parameters.by === 'fetch') {
    const call = async () => (await fetch(url, { method: 'POST', headers, body: requestText(++id) })).json();
    return { call, serverPid: child.pid, close };
  }
  // The client package's own copy, so that both pools are the same.
  const { Pool } = createRequire(import.meta.resolve('@portico/client/node'))('undici');
  const pool = new Pool(url.origin, { connections: 64 });
  const call = async () => {
    const { body } = await pool.request({ path: '/mcp', method: 'POST', headers, body: requestText(++id) });
    return body.json();
  };
  return { call, serverPid: child.pid, close };
}

/** @returns {Promise<Caller>} */
export async function openCaller(who, parameters) {
  if (parameters.over === 'memory') {
    return who === 'floor' ? floorInMemory() : inMemory(who, parameters);
  }
  if (parameters.over === 'stdio') {
    return who === 'floor' ? floorOverStdio(parameters) : overStdio(who, parameters);
  }
  return who === 'floor' ? floorOverHttp(parameters) : overHttp(who, parameters);
}
