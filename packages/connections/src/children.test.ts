import { StdioClientTransport } from '@portico/client/stdio';
import { afterEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { createConnections } from './connections.ts';
import type { Connections } from './connections.ts';
import { PROCESS_POLICY } from './policy.ts';
import type { ConnectionState } from './state.ts';

/** A small legacy server; a call of `crash` says why and ends the process, one of `pid` tells it. */
const SERVER = `
  const say = (message) => process.stdout.write(JSON.stringify({jsonrpc: '2.0', ...message}) + '\\n');
  const results = {
    initialize: () => ({protocolVersion: '2025-11-25', capabilities: {tools: {}}, serverInfo: {name: 'child', version: '1'}}),
    'tools/list': () => ({tools: [{name: 'crash', inputSchema: {type: 'object'}}]}),
    'tools/call': ({name}) => {
      if (name !== 'crash') return {content: [], structuredContent: {pid: process.pid}};
      console.error('\\u001b[31mout of memory\\u001b[0m');
      process.exit(3);
    },
  };
  require('node:readline').createInterface({input: process.stdin}).on('line', (line) => {
    const {id, method, params} = JSON.parse(line);
    if (id === undefined) return;
    const answer = results[method];
    say(answer ? {id, result: answer(params)} : {id, error: {code: -32601, message: 'no'}});
  });
`;

const all: Connections[] = [];
afterEach(async () => {
  await Promise.all(all.splice(0).map((connections) => connections.close()));
});

function until(
  connections: Connections,
  reached: (state: ConnectionState) => boolean,
): Promise<ConnectionState> {
  return new Promise((resolve) => {
    const look = (): void => {
      const state = connections.get('a');
      if (state === undefined || !reached(state)) return;
      stop();
      resolve(state);
    };
    const stop = connections.subscribeTo('a', look);
    look();
  });
}

describe('children', () => {
  it('K33 are restarted with growing waits and left alone after the fifth crash, with their last words', async () => {
    const clock = createManualClock();
    const connections = createConnections({
      clock,
      clientInfo: { name: 'test', version: '1' },
      random: () => 0.5,
      versionNegotiation: { mode: 'legacy' },
      policyFor: () => PROCESS_POLICY,
      createTransport: () => new StdioClientTransport({ command: process.execPath, args: ['-e', SERVER] }),
    });
    all.push(connections);
    connections.add('a', {});
    const waits: number[] = [];
    for (let crash = 1; crash <= 5; crash++) {
      await until(connections, ({ status }) => status === 'ready');
      const call = connections.callTool('a', { name: 'crash' }).catch((error: unknown) => error);
      const state = await until(connections, ({ status }) => status !== 'ready');
      expect(await call).toMatchObject({
        code: 'connection_lost',
        message: 'the server stopped; the action may have happened',
      });
      expect(state).toMatchObject({
        status: crash < 5 ? 'connecting' : 'stopped',
        error: { step: 'process', exitCode: 3, signal: null, stderrTail: ['out of memory'] },
      });
      if (state.retryAtMs === undefined) break;
      const waitMs = state.retryAtMs - clock.now();
      waits.push(waitMs);
      await clock.advance(waitMs);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(connections.get('a')?.retryAtMs).toBeUndefined();
    await clock.advance(3_600_000);
    expect(connections.get('a')?.status).toBe('stopped');
  });

  it('share one process for all calls, which run at once', async () => {
    const connections = createConnections({
      clock: createManualClock(),
      clientInfo: { name: 'test', version: '1' },
      versionNegotiation: { mode: 'legacy' },
      policyFor: () => PROCESS_POLICY,
      createTransport: () => new StdioClientTransport({ command: process.execPath, args: ['-e', SERVER] }),
    });
    all.push(connections);
    connections.add('a', {}, { connect: false });
    const results = await Promise.all(
      Array.from({ length: 50 }, () => connections.callTool('a', { name: 'pid' })),
    );
    const pids = new Set(results.map((result) => JSON.stringify(result.structuredContent)));
    expect(pids.size).toBe(1);
  });

  it('that never answer are given up with what they said last', async () => {
    const clock = createManualClock();
    let said = (): void => undefined;
    const heard = new Promise<void>((resolve) => {
      said = resolve;
    });
    const connections = createConnections({
      clock,
      clientInfo: { name: 'test', version: '1' },
      versionNegotiation: { mode: 'legacy' },
      policyFor: () => PROCESS_POLICY,
      createTransport: () =>
        new StdioClientTransport(
          {
            command: process.execPath,
            args: ['-e', `console.error('waiting for the database'); process.stdin.resume()`],
          },
          { onstderr: said },
        ),
    });
    all.push(connections);
    connections.add('a', {});
    await heard;
    await clock.advance(60_000);
    expect(await until(connections, ({ status }) => status === 'failed')).toMatchObject({
      error: { step: 'timeout', stderrTail: ['waiting for the database'] },
    });
  });

  it('that cannot be started say why, and are not tried again', async () => {
    const clock = createManualClock();
    const connections = createConnections({
      clock,
      clientInfo: { name: 'test', version: '1' },
      policyFor: () => PROCESS_POLICY,
      createTransport: () => new StdioClientTransport({ command: 'portico-no-such-command' }),
    });
    all.push(connections);
    connections.add('a', {});
    expect(await until(connections, ({ status }) => status === 'failed')).toMatchObject({
      error: { step: 'command', code: 'STDIO_COMMAND_NOT_FOUND' },
    });
    expect(connections.get('a')?.retryAtMs).toBeUndefined();
  });
});
