import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import type { ManualClock } from '../../../../testing/manual-clock.ts';
import type { FrameLimits } from '../limits.ts';
import { createBroker } from './broker.ts';
import type { Broker } from './broker.ts';
import { createConsent } from './consent.ts';
import type { GatewayCall } from './gateway.ts';

interface Answer {
  readonly id?: number | null;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly data?: { readonly code?: string; readonly retryAfterMs?: number } };
}

interface Page {
  readonly clock: ManualClock;
  readonly broker: Broker;
  readonly port: MessagePort;
  readonly answers: Answer[];
  readonly calls: GatewayCall[];
}

const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

async function createPage(limits: Partial<FrameLimits> = {}, hang = false): Promise<Page> {
  const clock = createManualClock();
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  const answers: Answer[] = [];
  const calls: GatewayCall[] = [];
  port2.onmessage = (event) => answers.push(JSON.parse(String(event.data)) as Answer);
  const broker = await createBroker({
    port: port1,
    clock,
    limits,
    manifest: { mcp: { servers: [{ name: 'A', tools: ['t'] }] } },
    consent: createConsent({ servers: ['A'], granted: ['A'], ask: () => Promise.resolve({}) }),
    gateway: {
      callTool(call) {
        calls.push(call);
        return hang ? new Promise(() => undefined) : Promise.resolve({ ok: true, result: { content: [] } });
      },
      listTools: () => Promise.resolve({ servers: [] }),
    },
  });
  await clock.advance(0);
  answers.splice(0);
  return { clock, broker, port: port2, answers, calls };
}

const request = (id: number, params: unknown, method = 'callTool'): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const codes = (page: Page): (string | undefined)[] => page.answers.map((answer) => answer.error?.data?.code);

describe('a page that speaks on the channel itself', () => {
  it.each([
    ['no server', { tool: 't' }],
    ['a server that is no text', { server: 5, tool: 't' }],
    ['a list as input', { server: 'A', tool: 't', input: [] }],
    ['a long name', { server: 'A', tool: 'x'.repeat(257) }],
    ['an input above 1 MiB', { server: 'A', tool: 't', input: { x: 'y'.repeat(1_048_570) } }],
  ])('gets bad_request for %s', async (_name, params) => {
    const page = await createPage();
    page.port.postMessage(request(1, params));
    await page.clock.advance(0);
    expect(codes(page)).toEqual(['bad_request']);
    expect(page.calls).toEqual([]);
  });

  it('F47 gets bad_request for a method that this shell does not know', async () => {
    const page = await createPage();
    page.port.postMessage(request(1, {}, 'invalidate'));
    page.port.postMessage(request(2, {}, 'constructor'));
    await page.clock.advance(0);
    expect(codes(page)).toEqual(['bad_request', 'bad_request']);
  });

  it('is answered bad_request for a text above the limit before anything parses it', async () => {
    const page = await createPage({ maxMessageLength: 100 });
    page.port.postMessage(`{"jsonrpc":"2.0","id":7,"method":"callTool",${'!'.repeat(100)}`);
    page.port.postMessage('['.repeat(1_000));
    await page.clock.advance(0);
    expect(page.answers.map((answer) => answer.id)).toEqual([7, null]);
    expect(codes(page)).toEqual(['bad_request', 'bad_request']);
  });

  it('gains nothing by extra members', async () => {
    const page = await createPage();
    page.port.postMessage(
      request(1, { server: 'A', tool: 't', manifest: {}, granted: true, cache: { storedAt: 1 } }),
    );
    await page.clock.advance(0);
    expect(page.calls).toEqual([{ server: 'A', tool: 't', input: {} }]);
    expect(page.answers).toMatchObject([{ id: 1, result: { content: [] } }]);
  });

  it('F176 throws nothing and answers nothing wrong whatever arrives', async () => {
    const page = await createPage({ messageBurst: 100_000 });
    const odd = fc.oneof(
      fc
        .anything({ maxDepth: 3 })
        .filter((value) => typeof value !== 'function' && typeof value !== 'symbol'),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc
        .record(
          {
            id: fc.jsonValue(),
            method: fc.constantFrom('callTool', 'frame/cancel', 'frame/init', 'permissions.request'),
            params: fc.jsonValue(),
          },
          { requiredKeys: [] },
        )
        .map((value) => JSON.stringify({ jsonrpc: '2.0', ...value })),
    );
    for (const message of fc.sample(odd, { numRuns: 400, seed: 7 })) {
      try {
        page.port.postMessage(message);
      } catch {
        // What cannot be cloned never leaves the page.
      }
    }
    await page.clock.advance(0);
    expect(page.calls).toEqual([]);
    page.port.postMessage(request(1_000_000, { server: 'A', tool: 't' }));
    await page.clock.advance(0);
    expect(page.answers.at(-1)).toMatchObject({ id: 1_000_000, result: { content: [] } });
  });
});

describe('the flood guard', () => {
  it('answers rate_limited beyond the burst, runs none of it, and recovers with time', async () => {
    const page = await createPage({ messageBurst: 5, messagesPerSecond: 10 });
    for (let id = 1; id <= 8; id++) page.port.postMessage(request(id, { server: 'A', tool: 't' }));
    await page.clock.advance(0);
    expect(page.calls).toHaveLength(5);
    const refused = page.answers.filter((answer) => answer.error !== undefined);
    expect(refused.map((answer) => answer.id)).toEqual([6, 7, 8]);
    for (const answer of refused) {
      expect(answer.error?.data).toMatchObject({ code: 'rate_limited', retryable: true, retryAfterMs: 100 });
    }
    await page.clock.advance(1_000);
    page.port.postMessage(request(9, { server: 'A', tool: 't' }));
    await page.clock.advance(0);
    expect(page.calls).toHaveLength(6);
  });

  it('lets 64 polls and dozens of calls through', async () => {
    const page = await createPage();
    for (let round = 0; round < 10; round++) {
      for (let id = 1; id <= 100; id++)
        page.port.postMessage(request(round * 100 + id, { server: 'A', tool: 't' }));
      await page.clock.advance(1_000);
    }
    expect(page.calls).toHaveLength(1_000);
    expect(codes(page).filter((code) => code !== undefined)).toEqual([]);
  });

  it('bounds how many calls are open', async () => {
    const page = await createPage({ maxPending: 3 }, true);
    for (let id = 1; id <= 5; id++) page.port.postMessage(request(id, { server: 'A', tool: 't' }));
    await page.clock.advance(0);
    expect(page.calls).toHaveLength(3);
    expect(codes(page)[0]).toBe('rate_limited');
  });

  it('closes the port of a page that never stops', async () => {
    const page = await createPage({ messageBurst: 1, maxRefusedInRow: 10 }, true);
    for (let id = 1; id <= 50; id++) page.port.postMessage(request(id, { server: 'A', tool: 't' }));
    await page.clock.advance(0);
    expect(page.broker.openCalls).toBe(0);
    await page.clock.advance(60_000);
    page.port.postMessage(request(99, { server: 'A', tool: 't' }));
    await page.clock.advance(0);
    expect(page.calls).toHaveLength(1);
  });
});
