import type {
  Artifact,
  AssistantMessage,
  Bootstrap,
  Connector,
  Conversation,
  HostEvent,
  Item,
} from '@portico/api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  reduceEvent,
  takeIn,
  transcriptFailed,
  transcriptLoaded,
  transcriptRequested,
  withItem,
} from './host-events.ts';
import { INITIAL_STATE, withBootstrap } from './host-state.ts';
import type { HostState } from './host-state.ts';

const connector: Connector = {
  id: 'k',
  name: 'K',
  label: '',
  groupId: 'k',
  transport: { kind: 'builtin', module: 'demo' },
  enabled: true,
  starts: 'with_portico',
  status: 'ready',
  cause: { kind: 'connected', message: '' },
  action: 'reconnect',
  toolCount: 1,
  toolsVersion: '',
  createdAtMs: 1,
};
const conversation: Conversation = {
  id: 'c',
  title: 'C',
  status: 'idle',
  waitingApprovals: 0,
  createdAtMs: 1,
  updatedAtMs: 1,
};
const artifact: Artifact = {
  id: 'a',
  title: 'A',
  version: 1,
  servers: [],
  grants: [],
  demo: false,
  createdAtMs: 1,
  updatedAtMs: 1,
};
const message = (text: string, streaming = true): AssistantMessage => ({
  id: 'm',
  type: 'assistant_message',
  createdAtMs: 1,
  text,
  streaming,
  model: 'scripted',
});
const bootstrap: Bootstrap = {
  seq: 10,
  version: '1',
  model: { configured: false },
  connectors: [connector],
  conversations: [conversation],
  artifacts: [artifact],
  isolationProbe: '/probe',
};

function opened(items: Item[] = [], seq = 10): HostState {
  const requested = transcriptRequested(withBootstrap(INITIAL_STATE, bootstrap), 'c');
  return transcriptLoaded(requested, { conversation, items, seq });
}

const textOf = (state: HostState): string | undefined => {
  const item = state.transcripts['c']?.items[0];
  return item?.type === 'assistant_message' ? item.text : undefined;
};
const said = (offset: number, text: string): HostEvent => ({
  type: 'item.text',
  conversationId: 'c',
  itemId: 'm',
  offset,
  text,
});

describe('host events', () => {
  it('replaces and removes connectors, conversations and artifacts by id', () => {
    let state = withBootstrap(INITIAL_STATE, bootstrap);
    state = reduceEvent(state, { type: 'connector.changed', connector: { ...connector, status: 'failed' } });
    state = reduceEvent(state, {
      type: 'conversation.changed',
      conversation: { ...conversation, waitingApprovals: 2 },
    });
    state = reduceEvent(state, { type: 'artifact.changed', artifact: { ...artifact, version: 2 } });
    expect(state.connectors['k']?.status).toBe('failed');
    expect(state.conversations['c']?.waitingApprovals).toBe(2);
    expect(state.artifacts['a']?.version).toBe(2);
    state = reduceEvent(state, { type: 'connector.removed', connectorId: 'k' });
    state = reduceEvent(state, { type: 'conversation.removed', conversationId: 'c' });
    state = reduceEvent(state, { type: 'artifact.removed', artifactId: 'a' });
    expect([state.connectors, state.conversations, state.artifacts, state.transcripts]).toEqual([
      {},
      {},
      {},
      {},
    ]);
  });

  it('counts the changes of a connector so that its tools are read again', () => {
    const before = withBootstrap(INITIAL_STATE, bootstrap);
    const after = reduceEvent(before, { type: 'connector.changed', connector });
    expect(after.revisions['k']).toBe((before.revisions['k'] ?? 0) + 1);
  });

  it('takes an event in once, however often it is sent', () => {
    const event: HostEvent = {
      type: 'conversation.changed',
      conversation: { ...conversation, title: 'New' },
    };
    const once = takeIn(opened(), { event, seq: 11 });
    expect(once.seq).toBe(11);
    expect(takeIn(once, { event: { type: 'conversation.removed', conversationId: 'c' }, seq: 11 })).toBe(
      once,
    );
  });

  it('ignores items of conversations that are not open and events of a newer host', () => {
    const state = withBootstrap(INITIAL_STATE, bootstrap);
    expect(reduceEvent(state, { type: 'item.changed', conversationId: 'c', item: message('x') })).toBe(state);
    expect(reduceEvent(state, { type: 'weather.changed' } as unknown as HostEvent)).toBe(state);
  });

  it('marks a hole when text starts beyond what is there or its item is unknown', () => {
    expect(reduceEvent(opened([message('ab')]), said(5, 'x')).transcripts['c']?.gap).toBe(true);
    expect(reduceEvent(opened([]), said(0, 'x')).transcripts['c']?.gap).toBe(true);
    expect(reduceEvent(opened([message('ab')]), said(2, 'x')).transcripts['c']?.gap).toBe(false);
  });

  it('ends with the same text when deltas are repeated and overlap', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 60 }),
        fc.array(fc.tuple(fc.nat(60), fc.nat(20)), { maxLength: 20 }),
        (text, repeats) => {
          let state = opened([message('')]);
          for (let end = 1; end <= text.length; end++) {
            state = reduceEvent(state, said(end - 1, text.slice(end - 1, end)));
            for (const [start, length] of repeats) {
              if (start < end)
                state = reduceEvent(state, said(start, text.slice(start, Math.min(end, start + length))));
            }
          }
          expect(textOf(state)).toBe(text);
        },
      ),
    );
  });
});

