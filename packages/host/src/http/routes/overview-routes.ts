import { ROUTES } from '@portico/api';
import type { Bootstrap, ModelInfo } from '@portico/api';
import type { Hono } from 'hono';
import { ApiRefusal } from '../../api-refusal.ts';
import type { ArtifactService } from '../../artifacts/artifact-service.ts';
import type { ConversationBook } from '../../conversations/conversation-book.ts';
import type { EventHub } from '../../events/event-hub.ts';
import { openEventStream } from '../../events/event-stream.ts';
import type { ConnectorService } from '../../gateway/connector-service.ts';
import type { Clock } from '../../ports/clock.ts';
import { isolationProbe } from '../host-gate.ts';

export interface OverviewServices {
  readonly hub: EventHub;
  readonly clock: Clock;
  readonly version: string;
  readonly port: () => number;
  readonly model: ModelInfo;
  readonly connectors: ConnectorService;
  readonly book: ConversationBook;
  readonly artifacts: ArtifactService;
}

/** Routes that tell a page everything at once, and then what changes. */
export function addOverviewRoutes(app: Hono, services: OverviewServices): void {
  app.get(ROUTES.version, (context) => context.json({ version: services.version }));
  app.get(ROUTES.bootstrap, async (context) => {
    // The number is read first: events that the answer includes already may come again, harmlessly.
    const seq = services.hub.lastSeq;
    const bootstrap: Bootstrap = {
      seq,
      version: services.version,
      model: services.model,
      connectors: services.connectors.list(),
      conversations: await services.book.list(),
      artifacts: await services.artifacts.list(),
      isolationProbe: isolationProbe(services.port()),
    };
    return context.json(bootstrap);
  });
  app.get(ROUTES.events, (context) => {
    // Nobody would read the stream of such an answer, and so nobody would end it.
    if (context.req.method === 'HEAD') return context.body(null, 405, { allow: 'GET' });
    const resumed = context.req.header('last-event-id') ?? context.req.query('after');
    const afterSeq = resumed === undefined || resumed === '' ? undefined : readSeq(resumed);
    const stream = openEventStream({ hub: services.hub, clock: services.clock, afterSeq });
    return context.body(stream, 200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
  });
}

function readSeq(text: string): number {
  const seq = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (seq === undefined) throw new ApiRefusal('bad_request', 'The number of the last event is not a number.');
  return seq;
}
