import type { HostEvent } from '@portico/api';
import type { Fetch } from '../api/request.ts';
import type { Clock } from './clock.ts';
import { createSseParser } from './sse-parser.ts';

/** First and longest wait before the stream is opened again, in milliseconds. */
const FIRST_RETRY_MS = 1_000;
export const LONGEST_RETRY_MS = 30_000;
/** The host sends a comment every 15 s; after this long without a byte the stream counts as lost. */
export const SILENCE_MS = 40_000;

export type StreamStatus = 'connecting' | 'live' | 'lost' | 'no_session';

export interface EventStreamOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly url: string;
  /** Number of the last event that was taken in; asked for before each connection. */
  after(): number;
  /** `seq` is undefined for events that the host does not number. Must not throw. */
  onEvent(event: HostEvent, seq: number | undefined): void;
  /** Must not throw. */
  onStatus(status: StreamStatus): void;
  /** 0 to 1; spreads the retries of many tabs. */
  random(): number;
}

export interface EventStream {
  start(): void;
  /** Tries again at once instead of waiting for the back-off. */
  retryNow(): void;
  close(): void;
}

/** Keeps one stream of host events open, resuming after the last one that arrived. */
export function createEventStream(options: EventStreamOptions): EventStream {
  let attempt = 0;
  let closed = false;
  let current: AbortController | undefined;
  let retryTimer: { cancel(): void } | undefined;

  const scheduleRetry = (): void => {
    const base = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt);
    attempt++;
    retryTimer = options.clock.setTimer(base * (0.8 + 0.4 * options.random()), () => void connect());
  };

  const connect = async (): Promise<void> => {
    if (closed) return;
    retryTimer?.cancel();
    const mine = new AbortController();
    current?.abort();
    current = mine;
    const outcome = await readStream(options, mine, () => {
      attempt = 0;
      options.onStatus('live');
    });
    if (closed || current !== mine) return;
    options.onStatus(outcome);
    if (outcome === 'lost') scheduleRetry();
  };

  return {
    start: () => {
      options.onStatus('connecting');
      void connect();
    },
    retryNow: () => {
      attempt = 0;
      void connect();
    },
    close: () => {
      closed = true;
      retryTimer?.cancel();
      current?.abort();
    },
  };
}

/** Reads one connection to its end; never rejects. */
async function readStream(
  options: EventStreamOptions,
  controller: AbortController,
  onOpen: () => void,
): Promise<'lost' | 'no_session'> {
  const guard = createSilenceGuard(options.clock, controller);
  try {
    const response = await options.fetch(options.url, {
      headers: { accept: 'text/event-stream', 'last-event-id': String(options.after()) },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: controller.signal,
    });
    if (response.status === 401) return 'no_session';
    if (!response.ok || response.body === null) return 'lost';
    onOpen();
    await readMessages(response.body, options, guard);
  } catch {
    // A cut connection and an aborted one look alike; both are retried by the caller.
  } finally {
    guard.end();
    controller.abort();
  }
  return 'lost';
}

async function readMessages(
  body: ReadableStream<Uint8Array>,
  options: EventStreamOptions,
  guard: SilenceGuard,
): Promise<void> {
  const parser = createSseParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    guard.heard();
    for (const message of parser.push(decoder.decode(value, { stream: true }))) {
      const seq = /^\d+$/.test(message.id) ? Number(message.id) : undefined;
      const event = readEvent(message.data);
      if (event !== undefined) options.onEvent(event, seq);
    }
    if (parser.overflowed) return;
  }
}

/** An event that is no JSON object is skipped: one bad line must not end the page. */
function readEvent(data: string): HostEvent | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null && 'type' in value ? (value as HostEvent) : undefined;
  } catch {
    return undefined;
  }
}

interface SilenceGuard {
  heard(): void;
  end(): void;
}

function createSilenceGuard(clock: Clock, controller: AbortController): SilenceGuard {
  const arm = (): { cancel(): void } => clock.setTimer(SILENCE_MS, () => controller.abort());
  let timer = arm();
  return {
    heard() {
      timer.cancel();
      timer = arm();
    },
    end: () => timer.cancel(),
  };
}
