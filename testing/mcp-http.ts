import type { McpHandlerRequestOptions, McpHttpHandler } from '@portico/server';
import { headersOf } from './mcp-headers.ts';
import { checkModernAnswer } from './modern-error-codes.ts';

/** One answer over HTTP, read to its end. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON body, or the last message of the stream. */
  readonly message: Record<string, unknown>;
  /** All messages of an event stream. */
  readonly messages: readonly Record<string, unknown>[];
}

export interface PostOptions extends McpHandlerRequestOptions {
  /** Laid over the default headers; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly method?: string;
  readonly signal?: AbortSignal;
}

/** The request that `post` sends: to a loopback host, with all the headers a good client sends. */
export function httpRequest(body: unknown, options: PostOptions = {}): Request {
  const method = options.method ?? 'POST';
  const headers = new Headers({ host: 'localhost', accept: 'application/json, text/event-stream' });
  if (method === 'POST') headers.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(headersOf(body))) headers.set(name, value);
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Request('http://localhost/mcp', {
    method,
    headers,
    ...(method === 'POST' ? { body: text } : {}),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

/** Sends one body and reads the whole answer. */
export async function post(
  handler: Pick<McpHttpHandler, 'fetch'>,
  body: unknown,
  options: PostOptions = {},
): Promise<HttpReply> {
  const reply = await readReply(await handler.fetch(httpRequest(body, options), options));
  checkModernAnswer(body, reply.messages);
  return reply;
}

/** Reads an answer to its end. */
export async function readReply(response: Response): Promise<HttpReply> {
  const text = await response.text();
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  const messages = isStream
    ? messagesOf(text)
    : text === ''
      ? []
      : [JSON.parse(text) as HttpReply['message']];
  return {
    status: response.status,
    headers: response.headers,
    text,
    messages,
    message: messages.at(-1) ?? {},
  };
}

/** The messages in the text of an event stream. */
export function messagesOf(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Record<string, unknown>);
}

/** Reads messages of a stream that stays open, one by one. */
export async function* streamMessages(response: Response): AsyncGenerator<Record<string, unknown>> {
  const decoder = new TextDecoder();
  let text = '';
  let told = 0;
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const messages = messagesOf(text.slice(0, text.lastIndexOf('\n\n') + 2));
    for (const message of messages.slice(told)) yield message;
    told = messages.length;
  }
}
