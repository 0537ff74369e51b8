import { ProtocolError } from '@portico/rpc';
import type { JSONRPCRequest } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import type { ManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedServer, discovered } from '../../../testing/scripted-server.ts';
import type { ScriptedAnswer, ScriptedServer } from '../../../testing/scripted-server.ts';
import { Client } from './client.ts';
import type { ClientOptions } from './client-options.ts';
import { withInputRequired } from './with-input-required.ts';
import { z } from 'zod';

const INFO = { name: 'test', version: '1' };
const ROOTS = { method: 'roots/list' };

interface World {
  readonly client: Client;
  readonly server: ScriptedServer;
  readonly clock: ManualClock;
  readonly sent: (method: string) => JSONRPCRequest[];
}

async function open(
  answers: Readonly<Record<string, ScriptedAnswer>>,
  options: ClientOptions = {},
): Promise<World> {
  const clock = createManualClock();
  const server = await createScriptedServer({
    clock,
    answers: { 'server/discover': () => discovered(), ...answers },
  });
  const client = new Client(INFO, {
    clock,
    capabilities: { roots: {}, elicitation: {} },
    versionNegotiation: { mode: 'auto' },
    ...options,
  });
  await client.connect(server.transport);
  const sent = (method: string): JSONRPCRequest[] =>
    server.messages.filter((message) => message.method === method);
  return { client, server, clock, sent };
}

const interim = (more: object): object => ({ resultType: 'input_required', ...more });

