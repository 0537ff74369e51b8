import {
  type AuthInfo,
  createBearerGate,
  type PlainAnswer,
  responseOf,
  type VerifyBearerTokenOptions,
} from '@portico/oauth/resource';
import type { CorsTarget } from './cors.ts';
import type { HttpAnswer, HttpRequest } from './http-message.ts';

/**
 * Puts the gate in front of a handler, on every server and framework that serves it. Pages of other
 * origins need `withCors` around the whole, since preflights come without a token.
 *
 * @see W229, W230, W231, W232
 */
export function withBearerAuth<Handler extends CorsTarget>(
  handler: Handler,
  options: VerifyBearerTokenOptions,
): Handler {
  const gate = createBearerGate(options);
  const { fetch, handle } = handler;
  const inFetch: CorsTarget['fetch'] = async (request, requestOptions) => {
    const { headers, method, url } = request;
    const [authorization] = (headers.get('authorization') ?? '').split(',');
    const verdict = await gate({ authorization, method, url, dpop: headers.get('dpop') });
    if ('refusal' in verdict) return responseOf(verdict.refusal);
    return fetch(request, { ...requestOptions, authInfo: verdict.authInfo });
  };
  if (handle === undefined) return { ...handler, fetch: inFetch };
  const inHandle = async (request: HttpRequest): Promise<HttpAnswer> => {
    const [authorization] = (request.header('authorization') ?? '').split(',');
    const verdict = await gate({
      authorization,
      method: request.method,
      // The web request is made only where somebody looks at it.
      get url() {
        return request.web.url;
      },
      dpop: request.header('dpop'),
    });
    return 'refusal' in verdict ? answerOf(verdict.refusal) : handle(withAuthInfo(request, verdict.authInfo));
  };
  return { ...handler, fetch: inFetch, handle: inHandle };
}

function answerOf({ status, headers, body }: PlainAnswer): HttpAnswer {
  return { status, headers, body };
}

/** What somebody ahead attached does not count: the gate is the one who knows. */
function withAuthInfo(request: HttpRequest, authInfo: AuthInfo): HttpRequest {
  const { method, parsedBody } = request;
  return {
    method,
    authInfo,
    ...(parsedBody === undefined ? {} : { parsedBody }),
    header: (name) => request.header(name),
    text: (maxBytes) => request.text(maxBytes),
    get web() {
      return request.web;
    },
    onDisconnect: (listener) => request.onDisconnect(listener),
  };
}
