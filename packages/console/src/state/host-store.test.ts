import type { Bootstrap, Conversation, ConversationDetail, HostEvent } from '@portico/api';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import type { ApiClient } from '../api/client.ts';
import type { Fetch } from '../api/request.ts';
import { ConsoleError } from '../errors.ts';
import { createHostStore } from './host-store.ts';

const conversation: Conversation = {
  id: 'c',
  title: 'C',
  status: 'idle',
  waitingApprovals: 0,
  createdAtMs: 1,
  updatedAtMs: 1,
};
const bootstrap: Bootstrap = {
  seq: 3,
  version: '1',
  model: { configured: false },
  connectors: [],
  conversations: [conversation],
  artifacts: [],
  isolationProbe: '/probe',
};

function setUp() {
  let status = 200;
  const clock = createManualClock();
  const calls = { bootstrap: 0, conversation: 0 };
  const failure: { next?: ConsoleError } = {};
  let detail: ConversationDetail = { conversation, items: [], seq: 3 };
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const api = {
    bootstrap: async () => {
      calls.bootstrap++;
      if (failure.next !== undefined) throw failure.next;
      return bootstrap;
    },
    conversation: async () => {
      calls.conversation++;
      return detail;
    },
  } as unknown as ApiClient;
  const fetch: Fetch = async () =>
    new Response(new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) }), {
      status,
    });
  const host = createHostStore({ api, fetch, clock, eventsUrl: '/api/events', random: () => 0.5 });
  return {
    host,
    clock,
    calls,
    failure,
    answerStreams: (next: number) => void (status = next),
    cut: () => controller?.error(new TypeError('cut')),
    setDetail: (next: ConversationDetail) => void (detail = next),
    send: async (event: HostEvent, seq: number) => {
      controller?.enqueue(new TextEncoder().encode(`id: ${seq}\ndata: ${JSON.stringify(event)}\n\n`));
      await clock.advance(0);
    },
  };
}

describe('host store', () => {
  it('shows what it loaded and follows the stream', async () => {
    const { host, clock, send } = setUp();
    await host.start();
    await clock.advance(0);
    await send({ type: 'conversation.changed', conversation: { ...conversation, title: 'Renamed' } }, 4);
    const state = host.store.getState();
    expect([state.phase, state.stream, state.seq, state.conversations['c']?.title]).toEqual([
      'ready',
      'live',
      4,
      'Renamed',
    ]);
  });

  it('loads everything again, open conversations included, when the host says resync', async () => {
    const { host, clock, calls, send } = setUp();
    await host.start();
    await host.openConversation('c');
    await host.openConversation('c');
    await clock.advance(0);
    expect(calls).toEqual({ bootstrap: 1, conversation: 1 });
    await send({ type: 'resync' }, 9);
    expect(calls).toEqual({ bootstrap: 2, conversation: 2 });
  });

  it('loads a conversation again when text arrives with a hole before it', async () => {
    const { host, clock, calls, setDetail, send } = setUp();
    await host.start();
    await host.openConversation('c');
    await clock.advance(0);
    const item = {
      id: 'm',
      type: 'assistant_message',
      createdAtMs: 1,
      text: 'whole text',
      streaming: true,
      model: 'm',
    } as const;
    setDetail({ conversation, items: [item], seq: 4 });
    await send({ type: 'item.text', conversationId: 'c', itemId: 'm', offset: 5, text: ' text' }, 4);
    expect(calls.conversation).toBe(2);
    expect(host.store.getState().transcripts['c']?.items).toEqual([item]);
  });

  it('tells a missing session from a host that is away, and can start over', async () => {
    const { host, failure } = setUp();
    failure.next = new ConsoleError('unreachable');
    await host.start();
    expect(host.store.getState().phase).toBe('failed');
    failure.next = new ConsoleError('no_session', { status: 401 });
    await host.retry();
    expect(host.store.getState().phase).toBe('no_session');
    delete failure.next;
    await host.retry();
    expect(host.store.getState().phase).toBe('ready');
    host.close();
  });

  it('comes back by itself, with open conversations loaded again, when the browser has a session again', async () => {
    const { host, clock, calls, failure, answerStreams, cut } = setUp();
    await host.start();
    await host.openConversation('c');
    await clock.advance(0);
    answerStreams(401);
    failure.next = new ConsoleError('no_session', { status: 401 });
    cut();
    await clock.advance(1_000);
    expect(host.store.getState().phase).toBe('no_session');
    await clock.advance(5_000);
    expect([host.store.getState().phase, calls]).toEqual(['no_session', { bootstrap: 2, conversation: 1 }]);
    answerStreams(200);
    delete failure.next;
    await clock.advance(5_000);
    const { phase, stream } = host.store.getState();
    expect([phase, stream, calls]).toEqual(['ready', 'live', { bootstrap: 3, conversation: 2 }]);
    host.close();
    await clock.advance(60_000);
    expect([calls.bootstrap, clock.armed]).toEqual([3, 0]);
  });
});
