import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Connector } from '@portico/api';
import type { Client } from '@portico/client';
import { McpServer, createMcpHandler, inputRequired } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';
import type { ElicitResult } from '@portico/spec';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MODES, addWebConnector, connectorClients } from '../../../../testing/connector-clients.ts';
import type { Mode } from '../../../../testing/connector-clients.ts';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { startTalkativeServer } from '../../../../testing/talkative-server.ts';

/** A server that asks twice before it answers, and keeps what it heard in the client's hands. */
async function startAskingServer() {
  const build = (): McpServer => {
    const server = new McpServer({ name: 'asking', version: '1' }, { capabilities: { tools: {} } });
    server.registerTool('order', {}, ({ mcpReq, client }) => {
      const say = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] });
      if (client.capabilities.elicitation === undefined) return say(client.capabilities);
      const heard = [mcpReq.requestState() ?? [], mcpReq.inputResponses ?? []].flatMap((part) =>
        typeof part === 'string' ? (JSON.parse(part) as unknown[]) : [part].flat(),
      );
      if (heard.length === 2) return say(heard);
      const message = heard.length === 0 ? 'What?' : 'How many?';
      const requestedSchema = {
        type: 'object' as const,
        properties: { answer: { type: 'string' as const } },
      };
      return inputRequired({
        inputRequests: { question: inputRequired.elicit({ message, requestedSchema }) },
        requestState: JSON.stringify(heard),
      });
    });
    return server;
  };
  const handler = createMcpHandler(build, { legacy: 'reject' });
  const serve = toNodeHandler(handler);
  const http = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async close() {
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

describe('a question that a server has in the middle of a call', () => {
  let host: InProcessHost;
  let server: Awaited<ReturnType<typeof startAskingServer>>;
  let asking: Connector;
  beforeAll(async () => {
    host = await startInProcessHost();
    server = await startAskingServer();
    asking = await addWebConnector(host, server.url);
  });
  afterAll(async () => {
    await host.close();
    await server.close();
  });

  /** A client that answers each question by its own name and the question, or in the way that is given. */
  const clientOf = async (
    mode: Mode,
    name: string,
    answer: (message: string) => ElicitResult = (message) => ({
      action: 'accept',
      content: { answer: `${name} to ${message}` },
    }),
  ): Promise<Client> => {
    const client = await connectorClients(host).ours(asking.id, mode, {
      capabilities: { elicitation: { form: {} } },
    });
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message));
    return client;
  };
  const order = async (client: Client): Promise<unknown> => {
    const [block] = (await client.callTool({ name: 'order' })).content;
    return JSON.parse(block?.type === 'text' ? block.text : 'null') as unknown;
  };

  it.each(MODES)('K32 K134 comes to the %s client that called, and to no other', async (mode) => {
    const names = ['ann', 'bob', 'cy', 'di'];
    const clients = await Promise.all(names.map((name) => clientOf(mode, name)));
    const answers = await Promise.all(clients.flatMap((client) => [order(client), order(client)]));
    const heardFrom = (name: string) =>
      ['What?', 'How many?'].map((message) => ({
        question: { action: 'accept', content: { answer: `${name} to ${message}` } },
      }));
    expect(answers).toEqual(names.flatMap((name) => [heardFrom(name), heardFrom(name)]));
    await Promise.all(clients.map((client) => client.close()));
  });

  it.each(MODES)('K134 can be declined and closed by a %s client', async (mode) => {
    for (const action of ['decline', 'cancel'] as const) {
      const client = await clientOf(mode, 'x', () => ({ action }));
      expect(await order(client)).toEqual([{ question: { action } }, { question: { action } }]);
      await client.close();
    }
  });

  it.each(MODES)(
    'K134 is not asked where a %s client shows no forms, and calls of conversations show none',
    async (mode) => {
      for (const capabilities of [{}, { elicitation: { url: {} } }, { sampling: {} }]) {
        const client = await connectorClients(host).ours(asking.id, mode, { capabilities });
        expect(await order(client)).not.toHaveProperty('elicitation');
        await client.close();
      }
      const { id } = await host.newConversation();
      const body = { connectorId: asking.id, tool: 'order', arguments: {} };
      await host.call('POST', `/api/conversations/${id}/calls`, body);
      const item = await host.untilItem(
        id,
        (candidate) => candidate.type === 'tool_call' && candidate.status !== 'running',
      );
      expect(item).toMatchObject({ status: 'done' });
      expect(JSON.stringify(item)).not.toContain('elicitation');
    },
  );

  it('K134 is nothing that a server of the other era hears of', async () => {
    const old = await startTalkativeServer('legacy');
    const { id } = await addWebConnector(host, old.url, { name: 'Old' });
    const client = await connectorClients(host).ours(id, 'modern', {
      capabilities: { elicitation: { form: {} } },
    });
    await client.callTool({ name: 'echo', arguments: { text: 'hi' } });
    expect(old.calls).toMatchObject([{ meta: {} }]);
    expect(JSON.stringify(old.calls)).not.toContain('elicitation');
    await client.close();
    await host.call('DELETE', `/api/connectors/${id}`);
    await old.close();
  });
});
