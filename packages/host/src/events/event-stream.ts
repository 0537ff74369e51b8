import type { HostEvent } from '@portico/api';
import type { Clock, Timer } from '../ports/clock.ts';
import type { EventHub, ReadResult } from './event-hub.ts';

/** A comment is sent this often (ms) when nothing else is, so that proxies and pages see life. */
export const KEEP_ALIVE_MS = 15_000;

/** How soon a browser tries again after a cut, in milliseconds. */
const RETRY_MS = 1000;

export interface EventStreamOptions {
  readonly hub: EventHub;
  readonly clock: Clock;
  /** Number of the last event the page has; without it the stream begins with the next one. */
  readonly afterSeq: number | undefined;
}

/**
 * The one stream of a tab, as server-sent events: resumes without gap or repeat, and says `resync`
 * where the events between are gone (K161). A page that stops reading holds no memory: it is told to
 * resync and its stream ends.
 */
export function openEventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { hub, clock } = options;
  const reader = hub.read(options.afterSeq);
  const encoder = new TextEncoder();
  let keepAlive: Timer | undefined;
  let ended = false;

  const end = (): void => {
    ended = true;
    keepAlive?.cancel();
    reader.close();
  };
  const armKeepAlive = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    keepAlive?.cancel();
    keepAlive = clock.setTimer(KEEP_ALIVE_MS, () => {
      if (ended) return;
      if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': alive\n\n'));
      armKeepAlive(controller);
    });
  };

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`));
        armKeepAlive(controller);
      },
      async pull(controller) {
        const result = await reader.next();
        if (ended) return;
        if (result.kind === 'closed') {
          end();
          controller.close();
          return;
        }
        controller.enqueue(encoder.encode(frameOf(result)));
        armKeepAlive(controller);
        if (result.kind === 'resync' && result.fellBehind) {
          end();
          controller.close();
        }
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  );
}

function frameOf(result: Exclude<ReadResult, { kind: 'closed' }>): string {
  if (result.kind === 'event') return `id: ${result.event.seq}\ndata: ${result.event.data}\n\n`;
  const event: HostEvent = { type: 'resync' };
  return `id: ${result.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}
