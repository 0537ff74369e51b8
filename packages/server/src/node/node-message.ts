import type { AuthInfo } from '@portico/oauth/resource';
import { bodyTooLarge } from '@portico/server';

/** What is needed of a request: `IncomingMessage`, its HTTP/2 twin, or whatever a framework makes of them. */
export interface NodeIncomingMessageLike extends AsyncIterable<unknown> {
  method?: string | undefined;
  url?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  /** What authentication ahead of the handler found out. */
  auth?: AuthInfo;
  /** What a body parser ahead of the handler has read. */
  body?: unknown;
  on?(event: string, listener: (...values: unknown[]) => void): unknown;
  destroy?(): unknown;
}

/** What is needed of a response: `ServerResponse`, its HTTP/2 twin, or a wrapper. */
export interface NodeServerResponseLike {
  writeHead(statusCode: number, headers?: Record<string, string | string[]>): unknown;
  write(chunk: string | Uint8Array): unknown;
  end(chunk?: string | Uint8Array): unknown;
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  readonly destroyed?: boolean;
  readonly headersSent?: boolean;
  flushHeaders?(): unknown;
  destroy?(): unknown;
}

/** One header by lower-case name. HTTP/2 carries the host in a pseudo header. */
export function headerOf(request: NodeIncomingMessageLike, name: string): string | undefined {
  const { headers } = request;
  const value = headers[name] ?? (name === 'host' ? headers[':authority'] : undefined);
  return Array.isArray(value) ? value.join(', ') : value;
}

/** What is read of a body after its refusal: enough for honest clients to come to their answer. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

/**
 * Reads the body as text.
 * @throws ServerError `BODY_TOO_LARGE` beyond `maxBytes`; the rest is then discarded, so that the
 *   client comes to read its refusal, and a client that never stops is cut off
 */
export function readBodyText(request: NodeIncomingMessageLike, maxBytes: number): Promise<string> {
  if (request.on === undefined) return iterateBodyText(request, maxBytes);
  const tooLong = Number(request.headers['content-length'] ?? 0) > maxBytes;
  return new Promise((resolve, reject) => {
    let chunks: Uint8Array[] = [];
    let bytes = 0;
    let refused = tooLong;
    request.on?.('data', (chunk) => {
      const data = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array);
      bytes += data.byteLength;
      if (!refused && bytes <= maxBytes) {
        chunks.push(data);
        return;
      }
      if (!refused) {
        refused = true;
        chunks = [];
        bytes = 0;
        reject(bodyTooLarge(maxBytes));
      } else if (bytes > MAX_DISCARDED_BYTES) {
        request.destroy?.();
      }
    });
    let ended = false;
    request.on?.('end', () => {
      ended = true;
      resolve(textOf(chunks));
    });
    request.on?.('error', reject);
    request.on?.('close', () => {
      if (!ended) reject(bodyCutShort());
    });
    if (tooLong) reject(bodyTooLarge(maxBytes));
  });
}

async function iterateBodyText(request: AsyncIterable<unknown>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const data = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array);
    bytes += data.byteLength;
    if (bytes > maxBytes) throw bodyTooLarge(maxBytes);
    chunks.push(data);
  }
  return textOf(chunks);
}

function textOf(chunks: readonly Uint8Array[]): string {
  const [only] = chunks;
  const whole = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
  return Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength).toString('utf8');
}

/** The client went away within its own request; nobody is left to be told. */
function bodyCutShort(): DOMException {
  return new DOMException('The client is gone.', 'AbortError');
}
