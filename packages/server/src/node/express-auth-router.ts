import type { Request as ExpressRequest, RequestHandler } from 'express';
import { type AuthRouterOptions, createAuthRouter } from '@portico/server/auth';
import { writeWebResponse } from './node-response.ts';
import { toWebRequest, webRequestOf } from './to-web-request.ts';

/**
 * The authorization server of `@portico/server/auth` as Express middleware. Mount it at the root of the
 * app; what is none of its paths goes on.
 *
 * @throws ResourceConfigError `issuer_insecure`, `issuer_malformed`
 * @see W233
 */
export function mcpAuthRouter(options: AuthRouterOptions): RequestHandler {
  const { fetch, paths } = createAuthRouter(options);
  return async (request, response, next) => {
    if (!paths.includes(request.path)) {
      next();
      return;
    }
    try {
      const answer = await fetch(await webRequest(request));
      if (answer === undefined) next();
      else await writeWebResponse(answer, response, { answered: false });
    } catch (error) {
      next(error);
    }
  };
}

/** The request with its body, also where a parser ahead has read that. */
async function webRequest(request: ExpressRequest): Promise<Request> {
  const body: unknown = request.body;
  const isParsed = typeof body === 'object' && body !== null && Object.keys(body).length > 0;
  // Parsers that did not read leave an empty object.
  if (!isParsed) return toWebRequest(request, undefined, { maxRequestBodySize: MAX_BODY_BYTES });
  if (request.is('application/x-www-form-urlencoded') === false) return toWebRequest(request, body);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body as Record<string, unknown>)) {
    for (const each of [value].flat()) form.append(name, String(each));
  }
  return webRequestOf(request, { body: form.toString() });
}

/** More than the router reads, so that it is the one to say that it is too much. */
const MAX_BODY_BYTES = 131_072;
