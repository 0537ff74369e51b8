import type { AuthInfo } from '@portico/oauth/resource';
import { RpcError } from '@portico/rpc';
import type { EventStream } from './event-stream.ts';
import {
  DEFAULT_MAX_REQUEST_BODY_SIZE,
  type HttpAnswer,
  type HttpRequest,
  bodyTooLarge,
} from './http-message.ts';

/** Events a slow reader may fall behind by before writers wait for it. */
const MAX_QUEUED_CHUNKS = 64;

/** Wraps a web `Request`. */
export function fromWebRequest(
  request: Request,
  options: { readonly authInfo?: AuthInfo | undefined; readonly parsedBody?: unknown } = {},
): HttpRequest {
  return {
    method: request.method,
    header: (name) => request.headers.get(name) ?? undefined,
    text: (maxBytes) => readText(request, maxBytes),
    ...(options.parsedBody === undefined ? {} : { parsedBody: options.parsedBody }),
    authInfo: options.authInfo,
    web: request,
    onDisconnect(listener) {
      if (request.signal.aborted) listener();
      else request.signal.addEventListener('abort', listener, { once: true });
    },
  };
}

/** Turns an answer into a web `Response`. */
export function toWebResponse(answer: HttpAnswer): Response {
  if (!('stream' in answer)) {
    return new Response(answer.body ?? null, { status: answer.status, headers: answer.headers });
  }
  return new Response(toReadable(answer.stream), { status: 200, headers: answer.headers });
}

function toReadable(stream: EventStream): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let open = true;
        stream.attach({
          write(text) {
            if (open) controller.enqueue(encoder.encode(text));
            return !open || (controller.desiredSize ?? 1) > 0;
          },
          end() {
            if (open) closeQuietly(controller);
            open = false;
          },
        });
      },
      pull: () => stream.drained(),
      cancel: () => stream.cut(),
    },
    { highWaterMark: MAX_QUEUED_CHUNKS },
  );
}

/** A reader that has cancelled leaves nothing to close. */
function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch {
    return;
  }
}

/** Reads a body as text. @throws ServerError `BODY_TOO_LARGE` */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const read = await readRequestBody(request, maxBytes);
  if (read.tooLarge) throw bodyTooLarge(maxBytes);
  return read.text;
}

/**
 * Reads a body as text, up to `maxBytes` (default 4 MiB). A stated length over the limit is refused
 * without reading, anything else as soon as the limit is passed. What fails to arrive is thrown.
 *
 * @throws RpcError `parse_error` for bytes that are no UTF-8
 */
export async function readRequestBody(
  request: Request,
  maxBytes: number = DEFAULT_MAX_REQUEST_BODY_SIZE,
): Promise<{ tooLarge: true } | { tooLarge: false; text: string }> {
  const { body } = request;
  if (body === null) return { tooLarge: false, text: '' };
  const tooLarge = { tooLarge: true } as const;
  const reader = body.getReader();
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) {
    void reader.cancel().catch(() => undefined);
    return tooLarge;
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { tooLarge: false, text: text + decoded(decoder) };
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // One reader of a request that is read twice waits for the other to cancel, too.
      void reader.cancel().catch(() => undefined);
      return tooLarge;
    }
    text += decoded(decoder, value);
  }
}

/** Bytes that are no text would change silently. */
function decoded(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch (cause) {
    throw new RpcError('parse_error', undefined, { cause });
  }
}
