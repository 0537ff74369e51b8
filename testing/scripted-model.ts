import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requestProblem } from './scripted-model-checks.ts';
import { badRequest, unauthorized, wireSteps } from './scripted-reply.ts';
import type { ScriptedAnswer, ScriptedFailure, ScriptedReply } from './scripted-reply.ts';

/** The body of a Messages request, as far as tests look into it. */
export interface MessagesBody {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream?: boolean;
  readonly system?: unknown;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly input_schema: unknown;
  }[];
  readonly [field: string]: unknown;
}

export interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: MessagesBody;
}

/** Replies in order, or a function that makes each reply from the request and its number (from 0). */
export type Script =
  | readonly ScriptedReply[]
  | ((request: RecordedRequest, index: number) => ScriptedReply | Promise<ScriptedReply>);

export interface ScriptedModel {
  /** Base address, without a final slash: what `ANTHROPIC_BASE_URL` is set to. */
  readonly url: string;
  /** Every Messages request so far, refused ones included. */
  readonly requests: readonly RecordedRequest[];
  /** The request with this number (from 0), as soon as it has arrived. */
  request(index: number): Promise<RecordedRequest>;
  close(): Promise<void>;
}

const WRONG_CREDENTIALS = unauthorized('x-api-key or authorization: missing');

function sendFailure(response: ServerResponse, failure: ScriptedFailure): void {
  const body = {
    type: 'error',
    error: { type: failure.errorType, message: failure.message },
    request_id: 'req_scripted',
  };
  response.writeHead(failure.status, {
    'content-type': 'application/json',
    'request-id': 'req_scripted',
    ...failure.headers,
  });
  response.end(JSON.stringify(body));
}

async function sendStream(
  response: ServerResponse,
  reply: ScriptedAnswer,
  place: { readonly number: number; readonly model: string },
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  for await (const step of wireSteps(reply, place)) {
    if (response.destroyed) return;
    if (step.kind === 'cut') {
      response.destroy();
      return;
    }
    response.write(`event: ${step.event.type}\ndata: ${JSON.stringify(step.event)}\n\n`);
  }
  response.end();
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Requests in order of arrival, and promises of those to come. */
function createRecorder() {
  const requests: RecordedRequest[] = [];
  const waiting = new Map<
    number,
    { promise: Promise<RecordedRequest>; resolve(request: RecordedRequest): void }
  >();
  return {
    requests,
    add(request: RecordedRequest): number {
      const index = requests.push(request) - 1;
      waiting.get(index)?.resolve(request);
      return index;
    },
    at(index: number): Promise<RecordedRequest> {
      const arrived = requests[index];
      if (arrived !== undefined) return Promise.resolve(arrived);
      const known = waiting.get(index);
      if (known !== undefined) return known.promise;
      let resolve = (_request: RecordedRequest): void => {};
      const promise = new Promise<RecordedRequest>((settle) => (resolve = settle));
      waiting.set(index, { promise, resolve });
      return promise;
    },
  };
}

/**
 * A Messages API of its own on a free loopback port. It checks each request as a provider does
 * (names, schemas, pairing of tool uses and results) and answers 400 with the reason; what passes
 * gets the next reply of the script.
 */
export async function startScriptedModel(options: { readonly script: Script }): Promise<ScriptedModel> {
  const recorder = createRecorder();
  const { script } = options;
  let played = 0;
  const replyTo = async (request: RecordedRequest): Promise<ScriptedReply> => {
    const number = played++;
    if (typeof script === 'function') return await script(request, number);
    return (
      script[number] ??
      badRequest(`the script holds ${script.length} replies, request ${number + 1} has none`)
    );
  };
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = incoming.url ?? '/';
    if (incoming.method !== 'POST' || !/\/v1\/messages(\?|$)/.test(path)) {
      sendFailure(response, { type: 'failure', status: 404, errorType: 'not_found_error', message: path });
      return;
    }
    const request: RecordedRequest = {
      path,
      headers: incoming.headers,
      body: (await readBody(incoming)) as MessagesBody,
    };
    const index = recorder.add(request);
    if (incoming.headers['x-api-key'] === undefined && incoming.headers.authorization === undefined) {
      sendFailure(response, WRONG_CREDENTIALS);
      return;
    }
    const problem = requestProblem(request.body);
    const reply = problem === undefined ? await replyTo(request) : badRequest(problem);
    if (reply.type === 'failure') sendFailure(response, reply);
    else await sendStream(response, reply, { number: index, model: request.body.model });
  };
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: recorder.requests,
    request: (index) => recorder.at(index),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
