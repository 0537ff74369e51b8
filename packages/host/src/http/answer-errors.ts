import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ApiRefusal } from '../api-refusal.ts';
import { isHostError } from '../errors.ts';
import type { HostErrorCode } from '../errors.ts';
import type { Log } from '../host-options.ts';

/** Troubles of the database that the person can end. */
const DATABASE_SENTENCES: Readonly<Partial<Record<HostErrorCode, string>>> = {
  database_full: 'The disk is full: nothing was saved. Make room and try again.',
  database_busy: 'Another program holds the database: nothing was saved. End it and try again.',
  database_corrupt: 'The database is damaged: nothing was saved. Stop Portico and put a backup in its place.',
  database_unusable: 'The database cannot be written: nothing was saved. Check the data folder and its disk.',
  database_closed: 'Portico is ending: nothing was saved.',
};

/** Turns whatever a route threw into an answer; only refusals written for people cross the wire. */
export function answerError(error: unknown, context: Context, log: Log): Response {
  const refusal = asRefusal(error);
  if (refusal.code === 'internal') {
    log.error('a request failed', {
      method: context.req.method,
      route: context.req.routePath,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
  return context.json(refusal.body(), refusal.status as ContentfulStatusCode);
}

function asRefusal(error: unknown): ApiRefusal {
  if (error instanceof ApiRefusal) return error;
  if (isHostError(error, 'unsupported_value')) {
    return new ApiRefusal('bad_request', 'The text contains a character that cannot be stored.');
  }
  const sentence = isHostError(error) ? DATABASE_SENTENCES[error.code] : undefined;
  return new ApiRefusal('internal', sentence ?? 'Something failed inside Portico. Its log says what.');
}
