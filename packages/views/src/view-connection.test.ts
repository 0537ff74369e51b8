import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { askServer } from './view-connection.ts';
import type { ViewConnection } from './view-connection.ts';

const never = (): Promise<unknown> => new Promise(() => undefined);
const call = { method: 'tools/call', params: { name: 'a' } } as const;
const list = { method: 'resources/list', params: {} } as const;

function createAsking(request: ViewConnection['request']) {
  const clock = createManualClock();
  const leaving = new AbortController();
  const ask = (what: typeof call | typeof list) =>
    askServer({ isReady: true, request }, what, {
      clock,
      toolCallTimeoutMs: 600_000,
      signal: leaving.signal,
    });
  return { clock, leaving, ask };
}

describe('askServer', () => {
  it.each([
    ['tools/call', call, 600_000],
    ['resources/list', list, 60_000],
  ] as const)(
    'R157 ends a %s without an answer after its time, and tells the server so',
    async (_name, what, ms) => {
      let signal: AbortSignal | undefined;
      const { clock, ask } = createAsking((_request, options) => {
        expect(options.timeoutMs).toBe(ms);
        signal = options.signal;
        return never();
      });
      let answer: unknown;
      void ask(what).then((given) => (answer = given));
      await clock.advance(ms - 1);
      expect([answer, signal?.aborted]).toEqual([undefined, false]);
      await clock.advance(1);
      expect(answer).toMatchObject({ error: { code: -32001 } });
      expect([signal?.aborted, clock.armed]).toEqual([true, 0]);
    },
  );

  it('hands on the result, the error of the server, and nothing but words of another fault', async () => {
    const answers = [
      Promise.resolve({ content: [] }),
      Promise.reject(Object.assign(new Error('no'), { code: -32602, data: { a: 1 } })),
      Promise.reject(
        Object.assign(new Error('kept'), { code: 'server_error', data: { code: 7, message: 'seven' } }),
      ),
      Promise.reject(Object.assign(new Error('down'), { code: 'network_error' })),
    ];
    for (const answer of answers) answer.catch(() => undefined);
    const { ask, clock } = createAsking(() => answers.shift() ?? never());
    expect(await ask(call)).toEqual({ result: { content: [] } });
    expect(await ask(call)).toEqual({ error: { code: -32602, message: 'no', data: { a: 1 } } });
    expect(await ask(call)).toEqual({ error: { code: 7, message: 'seven', data: undefined } });
    expect(await ask(call)).toEqual({ error: { code: -32603, message: 'down' } });
    expect(clock.armed).toBe(0);
  });

  it('ends with the view that asked', async () => {
    let signal: AbortSignal | undefined;
    const { ask, leaving } = createAsking((_request, options) => {
      signal = options.signal;
      return Promise.reject(new Error('ended'));
    });
    const asked = ask(call);
    leaving.abort();
    await asked;
    expect(signal?.aborted).toBe(true);
  });
});
