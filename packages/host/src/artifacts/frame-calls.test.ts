import type { ConnectionState } from '@portico/connections';
import { ConnectionsError } from '@portico/connections';
import type { CallToolResult } from '@portico/spec';
import { describe, expect, it } from 'vitest';
import type { ArtifactRecord, ConnectorRecord, ConsentRecord } from '../ports/stores.ts';
import { FRAME_CALL_MS, MAX_FRAME_INPUT, createFrameCalls } from './frame-calls.ts';

interface Situation {
  /** Connectors called `Mail`, each with a state. */
  readonly connectors?: readonly {
    readonly enabled?: boolean;
    readonly status?: ConnectionState['status'];
  }[];
  readonly consent?: 'allow' | 'deny' | 'none';
  readonly answer?: () => Promise<CallToolResult>;
}

const DONE: CallToolResult = { content: [{ type: 'text', text: 'done' }] };

function setUp(situation: Situation = {}) {
  const { connectors = [{}], consent = 'allow', answer = () => Promise.resolve(DONE) } = situation;
  const calls: { id: string; limits: unknown }[] = [];
  const asked: string[] = [];
  const records = connectors.map(({ enabled = true }, index): ConnectorRecord => ({
    id: `mail-${index}`,
    name: 'Mail',
    label: '',
    groupId: `mail-${index}`,
    transport: { kind: 'builtin', module: 'x' },
    enabled,
    starts: 'with_portico',
    approvedHash: null,
    createdAtMs: 0,
  }));
  const consents: ConsentRecord[] =
    consent === 'none'
      ? []
      : [{ artifactId: 'a', server: 'Mail', decision: consent, tools: ['send'], decidedAtMs: 0 }];
  const frames = createFrameCalls({
    connectors: {
      records: () => records,
      state: (id) => ({ status: connectors[Number(id.slice(5))]?.status ?? 'ready' }) as ConnectionState,
      tools: () => [],
    },
    connections: {
      callTool: (id, _call, limits) => {
        calls.push({ id, limits });
        return answer();
      },
    },
    firstUse: { begin: () => Promise.resolve() },
    consents: {
      list: (artifactId) => {
        asked.push(artifactId);
        return Promise.resolve(consents);
      },
      put: () => Promise.resolve(),
      remove: () => Promise.resolve(),
    },
  });
  const artifact: ArtifactRecord = {
    id: 'a',
    title: 't',
    version: 1,
    contentHash: '',
    manifest: { mcp: { servers: [{ name: 'Mail', tools: ['send'] }] } },
    demo: false,
    createdAtMs: 0,
    updatedAtMs: 0,
  };
  const call = (tool = 'send', input: Record<string, unknown> = {}) =>
    frames.call(artifact, { server: 'Mail', tool, input }, new AbortController().signal);
  return { call, calls, asked };
}

