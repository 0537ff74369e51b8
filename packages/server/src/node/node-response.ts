import type { EventStream, HttpAnswer } from '@portico/server';
import type { NodeServerResponseLike } from './node-message.ts';

/** Where it is noted that the whole answer is on its way, and a close is no disconnect any more. */
interface Served {
  answered: boolean;
}

/** Writes an answer of the protocol. A stream goes on after this returns. */
export function writeAnswer(answer: HttpAnswer, response: NodeServerResponseLike, served: Served): void {
  if (response.destroyed === true) {
    if ('stream' in answer) answer.stream.cut();
    return;
  }
  if ('stream' in answer) {
    response.writeHead(200, { ...answer.headers });
    response.flushHeaders?.();
    carry(answer.stream, response, served);
    return;
  }
  served.answered = true;
  const { status, headers, body } = answer;
  if (body === undefined) {
    response.writeHead(status, { ...headers });
    response.end();
    return;
  }
  // A stated length spares the chunked form.
  response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
  response.end(body);
}

function carry(stream: EventStream, response: NodeServerResponseLike, served: Served): void {
  response.on('drain', () => stream.drained());
  response.on('close', () => stream.cut());
  stream.attach({
    write: (text) => response.destroyed === true || response.write(text) !== false,
    end: () => {
      served.answered = true;
      response.end();
    },
  });
}

/**
 * Writes a web `Response`, waiting for a slow reader before each next part. Settles when all is
 * written, or when the client is gone.
 */
export async function writeWebResponse(
  answer: Response,
  response: NodeServerResponseLike,
  served: Served,
): Promise<void> {
  const reader = answer.body?.getReader();
  if (response.destroyed === true) {
    await reader?.cancel();
    return;
  }
  response.writeHead(answer.status, headersOf(answer));
  if (reader === undefined) {
    served.answered = true;
    response.end();
    return;
  }
  response.flushHeaders?.();
  let wake = (): void => undefined;
  let closed = false;
  response.on('drain', () => wake());
  response.on('close', () => {
    closed = true;
    wake();
    // The producer learns that nobody reads, also between two parts.
    void reader.cancel().catch(() => undefined);
  });
  for (;;) {
    const { done, value } = await reader.read();
    if (done || closed) break;
    if (response.write(value) !== false) continue;
    await new Promise<void>((resolve) => (wake = resolve));
  }
  served.answered = true;
  if (!closed) response.end();
}

function headersOf({ headers }: Response): Record<string, string | string[]> {
  const record: Record<string, string | string[]> = {};
  for (const [name, value] of headers) record[name] = value;
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) record['set-cookie'] = cookies;
  return record;
}
