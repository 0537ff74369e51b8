import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ApiRefusal } from '../api-refusal.ts';
import { isHostError } from '../errors.ts';
import type { Log } from '../host-options.ts';

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
  if (isHostError(error, 'database_full')) {
    return new ApiRefusal('internal', 'The disk is full: nothing was saved. Make room and try again.');
  }
  return new ApiRefusal('internal', 'Something failed inside Portico. Its log says what.');
}
