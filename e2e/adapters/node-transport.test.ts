import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { StreamableHTTPClientTransport } from '@portico/client';
import { WebStandardStreamableHTTPServerTransport } from '@portico/server';
import { createMcpExpressApp } from '@portico/server/express';
import { NodeStreamableHTTPServerTransport } from '@portico/server/node';
import { StreamableHTTPClientTransport as OfficialTransport } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it } from 'vitest';
import { http } from '../../testing/http.ts';
import { itConverses, itInteroperates } from '../interop/behaviour.ts';
import { createOurServer } from '../interop/fixtures/our-server.ts';
import { officialV2Client, ourClient } from '../interop/interop-client.ts';
import { closeHosts, listenOn } from './hosts.ts';

afterAll(closeHosts);

/** One transport a session, kept in a map, as servers were wired before there was a handler. */
function startSessions(): Promise<URL> {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const app = createMcpExpressApp();
  const open = async (): Promise<NodeStreamableHTTPServerTransport> => {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await createOurServer().connect(transport);
    return transport;
  };
  app.all('/mcp', async (request, response) => {
    const known = sessions.get(request.headers['mcp-session-id']?.toString() ?? '');
    await (known ?? (await open())).handleRequest(request, response, request.body);
  });
  return listenOn(createServer(app));
}

describe.each([
  [
    'our client',
    async () => ourClient(new StreamableHTTPClientTransport(await startSessions()), 'legacy'),
    false,
  ],
  [
    'the official client',
    async () => officialV2Client(new OfficialTransport(await startSessions()), 'legacy'),
    true,
  ],
] as const)(
  'a transport that is wired by hand behind Express serves %s',
  (_name, connect, progressMayBeLost) => {
    itInteroperates({ era: 'legacy', connect, progressMayBeLost });
    itConverses({ era: 'legacy', connect });
  },
);

describe('the transport for Node requests', () => {
  it('W234 answers as the transport underneath does, and hands its callbacks through', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const sent = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const faults: string[] = [];
    const transport = new NodeStreamableHTTPServerTransport({ enableJsonResponse: true });
    const twin = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    transport.onerror = (error) => faults.push(error.message);
    twin.onerror = transport.onerror;
    await createOurServer().connect(transport);
    await createOurServer().connect(twin);
    const url = await listenOn(
      createServer((request, response) => void transport.handleRequest(request, response)),
    );
    for (const init of [
      { method: 'GET', headers: sent },
      { method: 'POST', headers: { ...sent, accept: 'text/html' }, body },
      { method: 'POST', headers: sent, body },
    ]) {
      const ours = await http(url.href, init);
      const theirs = await twin.handleRequest(
        new Request(url, { ...init, headers: { ...init.headers, host: url.host } }),
      );
      expect([ours.status, ours.text]).toEqual([theirs.status, await theirs.text()]);
    }
    expect(faults.slice(0, faults.length / 2).length * 2).toBe(faults.length);
    expect(transport.sessionId).toBeUndefined();
    let closed = 0;
    const { onclose } = transport;
    transport.onclose = () => {
      closed += 1;
      onclose?.();
    };
    await transport.close();
    await transport.close();
    expect(closed).toBe(1);
  });
});
