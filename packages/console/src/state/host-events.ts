import type { ConversationDetail, HostEvent, Item } from '@portico/api';
import type { HostState, SequencedEvent, Transcript } from './host-state.ts';

/** Most events kept for one conversation while its answer is on its way. */
const MAX_PENDING_EVENTS = 5_000;

/** Takes in one numbered event; an event that was taken in before changes nothing. */
export function takeIn(state: HostState, { event, seq }: SequencedEvent): HostState {
  if (seq !== undefined && seq <= state.seq) return state;
  const next = reduceEvent(keepForLoading(state, { event, seq }), event);
  return seq === undefined ? next : { ...next, seq };
}

/** State after one event. Pure; an event about things this page has not loaded changes nothing. */
export function reduceEvent(state: HostState, event: HostEvent): HostState {
  switch (event.type) {
    case 'connector.changed': {
      const { id } = event.connector;
      return {
        ...state,
        connectors: { ...state.connectors, [id]: event.connector },
        revisions: { ...state.revisions, [id]: (state.revisions[id] ?? 0) + 1 },
      };
    }
    case 'connector.removed':
      return {
        ...state,
        connectors: without(state.connectors, event.connectorId),
        revisions: without(state.revisions, event.connectorId),
      };
    case 'conversation.changed':
      return {
        ...state,
        conversations: { ...state.conversations, [event.conversation.id]: event.conversation },
      };
    case 'conversation.removed':
      return {
        ...state,
        conversations: without(state.conversations, event.conversationId),
        transcripts: without(state.transcripts, event.conversationId),
      };
    case 'item.changed':
    case 'item.text':
      return withTranscript(state, event.conversationId, (transcript) => applyToItems(transcript, event));
    case 'artifact.changed':
      return { ...state, artifacts: { ...state.artifacts, [event.artifact.id]: event.artifact } };
    case 'artifact.removed':
      return { ...state, artifacts: without(state.artifacts, event.artifactId) };
    case 'resync':
      return state;
    default:
      // A newer host may say things this page does not know yet.
      return state;
  }
}

type ItemEvent = Extract<HostEvent, { type: 'item.changed' | 'item.text' }>;

function applyToItems(transcript: Transcript, event: ItemEvent): Transcript {
  if (event.type === 'item.changed') return { ...transcript, items: upsert(transcript.items, event.item) };
  const index = transcript.items.findIndex((item) => item.id === event.itemId);
  const item = transcript.items[index];
  if (item === undefined || item.type !== 'assistant_message') return { ...transcript, gap: true };
  if (event.offset > item.text.length) return { ...transcript, gap: true };
  // Text that is there already, in whole or in its beginning, is not added again.
  if (event.offset + event.text.length <= item.text.length) return transcript;
  const text = item.text.slice(0, event.offset) + event.text;
  return { ...transcript, items: transcript.items.with(index, { ...item, text }) };
}

function upsert(items: readonly Item[], item: Item): readonly Item[] {
  const index = items.findIndex((candidate) => candidate.id === item.id);
  return index === -1 ? [...items, item] : items.with(index, item);
}

function withTranscript(
  state: HostState,
  conversationId: string,
  change: (transcript: Transcript) => Transcript,
): HostState {
  const transcript = state.transcripts[conversationId];
  if (transcript === undefined) return state;
  const changed = change(transcript);
  if (changed === transcript) return state;
  return { ...state, transcripts: { ...state.transcripts, [conversationId]: changed } };
}

function keepForLoading(state: HostState, arrived: SequencedEvent): HostState {
  const { event } = arrived;
  if (event.type !== 'item.changed' && event.type !== 'item.text') return state;
  return withTranscript(state, event.conversationId, (transcript) =>
    transcript.status !== 'loading' || transcript.pending.length >= MAX_PENDING_EVENTS
      ? transcript
      : { ...transcript, pending: [...transcript.pending, arrived] },
  );
}

const EMPTY: Transcript = { status: 'loading', items: [], pending: [], gap: false };

export function transcriptRequested(state: HostState, conversationId: string): HostState {
  const known = state.transcripts[conversationId] ?? EMPTY;
  const { problem: _problem, ...kept } = known;
  return {
    ...state,
    transcripts: {
      ...state.transcripts,
      [conversationId]: { ...kept, status: 'loading', pending: [], gap: false },
    },
  };
}

/** Takes the answer and puts the events on top that it does not include. */
export function transcriptLoaded(state: HostState, detail: ConversationDetail): HostState {
  const { id } = detail.conversation;
  const loaded: Transcript = { status: 'ready', items: detail.items, pending: [], gap: false };
  const later = (state.transcripts[id]?.pending ?? []).filter(
    ({ seq }) => seq !== undefined && seq > detail.seq,
  );
  const transcript = later.reduce(
    (current, { event }) =>
      event.type === 'item.changed' || event.type === 'item.text' ? applyToItems(current, event) : current,
    loaded,
  );
  // The list entry of the answer may be older than the stream's; it only fills a hole.
  const conversations = Object.hasOwn(state.conversations, id)
    ? state.conversations
    : { ...state.conversations, [id]: detail.conversation };
  return { ...state, conversations, transcripts: { ...state.transcripts, [id]: transcript } };
}

export function transcriptFailed(
  state: HostState,
  conversationId: string,
  failure: { readonly code: string; readonly message: string },
): HostState {
  return withTranscript(state, conversationId, (transcript) => ({
    ...transcript,
    status: failure.code === 'not_found' ? 'missing' : 'failed',
    pending: [],
    problem: failure.message,
  }));
}

/** Shows an answer before its event arrives; what the stream said meanwhile stays. */
export function withItem(state: HostState, conversationId: string, item: Item): HostState {
  return withTranscript(state, conversationId, (transcript) =>
    transcript.items.some((known) => known.id === item.id)
      ? transcript
      : { ...transcript, items: [...transcript.items, item] },
  );
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  if (!Object.hasOwn(record, key)) return record;
  const { [key]: _removed, ...rest } = record;
  return rest;
}
