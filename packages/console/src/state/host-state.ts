import type { Artifact, Bootstrap, Connector, Conversation, HostEvent, Item, ModelInfo } from '@portico/api';
import type { StreamStatus } from '../stream/event-stream.ts';

export interface SequencedEvent {
  readonly event: HostEvent;
  /** Number of the event; undefined for events that the host does not number. */
  readonly seq: number | undefined;
}

/** One conversation's items, as far as this page has asked for them. */
export interface Transcript {
  /** `loading` keeps items that are shown already while they are loaded again. */
  readonly status: 'loading' | 'ready' | 'failed' | 'missing';
  readonly items: readonly Item[];
  /** Events that came while the answer was on its way; those it does not include are applied to it. */
  readonly pending: readonly SequencedEvent[];
  /** Text arrived with a hole before it: the conversation has to be loaded again. */
  readonly gap: boolean;
  readonly problem?: string;
}

export interface Problem {
  readonly code: string;
  readonly message: string;
}

/** Everything the page knows of the host. Only `reduce` makes new ones. */
export interface HostState {
  readonly phase: 'loading' | 'ready' | 'no_session' | 'failed';
  readonly problem?: Problem;
  /** Number of the last event taken in. */
  readonly seq: number;
  readonly version: string;
  /** Version the host has now, when it differs from the one this page was loaded from. */
  readonly newVersion?: string;
  readonly model: ModelInfo;
  /** False once a view or artifact found that sandbox hosts are out of reach. */
  readonly isolatedOrigins: boolean;
  readonly isolationProbe: string;
  readonly connectors: Readonly<Record<string, Connector>>;
  /** Counts the changes of each connector, so that tool lists know when to be read again. */
  readonly revisions: Readonly<Record<string, number>>;
  readonly conversations: Readonly<Record<string, Conversation>>;
  readonly artifacts: Readonly<Record<string, Artifact>>;
  readonly transcripts: Readonly<Record<string, Transcript>>;
  readonly stream: StreamStatus;
  /** When the stream was lost, epoch milliseconds. */
  readonly lostSinceMs?: number;
}

export const INITIAL_STATE: HostState = {
  phase: 'loading',
  seq: 0,
  version: '',
  model: { configured: false },
  isolatedOrigins: true,
  isolationProbe: '',
  connectors: {},
  revisions: {},
  conversations: {},
  artifacts: {},
  transcripts: {},
  stream: 'connecting',
};

const byId = <T extends { readonly id: string }>(list: readonly T[]): Record<string, T> =>
  Object.fromEntries(list.map((entry) => [entry.id, entry]));

/** State after a (first or repeated) bootstrap; transcripts stay until they are loaded again. */
export function withBootstrap(state: HostState, bootstrap: Bootstrap): HostState {
  const { problem: _problem, ...rest } = state;
  const loadedFrom = state.version === '' ? bootstrap.version : state.version;
  return {
    ...rest,
    phase: 'ready',
    seq: bootstrap.seq,
    version: loadedFrom,
    ...(bootstrap.version === loadedFrom ? {} : { newVersion: bootstrap.version }),
    model: bootstrap.model,
    isolationProbe: bootstrap.isolationProbe,
    connectors: byId(bootstrap.connectors),
    revisions: Object.fromEntries(bootstrap.connectors.map(({ id }) => [id, (state.revisions[id] ?? 0) + 1])),
    conversations: byId(bootstrap.conversations),
    artifacts: byId(bootstrap.artifacts),
  };
}
