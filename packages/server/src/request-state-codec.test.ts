import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { modern, openWire, type Wire } from '../../../testing/mcp-wire.ts';
import type { ServerContext } from './context.ts';
import { inputRequired } from './input-required.ts';
import { McpServer } from './mcp/mcp-server.ts';
import { createRequestStateCodec, type RequestStateCodec } from './request-state-codec.ts';

const KEY = 'k'.repeat(32);
const REFUSAL = {
  code: -32_602,
  message: 'Invalid or expired requestState',
  data: { reason: 'invalid_request_state' },
};
const contextOf = (method: string, clientId: string): ServerContext =>
  ({ mcpReq: { method }, http: { authInfo: { clientId } } }) as unknown as ServerContext;
const ANYBODY = contextOf('tools/call', '');

const reasonOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'taken',
    (error: unknown) => (error as Error).message,
  );

describe('request state', () => {
  it('W191 comes back as it was, readable, for ten minutes', async () => {
    const clock = createManualClock();
    const codec = createRequestStateCodec<{ step: number; name: string }>({ key: KEY, clock });
    const text = await codec.mint({ step: 2, name: 'Zoë' });
    expect(await codec.verify(text, ANYBODY)).toEqual({ step: 2, name: 'Zoë' });
    const [, body = ''] = text.split('.');
    expect(Buffer.from(body, 'base64url').toString()).toContain('"step":2');
    await clock.advance(599_000);
    expect(await reasonOf(codec.verify(text, ANYBODY))).toBe('taken');
    await clock.advance(1000);
    expect(await reasonOf(codec.verify(text, ANYBODY))).toBe('expired');
    const brief = createRequestStateCodec({ key: new TextEncoder().encode(KEY), ttlSeconds: 1, clock });
    const short = await brief.mint('x');
    await clock.advance(1000);
    expect(await reasonOf(brief.verify(short, ANYBODY))).toBe('expired');
  });

  it('W191 needs a key of 32 bytes', () => {
    expect(() => createRequestStateCodec({ key: 'k'.repeat(31) })).toThrow(RangeError);
    expect(() => createRequestStateCodec({ key: new Uint8Array(31) })).toThrow(RangeError);
    expect(() => createRequestStateCodec({ key: 'ü'.repeat(16) })).not.toThrow();
    for (const ttlSeconds of [Number.POSITIVE_INFINITY, Number.NaN]) {
      expect(() => createRequestStateCodec({ key: KEY, ttlSeconds })).toThrow(RangeError);
    }
  });

  it('W191 keeps its key when the caller wipes the bytes it was made of', async () => {
    const bytes = new TextEncoder().encode(KEY);
    const codec = createRequestStateCodec({ key: bytes });
    bytes.fill(0);
    const text = await codec.mint({ a: 1 });
    expect(await createRequestStateCodec({ key: KEY }).verify(text, ANYBODY)).toEqual({ a: 1 });
    const zeroes = createRequestStateCodec({ key: new Uint8Array(32) });
    expect(await reasonOf(zeroes.verify(text, ANYBODY))).toBe('mac');
    expect(await reasonOf(codec.verify(`v1..${text.split('.')[2] ?? ''}`, ANYBODY))).toBe('malformed');
  });

  it('W191 is refused after any change of any byte, and under another key', async () => {
    const codec = createRequestStateCodec({ key: KEY });
    const text = await codec.mint({ a: 1 });
    for (let index = 0; index < text.length; index++) {
      for (const bit of [1, 2, 4, 8, 16, 32, 64]) {
        const altered =
          text.slice(0, index) + String.fromCharCode(text.charCodeAt(index) ^ bit) + text.slice(index + 1);
        expect(await reasonOf(codec.verify(altered, ANYBODY))).toMatch(/^(malformed|mac)$/);
      }
    }
    for (const odd of [
      '',
      'v1',
      'v1..',
      'v2' + text.slice(2),
      `${text}.x`,
      text.slice(0, -1),
      `${text}=`,
      'x'.repeat(2_000_000),
    ]) {
      expect(await reasonOf(codec.verify(odd, ANYBODY))).toMatch(/^(malformed|mac)$/);
    }
    const other = createRequestStateCodec({ key: 'q'.repeat(32) });
    expect(await reasonOf(other.verify(text, ANYBODY))).toBe('mac');
  });

  it('W191 can be tied to principal and method, of which nothing shows', async () => {
    const bind = ({ mcpReq, http }: ServerContext): string =>
      `${mcpReq.method}\0${(http!.authInfo as { clientId: string }).clientId}`;
    const codec = createRequestStateCodec({ key: KEY, bind });
    const text = await codec.mint({ a: 1 }, contextOf('tools/call', 'ada'));
    expect(Buffer.from(text.split('.')[1]!, 'base64url').toString()).not.toContain('ada');
    expect(await codec.verify(text, contextOf('tools/call', 'ada'))).toEqual({ a: 1 });
    expect(await reasonOf(codec.verify(text, contextOf('tools/call', 'eve')))).toBe('bind');
    expect(await reasonOf(codec.verify(text, contextOf('prompts/get', 'ada')))).toBe('bind');
    await expect(codec.mint({ a: 1 })).rejects.toThrow(TypeError);
    // Neither side may forget what the state is tied to.
    const untied = createRequestStateCodec({ key: KEY });
    expect(await reasonOf(untied.verify(text, contextOf('tools/call', 'ada')))).toBe('bind');
    expect(await reasonOf(codec.verify(await untied.mint({ a: 1 }), contextOf('tools/call', 'ada')))).toBe(
      'bind',
    );
  });
});

