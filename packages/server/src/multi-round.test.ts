import type { JSONRPCRequest } from '@portico/rpc';
import { isJSONRPCRequest } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { modern, openWire, type Wire } from '../../../testing/mcp-wire.ts';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { acceptedContent, inputRequired, inputResponse } from './input-required.ts';
import { McpServer, type McpServerOptions } from './mcp/mcp-server.ts';

const FORM = z.object({ name: z.string().min(2) });

function make(options: McpServerOptions = {}): McpServer {
  const server = new McpServer({ name: 'rounds', version: '1' }, options);
  server.registerTool(
    'greet',
    { inputSchema: z.object({ greeting: z.string() }) },
    ({ greeting }, { mcpReq }) => {
      const answer = acceptedContent(mcpReq.inputResponses, 'who', FORM);
      const asked = Number(mcpReq.requestState() ?? '0');
      if (answer !== undefined) {
        return { content: [{ type: 'text', text: `${greeting}, ${answer.name} (${String(asked)})` }] };
      }
      const who = inputRequired.elicit({ message: 'Who?', requestedSchema: FORM });
      return inputRequired({ inputRequests: { who }, requestState: String(asked + 1) });
    },
  );
  server.registerPrompt('ask', {}, ({ mcpReq }) => {
    const view = inputResponse(mcpReq.inputResponses, 'roots');
    if (view.kind !== 'roots') return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
    return {
      messages: view.roots.map(({ uri }) => ({ role: 'user', content: { type: 'text', text: uri } })),
    };
  });
  return server;
}

const open = (server: McpServer): Promise<Wire> => openWire((transport) => server.connect(transport));

/** The request of that method that the server sent as its `nth`, counted from 0. */
async function question(wire: Wire, method: string, nth: number): Promise<JSONRPCRequest> {
  const asked = (): JSONRPCRequest[] =>
    wire.received.filter(isJSONRPCRequest).filter((message) => message.method === method);
  await wire.next(() => asked().length > nth);
  return asked()[nth] as JSONRPCRequest;
}