describe('requests that ask for input', () => {
  const FINAL = {
    'tools/call': { content: [] },
    'prompts/get': { messages: [] },
    'resources/read': { contents: [] },
  };
  const STATE = ' ￿{"a":"\\u0000é🎉"}\n';

  it('W188 are sent again with the answers and the state, byte for byte and under new ids', async () => {
    const calls: readonly [keyof typeof FINAL, (client: Client) => Promise<unknown>, object][] = [
      [
        'tools/call',
        (client) => client.callTool({ name: 'n', arguments: { a: 1 } }),
        { name: 'n', arguments: { a: 1 } },
      ],
      ['prompts/get', (client) => client.getPrompt({ name: 'n' }), { name: 'n' }],
      ['resources/read', (client) => client.readResource({ uri: 'x:y' }), { uri: 'x:y' }],
    ];
    for (const [method, call, params] of calls) {
      let release: () => void = () => undefined;
      const both = new Promise<void>((resolve) => (release = resolve));
      const { client, sent } = await open({
        [method]: ({ inputResponses, requestState }) => {
          if (requestState === 'again') return { resultType: 'complete', ...FINAL[method] };
          if (inputResponses === undefined) {
            const one = {
              method: 'elicitation/create',
              params: { message: 'm', requestedSchema: { type: 'object', properties: {} } },
            };
            return interim({ inputRequests: { one, two: ROOTS }, requestState: STATE });
          }
          return interim({ inputRequests: { three: ROOTS }, requestState: 'again' });
        },
        'completion/complete': () => ({ completion: { values: [] } }),
      });
      let open1 = false;
      client.setRequestHandler('elicitation/create', async () => {
        open1 = true;
        await both;
        return { action: 'decline' };
      });
      client.setRequestHandler('roots/list', () => {
        // Asked while the other one is still open: both run side by side.
        if (open1) release();
        return { roots: [] };
      });
      const other = client
        .complete({
          ref: { type: 'ref/prompt', name: 'n' },
          argument: { name: 'a', value: '' },
        })
        .catch(() => undefined);
      expect(await call(client)).toEqual(FINAL[method]);
      await other;
      const rounds = sent(method);
      const bare = rounds.map(({ params: given }) => ({ ...given, _meta: undefined }));
      expect(bare).toEqual([
        { ...params, _meta: undefined },
        {
          ...params,
          _meta: undefined,
          inputResponses: { one: { action: 'decline' }, two: { roots: [] } },
          requestState: STATE,
        },
        { ...params, _meta: undefined, inputResponses: { three: { roots: [] } }, requestState: 'again' },
      ]);
      expect(new Set(rounds.map(({ id }) => id)).size).toBe(3);
      for (const { params: given } of sent('completion/complete')) {
        expect(given).not.toHaveProperty('inputResponses');
        expect(given).not.toHaveProperty('requestState');
      }
    }
  });

  it('carry no state of a round before, and no answers where nothing was asked', async () => {
    const { client, clock, sent } = await open({
      'tools/call': ({ requestState, inputResponses }) => {
        if (inputResponses !== undefined) return { content: [] };
        return requestState === undefined
          ? interim({ requestState: 's' })
          : interim({ inputRequests: { r: ROOTS } });
      },
    });
    client.setRequestHandler('roots/list', () => ({ roots: [] }));
    const call = client.callTool({ name: 'n' });
    await clock.advance(249);
    expect(sent('tools/call')).toHaveLength(1);
    await clock.advance(1);
    await call;
    const [, second, third] = sent('tools/call');
    expect(second?.params).toMatchObject({ requestState: 's' });
    expect(second?.params).not.toHaveProperty('inputResponses');
    expect(third?.params).not.toHaveProperty('requestState');
  });

  it('end when a handler cannot answer, and the others are given up', async () => {
    const { client, sent } = await open({
      'tools/call': () => interim({ inputRequests: { a: ROOTS, b: ROOTS } }),
    });
    const signals: AbortSignal[] = [];
    client.setRequestHandler('roots/list', (_request, { mcpReq }) => {
      signals.push(mcpReq.signal);
      if (mcpReq.id === 'b') throw new ProtocolError(-1, 'no');
      return new Promise(() => undefined);
    });
    await expect(client.callTool({ name: 'n' })).rejects.toMatchObject({ code: -1 });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(sent('tools/call')).toHaveLength(1);
  });

  it('W192 stop after ten rounds with the last question, or after as many as the option says', async () => {
    const endless = { 'tools/call': () => interim({ inputRequests: { r: ROOTS }, requestState: 's' }) };
    for (const maxRounds of [undefined, 2]) {
      const { client, sent } = await open(
        endless,
        maxRounds === undefined ? {} : { inputRequired: { maxRounds } },
      );
      client.setRequestHandler('roots/list', () => ({ roots: [] }));
      await expect(client.callTool({ name: 'n' })).rejects.toMatchObject({
        code: 'INPUT_REQUIRED_ROUNDS_EXCEEDED',
        data: { rounds: maxRounds ?? 10, lastResult: { inputRequests: { r: ROOTS }, requestState: 's' } },
      });
      expect(sent('tools/call')).toHaveLength((maxRounds ?? 10) + 1);
    }
  });

  it('W192 space rounds that ask for nothing, and share one time', async () => {
    const { client, clock, sent } = await open({ 'tools/call': () => interim({ requestState: 's' }) });
    const call = client.callTool({ name: 'n' }, { maxTotalTimeout: 1_000 }).catch((error: unknown) => error);
    await clock.advance(999);
    expect(sent('tools/call')).toHaveLength(4);
    await clock.advance(1);
    expect(await call).toMatchObject({ code: 'REQUEST_TIMEOUT', data: { timeout: 1_000 } });
    const abort = new AbortController();
    const left = client.callTool({ name: 'n' }, { signal: abort.signal }).catch((error: unknown) => error);
    await clock.advance(100);
    abort.abort('enough');
    expect(await left).toMatchObject({ code: 'REQUEST_ABORTED', cause: 'enough' });
    const before = sent('tools/call').length;
    await clock.advance(1_000);
    expect(sent('tools/call')).toHaveLength(before);
  });

  it('W24 end with the connection, also between rounds, and send nothing on the next one', async () => {
    const { client, clock } = await open({ 'tools/call': () => interim({ requestState: 's' }) });
    const call = client.callTool({ name: 'n' }).catch((error: unknown) => error);
    await clock.advance(300);
    await client.close();
    expect(await call).toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(clock.armed).toBe(0);
    const next = await createScriptedServer({ clock, answers: { 'server/discover': () => discovered() } });
    await client.connect(next.transport);
    await clock.advance(100_000);
    expect(next.requests).toEqual(['server/discover']);
  });

  it('W192 are handed to the caller who wants to drive them', async () => {
    const answers: Record<string, ScriptedAnswer> = {
      'tools/call': ({ inputResponses }) =>
        inputResponses === undefined ? interim({ inputRequests: { r: ROOTS } }) : { content: [] },
    };
    const manual = await open(answers, { inputRequired: { autoFulfill: false } });
    const automatic = await open(answers);
    for (const { client, sent } of [manual, automatic]) {
      client.setRequestHandler('roots/list', () => {
        throw new TypeError('nobody asks');
      });
      const options = client === manual.client ? {} : { allowInputRequired: true };
      const first = await client.callTool({ name: 'n' }, options);
      expect(first).toEqual(interim({ inputRequests: { r: ROOTS } }));
      const inputResponses = { r: { roots: [] } };
      expect(await client.callTool({ name: 'n', inputResponses }, options)).toEqual({ content: [] });
      expect(sent('tools/call')).toHaveLength(2);
      const schema = withInputRequired(z.object({ content: z.array(z.unknown()) }));
      const request = { method: 'tools/call', params: { name: 'n' } };
      expect(await client.request(request, schema, options)).toMatchObject({ resultType: 'input_required' });
      const again = { method: 'tools/call', params: { name: 'n', inputResponses } };
      expect(await client.request(again, schema, options)).toEqual({ content: [] });
    }
  });
});

describe('types of results', () => {
  it('W36 are looked at before anything else', async () => {
    let result: object = {};
    const { client } = await open({ 'tools/call': () => result, 'tools/list': () => result });
    const call = async (given: object): Promise<unknown> => {
      result = given;
      return client.callTool({ name: 'n' });
    };
    const content: unknown[] = [];
    expect(await call({ content })).toEqual({ content });
    expect(await call({ resultType: 'complete', content })).toEqual({ content });
    for (const resultType of ['task', 'xyz', '', 7, null]) {
      for (const given of [{ resultType }, { resultType, content }]) {
        await expect(call(given)).rejects.toMatchObject({
          code: 'UNSUPPORTED_RESULT_TYPE',
          data: { resultType },
        });
      }
    }
    for (const broken of [{ resultType: 'input_required' }, { resultType: 'input_required', content }]) {
      await expect(call(broken)).rejects.toMatchObject({ code: 'INVALID_RESULT' });
    }
    result = interim({ requestState: 's' });
    await expect(client.listTools()).rejects.toMatchObject({ code: 'INVALID_RESULT' });
  });
});
