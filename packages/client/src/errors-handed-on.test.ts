import type { JSONRPCMessage } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedServer, discovered } from '../../../testing/scripted-server.ts';
import { createScriptedTransport } from '../../../testing/scripted-transport.ts';
import type { ScriptedTransport } from '../../../testing/scripted-transport.ts';
import { Client, SdkError, UnauthorizedError } from './index.ts';

const INFO = { name: 'test', version: '1' };
const AUTO = { versionNegotiation: { mode: 'auto' } } as const;
const outcome = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);
const methodsOf = ({ sent }: ScriptedTransport): unknown[] =>
  sent.map((message) => ('method' in message ? message.method : undefined));

describe('a transport of anybody’s that cannot send', () => {
  it('W43 tells nothing of the era when the probe does not go out', async () => {
    const transport = createScriptedTransport();
    const cause = new TypeError('no way there');
    transport.sendFailure = cause;
    const client = new Client(INFO, AUTO);
    expect(await outcome(client.connect(transport))).toMatchObject({ code: 'ERA_NEGOTIATION_FAILED', cause });
    transport.sendFailure = undefined;
    expect(transport.sent).toEqual([]);
  });

  it.each(['auto', 'legacy'] as const)(
    'W43 W206 hands on as it is that a sign-in is needed, in mode %s and later',
    async (mode) => {
      const wanted = new UnauthorizedError('sign in first');
      const shut = createScriptedTransport();
      shut.sendFailure = wanted;
      const client = new Client(INFO, { versionNegotiation: { mode } });
      expect(await outcome(client.connect(shut))).toBe(wanted);
      const server = await createScriptedServer({
        clock: createManualClock(),
        answers: { 'server/discover': () => discovered() },
      });
      await client.connect(server.transport);
      server.transport.send = () => Promise.reject(wanted);
      expect(await outcome(client.callTool({ name: 'x' }))).toBe(wanted);
    },
  );
});

describe('whoever listened to a transport before', () => {
  it.each(['auto', 'legacy'] as const)(
    'W24 hears once that it closed while it was being opened, in mode %s',
    async (mode) => {
      const transport = createScriptedTransport();
      let closings = 0;
      transport.onclose = () => void (closings += 1);
      const client = new Client(INFO, { versionNegotiation: { mode } });
      const connecting = outcome(client.connect(transport));
      await expect.poll(() => methodsOf(transport)).toHaveLength(1);
      transport.onclose();
      expect(await connecting).toBeInstanceOf(SdkError);
      expect(closings).toBe(1);
    },
  );

  it('W24 hears once that the client closed what it could not open', async () => {
    const transport = createScriptedTransport();
    let closings = 0;
    transport.onclose = () => void (closings += 1);
    const connecting = outcome(new Client(INFO).connect(transport));
    await expect.poll(() => methodsOf(transport)).toEqual(['initialize']);
    const { id } = transport.sent[0] as JSONRPCMessage & { id: number };
    transport.receive({ jsonrpc: '2.0', id, error: { code: -32_603, message: 'no' } });
    expect(await connecting).toMatchObject({ code: -32_603 });
    expect(closings).toBe(1);
  });
});

describe('a signal whose reason is an error of this side', () => {
  const reason = new SdkError('CONNECTION_CLOSED', { message: 'the window was closed' });

  it.each(['auto', 'legacy'] as const)('W64 ends with it what it is given to, in mode %s', async (mode) => {
    const clock = createManualClock();
    const never = (): Promise<never> => new Promise(() => undefined);
    const server = await createScriptedServer({
      clock,
      answers: { 'server/discover': () => discovered(), 'tools/call': never },
    });
    const client = new Client(INFO, { clock, versionNegotiation: { mode } });
    await client.connect(server.transport);
    const abort = new AbortController();
    const open = outcome(client.callTool({ name: 'x' }, { signal: abort.signal }));
    await expect.poll(() => server.requests).toContain('tools/call');
    abort.abort(reason);
    expect(await open).toBe(reason);
    expect(await outcome(client.callTool({ name: 'x' }, { signal: abort.signal }))).toBe(reason);
    const other = new Client(INFO, { clock, versionNegotiation: { mode } });
    expect(await outcome(other.connect(createScriptedTransport(), { signal: abort.signal }))).toBe(reason);
  });

  it('W64 is told from one of the caller’s own, which is the cause', async () => {
    const clock = createManualClock();
    const server = await createScriptedServer({ clock, answers: {} });
    const client = new Client(INFO, { clock });
    await client.connect(server.transport);
    const given = client.callTool({ name: 'x' }, { signal: AbortSignal.abort('enough') });
    expect(await outcome(given)).toMatchObject({ code: 'REQUEST_ABORTED', cause: 'enough' });
  });
});
