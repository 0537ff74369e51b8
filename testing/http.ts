import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';

export interface HttpOptions {
  readonly method?: string;
  /** Sent as they are, `Host` included; an array value sends the header several times. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  /** Where the socket goes, whatever the address says: `*.localhost` names are not resolved. */
  readonly connectTo?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  json(): unknown;
}

/** Opens a request over node:http, which sends the `Host` it is given (global fetch drops it). */
export function openHttp(url: string, options: HttpOptions = {}): Promise<IncomingMessage> {
  const address = new URL(url);
  const headers: Record<string, string | string[]> = { host: address.host };
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    headers[name.toLowerCase()] = typeof value === 'string' ? value : [...value];
  }
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        host: options.connectTo ?? '127.0.0.1',
        port: address.port === '' ? 80 : Number(address.port),
        path: address.pathname + address.search,
        method: options.method ?? 'GET',
        headers,
        agent: false,
      },
      resolve,
    );
    outgoing.on('error', reject);
    outgoing.end(options.body);
  });
}

/** One whole request and its whole answer. */
export async function http(url: string, options: HttpOptions = {}): Promise<HttpAnswer> {
  const answer = await openHttp(url, options);
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    text,
    json: () => JSON.parse(text) as unknown,
  };
}

/** Sends a value as JSON. */
export function postJson(url: string, value: unknown, options: HttpOptions = {}): Promise<HttpAnswer> {
  return http(url, {
    method: 'POST',
    ...options,
    headers: { 'content-type': 'application/json', ...options.headers },
    body: JSON.stringify(value),
  });
}