describe('calls of frames, checked by the gateway', () => {
  it('a good call runs once, within a time shorter than the page waits', async () => {
    const { call, calls } = setUp();
    expect(await call()).toEqual({ ok: true, result: { content: DONE.content } });
    expect(calls).toEqual([
      {
        id: 'mail-0',
        limits: expect.objectContaining({ timeoutMs: FRAME_CALL_MS, maxTotalTimeoutMs: FRAME_CALL_MS }),
      },
    ]);
  });

  it('an earlier fault hides a later one and causes none of the later activity', async () => {
    const everythingWrong: Situation = { connectors: [], consent: 'none' };
    const manifest = setUp(everythingWrong);
    expect(await manifest.call('other')).toMatchObject({ error: { code: 'not_in_manifest' } });
    const presence = setUp(everythingWrong);
    expect(await presence.call()).toMatchObject({ error: { code: 'server_not_connected', server: 'Mail' } });
    const consent = setUp({ connectors: [{ status: 'needs_sign_in' }, {}], consent: 'none' });
    expect(await consent.call()).toMatchObject({ error: { code: 'not_in_manifest' } });
    const choice = setUp({ connectors: [{ status: 'needs_sign_in' }, {}] });
    expect(await choice.call()).toMatchObject({ error: { code: 'selection_required' } });
    const credentials = setUp({ connectors: [{ status: 'needs_sign_in' }] });
    expect(await credentials.call()).toMatchObject({ error: { code: 'needs_reauth' } });
    for (const { calls } of [manifest, presence, consent, choice, credentials]) expect(calls).toEqual([]);
    for (const { asked } of [manifest, presence]) expect(asked).toEqual([]);
  });

  it('F37 of two connectors with one name none is taken; with one of them off the call just runs', async () => {
    const two = setUp({ connectors: [{}, {}] });
    expect(await two.call()).toEqual({
      ok: false,
      error: { code: 'selection_required', server: 'Mail', message: expect.any(String) },
    });
    expect(two.calls).toEqual([]);
    const one = setUp({ connectors: [{ enabled: false }, {}] });
    expect(await one.call()).toMatchObject({ ok: true });
    expect(one.calls.map(({ id }) => id)).toEqual(['mail-1']);
  });

  it('an input over the limit is refused before anything else', async () => {
    const { call, calls, asked } = setUp();
    expect(await call('send', { text: 'x'.repeat(MAX_FRAME_INPUT) })).toMatchObject({
      error: { code: 'bad_request' },
    });
    expect([calls, asked]).toEqual([[], []]);
  });

  it('an error of the tool carries its text and its whole answer', async () => {
    const result: CallToolResult = {
      content: [{ type: 'text', text: 'no such mail' }],
      isError: true,
      _meta: { x: 1 },
    };
    expect(await setUp({ answer: () => Promise.resolve(result) }).call()).toEqual({
      ok: false,
      error: { code: 'tool_error', server: 'Mail', message: 'no such mail', result },
    });
    const silent = setUp({ answer: () => Promise.resolve({ content: [], isError: true }) });
    expect(await silent.call()).toMatchObject({
      error: { code: 'tool_error', message: expect.stringMatching(/./) },
    });
  });

  it('a result says nothing but content: no cache mark, metadata or error flag', async () => {
    const result = {
      content: [],
      structuredContent: { a: 1 },
      isError: false,
      _meta: {},
      cache: { storedAt: 1 },
    };
    expect(await setUp({ answer: () => Promise.resolve(result) }).call()).toEqual({
      ok: true,
      result: { content: [], structuredContent: { a: 1 } },
    });
  });

  it.each([
    [new ConnectionsError('timeout', { id: 'x' }), 'server_unavailable', true],
    [new ConnectionsError('unreachable', { id: 'x' }), 'server_unavailable', true],
    [new ConnectionsError('connection_lost', { id: 'x' }), 'server_unavailable', true],
    [new ConnectionsError('not_ready', { id: 'x', status: 'failed' }), 'server_unavailable', true],
    [new ConnectionsError('needs_sign_in', { id: 'x' }), 'needs_reauth', undefined],
    [new ConnectionsError('unknown_connection', { id: 'x' }), 'server_not_found', undefined],
    [new ConnectionsError('cancelled', { id: 'x' }), 'cancelled', undefined],
    [new ConnectionsError('server_error', { id: 'x', code: -32000 }), 'upstream_error', undefined],
    [new ConnectionsError('invalid_answer', { id: 'x' }), 'upstream_error', undefined],
    [new TypeError('unexpected'), 'upstream_error', undefined],
  ])('%s becomes %s', async (error, code, retryable) => {
    const { call, calls } = setUp({ answer: () => Promise.reject(error) });
    const answer = await call();
    expect(answer).toEqual({
      ok: false,
      error: {
        code,
        server: 'Mail',
        message: expect.any(String),
        ...(retryable === true ? { retryable } : {}),
      },
    });
    expect(calls.length).toBe(1);
    expect(JSON.stringify(answer)).not.toContain('unexpected');
  });
});
