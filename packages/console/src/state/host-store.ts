import type { Artifact, Connector, Conversation, Item } from '@portico/api';
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import type { ApiClient } from '../api/client.ts';
import type { Fetch } from '../api/request.ts';
import { toConsoleError } from '../errors.ts';
import type { Clock } from '../stream/clock.ts';
import { createEventStream } from '../stream/event-stream.ts';
import type { EventStream, StreamStatus } from '../stream/event-stream.ts';
import { takeIn, transcriptFailed, transcriptLoaded, transcriptRequested, withItem } from './host-events.ts';
import { INITIAL_STATE, withBootstrap } from './host-state.ts';
import type { HostState, SequencedEvent } from './host-state.ts';

export interface HostStoreOptions {
  readonly api: ApiClient;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly eventsUrl: string;
  random(): number;
}

/** The page's picture of the host, kept current by one stream. */
export interface HostStore {
  readonly store: StoreApi<HostState>;
  /**
   * Loads everything and opens the stream; failures end in `phase`. Where the browser has no session it is
   * looked every 5 s whether it has one by now, from a link that was opened in another tab, say.
   */
  start(): Promise<void>;
  /** Starts over after a failed first load, or tries the lost stream at once. */
  retry(): Promise<void>;
  /** Loads a conversation that is not loaded, or again when asked to. */
  openConversation(conversationId: string, options?: { readonly again?: boolean }): Promise<void>;
  /** Puts the host's answers in before the stream repeats them. */
  addItem(conversationId: string, item: Item): void;
  addConversation(conversation: Conversation): void;
  addConnector(connector: Connector): void;
  addArtifact(artifact: Artifact): void;
  close(): void;
}

/** How long a page without a session waits before it looks for one again, in milliseconds. */
const SESSION_CHECK_MS = 5_000;

export function createHostStore(options: HostStoreOptions): HostStore {
  const store = createStore<HostState>(() => INITIAL_STATE);
  const update = (change: (state: HostState) => HostState): void => store.setState(change, true);
  const openConversation = createTranscriptLoader(options.api, store);
  let stream: EventStream | undefined;
  let check: { cancel(): void } | undefined;
  let closed = false;

  const reloadAll = createReloading(options.api, { store, update, openConversation });

  const checkLater = (): void => {
    check?.cancel();
    if (closed || store.getState().phase !== 'no_session') return;
    check = options.clock.setTimer(SESSION_CHECK_MS, () => void start());
  };

  const onEvent = (arrived: SequencedEvent): void => {
    if (arrived.event.type === 'resync') return void reloadAll();
    update((state) => takeIn(state, arrived));
    const { event } = arrived;
    if (event.type !== 'item.text') return;
    const transcript = store.getState().transcripts[event.conversationId];
    if (transcript?.gap === true && transcript.status === 'ready') {
      void openConversation(event.conversationId, { again: true });
    }
  };

  const start = async (): Promise<void> => {
    check?.cancel();
    if (!(await reloadAll())) return checkLater();
    if (closed) return;
    stream ??= createEventStream({
      ...options,
      url: options.eventsUrl,
      after: () => store.getState().seq,
      onEvent: (event, seq) => onEvent({ event, seq }),
      onStatus: (status) => {
        update((state) => withStreamStatus(state, status, options.clock.now()));
        checkLater();
      },
    });
    stream.start();
  };

  return {
    store,
    start,
    openConversation,
    retry: async () => {
      if (stream === undefined || store.getState().phase !== 'ready') return await start();
      stream.retryNow();
    },
    addItem: (conversationId, item) => update((state) => withItem(state, conversationId, item)),
    ...createAdders(update),
    close: () => {
      closed = true;
      check?.cancel();
      stream?.close();
    },
  };
}

type Update = (change: (state: HostState) => HostState) => void;

interface Reloading {
  readonly store: StoreApi<HostState>;
  readonly update: Update;
  readonly openConversation: HostStore['openConversation'];
}

/** Loads everything that the page shows; @returns whether the host answered. */
function createReloading(
  api: ApiClient,
  { store, update, openConversation }: Reloading,
): () => Promise<boolean> {
  const load = async (): Promise<boolean> => {
    try {
      const bootstrap = await api.bootstrap();
      update((state) => withBootstrap(state, bootstrap));
      return true;
    } catch (thrown) {
      const { code, message } = toConsoleError(thrown);
      const phase = code === 'no_session' ? 'no_session' : 'failed';
      // A page that shows something keeps showing it; the banner tells that it is old.
      update((state) =>
        state.phase === 'ready' && phase === 'failed'
          ? state
          : { ...state, phase, problem: { code, message } },
      );
      return false;
    }
  };

  return async () => {
    if (!(await load())) return false;
    const ids = Object.keys(store.getState().transcripts);
    await Promise.all(ids.map((id) => openConversation(id, { again: true })));
    return true;
  };
}

function createAdders(update: Update): Pick<HostStore, 'addConversation' | 'addConnector' | 'addArtifact'> {
  const withNew = <T extends { readonly id: string }>(
    record: Readonly<Record<string, T>>,
    entry: T,
  ): Readonly<Record<string, T>> =>
    Object.hasOwn(record, entry.id) ? record : { ...record, [entry.id]: entry };
  return {
    addConversation: (conversation) =>
      update((state) => ({ ...state, conversations: withNew(state.conversations, conversation) })),
    addConnector: (connector) =>
      update((state) => ({ ...state, connectors: withNew(state.connectors, connector) })),
    addArtifact: (artifact) =>
      update((state) => ({ ...state, artifacts: withNew(state.artifacts, artifact) })),
  };
}

function createTranscriptLoader(api: ApiClient, store: StoreApi<HostState>): HostStore['openConversation'] {
  return async (conversationId, { again = false } = {}) => {
    const known = store.getState().transcripts[conversationId];
    if (known?.status === 'loading' || (known?.status === 'ready' && !again)) return;
    store.setState((state) => transcriptRequested(state, conversationId), true);
    try {
      const detail = await api.conversation(conversationId);
      store.setState((state) => transcriptLoaded(state, detail), true);
    } catch (thrown) {
      const failure = toConsoleError(thrown);
      store.setState((state) => transcriptFailed(state, conversationId, failure), true);
    }
  };
}

/** A lost stream keeps the moment of its loss until it is live again. */
function withStreamStatus(state: HostState, status: StreamStatus, nowMs: number): HostState {
  const { lostSinceMs, ...rest } = state;
  if (status === 'no_session') return { ...rest, stream: status, phase: 'no_session' };
  if (status === 'live') return { ...rest, stream: status };
  if (status === 'lost') return { ...rest, stream: status, lostSinceMs: lostSinceMs ?? nowMs };
  return { ...state, stream: status };
}