describe('a server that verifies', () => {
  const serving = (
    codec: RequestStateCodec<{ n: number }>,
  ): { server: McpServer; ran: unknown[]; reports: string[] } => {
    const server = new McpServer({ name: 'state', version: '1' }, { requestState: { verify: codec.verify } });
    const ran: unknown[] = [];
    const reports: string[] = [];
    server.server.onerror = (error) => reports.push(String(error));
    for (const name of ['one', 'two']) {
      server.registerTool(name, {}, async (ctx) => {
        const state = ctx.mcpReq.requestState<{ n: number }>();
        ran.push(state);
        if (state === undefined) return inputRequired({ requestState: await codec.mint({ n: 1 }, ctx) });
        return { content: [{ type: 'text', text: String(state.n) }] };
      });
    }
    return { server, ran, reports };
  };
  const open = (server: McpServer): Promise<Wire> => openWire((transport) => server.connect(transport));

  it('W191 hands verified state to the handler, and answers everything else with one text', async () => {
    const codec = createRequestStateCodec<{ n: number }>({ key: KEY, bind: (ctx) => ctx.mcpReq.method });
    const { server, ran, reports } = serving(codec);
    const wire = await open(server);
    const { requestState } = await wire.result('tools/call', modern({ name: 'one' }));
    const state = requestState as string;
    expect(await wire.result('tools/call', modern({ name: 'one', requestState: state }))).toMatchObject({
      content: [{ text: '1' }],
    });
    expect(ran).toEqual([undefined, { n: 1 }]);
    const foreign = await createRequestStateCodec<{ n: number }>({ key: 'q'.repeat(32) }).mint({ n: 9 });
    for (const bad of [`${state}x`, state.slice(0, -2), '', 'v1.e30.e30', foreign, 7, { a: 1 }]) {
      expect(await wire.error('tools/call', modern({ name: 'one', requestState: bad }))).toEqual(REFUSAL);
    }
    expect(ran).toHaveLength(2);
    expect(reports.join()).not.toContain(state.slice(4, 30));
  });

  it('W191 tells other tools and old state apart when it is tied to them', async () => {
    const clock = createManualClock();
    let tool = 'one';
    const codec = createRequestStateCodec<{ n: number }>({ key: KEY, bind: () => tool, clock });
    const { server, ran } = serving(codec);
    const wire = await open(server);
    const { requestState } = await wire.result('tools/call', modern({ name: 'one' }));
    tool = 'two';
    expect(await wire.error('tools/call', modern({ name: 'two', requestState }))).toEqual(REFUSAL);
    tool = 'one';
    await clock.advance(600_000);
    expect(await wire.error('tools/call', modern({ name: 'one', requestState }))).toEqual(REFUSAL);
    expect(ran).toEqual([undefined]);
  });
});