describe('loading a conversation', () => {
  it('puts events that came meanwhile on top of the answer, and only those it lacks', () => {
    let state = transcriptRequested(withBootstrap(INITIAL_STATE, bootstrap), 'c');
    state = takeIn(state, {
      event: { type: 'item.changed', conversationId: 'c', item: message('old') },
      seq: 11,
    });
    state = takeIn(state, { event: said(3, ' and new'), seq: 12 });
    state = transcriptLoaded(state, { conversation, items: [message('old')], seq: 11 });
    expect(textOf(state)).toBe('old and new');
  });

  it('does not apply events that the answer includes already', () => {
    let state = transcriptRequested(withBootstrap(INITIAL_STATE, bootstrap), 'c');
    state = takeIn(state, {
      event: { type: 'item.changed', conversationId: 'c', item: message('older') },
      seq: 11,
    });
    state = transcriptLoaded(state, { conversation, items: [message('newest')], seq: 15 });
    expect(textOf(state)).toBe('newest');
  });

  it('keeps what is shown while it is loaded again', () => {
    const state = transcriptRequested(opened([message('seen')]), 'c');
    expect(state.transcripts['c']?.status).toBe('loading');
    expect(textOf(state)).toBe('seen');
  });

  it('tells a missing conversation from one that could not be loaded', () => {
    const state = transcriptRequested(withBootstrap(INITIAL_STATE, bootstrap), 'c');
    expect(transcriptFailed(state, 'c', { code: 'not_found', message: '' }).transcripts['c']?.status).toBe(
      'missing',
    );
    expect(transcriptFailed(state, 'c', { code: 'unreachable', message: 'x' }).transcripts['c']?.status).toBe(
      'failed',
    );
  });

  it('shows the answer to a request until its event comes, and never goes back', () => {
    const shown = withItem(opened([]), 'c', message('first'));
    const later = reduceEvent(shown, { type: 'item.changed', conversationId: 'c', item: message('second') });
    expect(textOf(withItem(later, 'c', message('first')))).toBe('second');
  });

  it('offers a new version instead of taking it over silently', () => {
    const state = withBootstrap(withBootstrap(INITIAL_STATE, bootstrap), { ...bootstrap, version: '2' });
    expect([state.version, state.newVersion]).toEqual(['1', '2']);
  });
});