describe('questions of a handler', () => {
  it('are an interim result for a modern caller, who answers by asking again', async () => {
    const wire = await open(make());
    const capabilities = { elicitation: {} };
    const given = { name: 'greet', arguments: { greeting: 'Hello' } };
    const first = await wire.result('tools/call', modern(given, { capabilities }));
    expect(first).toMatchObject({
      resultType: 'input_required',
      requestState: '1',
      inputRequests: {
        who: {
          method: 'elicitation/create',
          params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', required: ['name'] } },
        },
      },
    });
    const again = async (inputResponses: object): Promise<Record<string, unknown>> =>
      wire.result('tools/call', modern({ ...given, inputResponses, requestState: '1' }, { capabilities }));
    expect(await again({ who: { action: 'accept', content: { name: 'Ada' } } })).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'Hello, Ada (1)' }],
    });
    for (const useless of [
      {},
      { who: { action: 'accept', content: { name: 'A' } } },
      { who: 'Ada' },
      { who: { method: 'x', result: {} } },
    ]) {
      expect(await again(useless)).toMatchObject({ resultType: 'input_required', requestState: '2' });
    }
  });

  it('are requests of the server in a legacy session, and the handler runs again', async () => {
    const wire = await open(make());
    await wire.initialize('2025-11-25', { elicitation: {}, roots: {} });
    const call = wire.result('tools/call', { name: 'greet', arguments: { greeting: 'Hi' } });
    const first = await question(wire, 'elicitation/create', 0);
    await wire.send({ jsonrpc: '2.0', id: first.id, result: { action: 'accept', content: { name: 'X' } } });
    const second = await question(wire, 'elicitation/create', 1);
    await wire.send({
      jsonrpc: '2.0',
      id: second.id,
      result: { action: 'accept', content: { name: 'Bob' } },
    });
    expect(await call).toMatchObject({ content: [{ text: 'Hi, Bob (2)' }] });
    const prompt = wire.result('prompts/get', { name: 'ask' });
    const roots = await question(wire, 'roots/list', 0);
    await wire.send({ jsonrpc: '2.0', id: roots.id, result: { roots: [{ uri: 'file:///a' }] } });
    expect(await prompt).toMatchObject({ messages: [{ content: { text: 'file:///a' } }] });
  });

  it('fail in a legacy session that cannot answer, as error results for tools and errors for the rest', async () => {
    const wire = await open(make());
    await wire.initialize();
    const given = { name: 'greet', arguments: { greeting: 'Hi' } };
    expect(await wire.result('tools/call', given)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('elicitation') as string }],
    });
    expect((await wire.error('prompts/get', { name: 'ask' })).message).toContain('roots');
    const old = await open(make());
    await old.initialize('2025-03-26', { elicitation: {} });
    expect(await old.result('tools/call', given)).toMatchObject({ isError: true });
    expect(old.received).toHaveLength(2);
    const off = await open(make({ inputRequired: { legacyShim: false } }));
    await off.initialize('2025-11-25', { elicitation: {} });
    expect(await off.result('tools/call', given)).toMatchObject({ isError: true });
  });

  it('end after as many rounds as allowed, and when nobody answers in time', async () => {
    const clock = createManualClock();
    const wire = await open(make({ clock, inputRequired: { maxRounds: 3, roundTimeoutMs: 1000 } }));
    await wire.initialize('2025-11-25', { elicitation: {} });
    const given = { name: 'greet', arguments: { greeting: 'Hi' } };
    const call = wire.result('tools/call', given);
    for (let round = 0; round < 2; round++) {
      const asked = await question(wire, 'elicitation/create', round);
      await wire.send({ jsonrpc: '2.0', id: asked.id, result: { action: 'cancel' } });
    }
    expect(await call).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('3 rounds') as string }],
    });
    const silent = wire.result('tools/call', given);
    await question(wire, 'elicitation/create', 2);
    await clock.advance(1000);
    expect(await silent).toMatchObject({ isError: true });
  });

  it('have their state checked before the handler sees it, and say nothing of why it was refused', async () => {
    const faults: string[] = [];
    const verify = (state: string): unknown => {
      if (!state.startsWith('signed:')) throw new TypeError('forged by Mallory');
      return state.slice('signed:'.length);
    };
    const server = make({ requestState: { verify } });
    server.server.onerror = (error) => faults.push(error.message);
    const wire = await open(server);
    const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } };
    const given = { name: 'greet', arguments: { greeting: 'Hello' }, inputResponses };
    const capabilities = { elicitation: {} };
    const good = modern({ ...given, requestState: 'signed:7' }, { capabilities });
    expect(await wire.result('tools/call', good)).toMatchObject({ content: [{ text: 'Hello, Ada (7)' }] });
    const forged = await wire.error('tools/call', modern({ ...given, requestState: '7' }, { capabilities }));
    expect(forged).toEqual({
      code: -32_602,
      message: 'Invalid or expired requestState',
      data: { reason: 'invalid_request_state' },
    });
    expect(faults).toEqual(['forged by Mallory']);
  });

  it('W191 W193 end with the same refusal in a legacy session, where failures of tools are results else', async () => {
    const verify = (): never => {
      throw new TypeError('forged by Mallory');
    };
    const server = new McpServer({ name: 'rounds', version: '1' }, { requestState: { verify } });
    server.registerTool('keeps', {}, () => inputRequired({ requestState: 'sealed' }));
    const wire = await open(server);
    await wire.initialize();
    expect(await wire.error('tools/call', { name: 'keeps' })).toEqual({
      code: -32_602,
      message: 'Invalid or expired requestState',
      data: { reason: 'invalid_request_state' },
    });
  });

  it('can only be asked in forms that are flat, and pages that are http', () => {
    const refused = expect.objectContaining({ code: 'INVALID_INPUT_REQUEST' });
    const nested = z.object({ deep: z.object({ a: z.string() }) });
    expect(() => inputRequired({})).toThrow(refused);
    expect(() => inputRequired.elicit({ message: '?', requestedSchema: nested })).toThrow(refused);
    expect(() => inputRequired.elicitUrl({ message: '?', url: 'javascript:alert(1)' })).toThrow(refused);
    expect(() => inputRequired.elicitUrl({ message: '?', url: 'nowhere' })).toThrow(refused);
  });
});
