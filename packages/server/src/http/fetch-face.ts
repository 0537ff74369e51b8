import type { EventStream } from './event-stream.ts';
import { bodyTooLarge, type HttpAnswer, type HttpRequest } from './http-message.ts';

/** Events a slow reader may fall behind by before writers wait for it. */
const MAX_QUEUED_CHUNKS = 64;

/** Wraps a web `Request`. */
export function fromWebRequest(
  request: Request,
  options: { readonly authInfo?: unknown; readonly parsedBody?: unknown } = {},
): HttpRequest {
  return {
    method: request.method,
    header: (name) => request.headers.get(name) ?? undefined,
    text: (maxBytes) => readText(request.body, maxBytes),
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

/** Reads a body as text, up to a limit. */
export async function readText(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder('utf-8', { fatal: false });
  const reader = body.getReader();
  let bytes = 0;
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // One reader of a request that is read twice waits for the other to cancel, too.
      void reader.cancel().catch(() => undefined);
      throw bodyTooLarge(maxBytes);
    }
    text += decoder.decode(value, { stream: true });
  }
}
