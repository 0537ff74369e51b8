import { createSseParser } from '@portico/rpc';
import type { ModelStreamEvent } from '../provider/model-provider.ts';
import { cutFailure, streamFailure } from './failures.ts';

/** Largest event of a stream and largest whole answer, in bytes. */
const MAX_EVENT_BYTES = 4_194_304;
const MAX_ANSWER_BYTES = 33_554_432;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Events have their type in the data; an `error` event ends the stream. */
function readEvent(data: string): ModelStreamEvent | undefined {
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch (cause) {
    throw cutFailure(cause);
  }
  if (!isFields(event)) return undefined;
  if (event['type'] === 'error') throw streamFailure(event);
  // The reader passes over types that it does not know.
  return event as unknown as ModelStreamEvent;
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (cause) {
    throw cutFailure(cause);
  } finally {
    // Given up in the middle: tells the provider to stop. Its answer to that is of no interest.
    reader.cancel().catch(() => {});
  }
}

/** Some endpoints answer with the whole message although a stream was asked for. */
async function* eventsOfWholeMessage(response: Response): AsyncGenerator<ModelStreamEvent, void> {
  const message: unknown = await response.json().catch((cause: unknown) => {
    throw cutFailure(cause);
  });
  if (!isFields(message)) throw cutFailure('the answer is no message');
  const { content, stop_reason, stop_sequence, usage } = message;
  const blocks = Array.isArray(content) ? (content as unknown[]) : [];
  const event = (fields: Fields): ModelStreamEvent => fields as unknown as ModelStreamEvent;
  yield event({ type: 'message_start', message: { ...message, content: [] } });
  for (const [index, block] of blocks.entries()) {
    yield event({ type: 'content_block_start', index, content_block: block });
    yield event({ type: 'content_block_stop', index });
  }
  yield event({ type: 'message_delta', delta: { stop_reason, stop_sequence }, usage: usage ?? {} });
  yield event({ type: 'message_stop' });
}

/**
 * The events of an answered request.
 * @throws AgentError `provider_stream_cut` when the connection breaks, or the code of an error event
 */
export async function* streamEvents(response: Response): AsyncGenerator<ModelStreamEvent, void> {
  const { body } = response;
  if (body === null) throw cutFailure('the answer has no body');
  if (response.headers.get('content-type')?.includes('application/json') === true) {
    yield* eventsOfWholeMessage(response);
    return;
  }
  const arrived: string[] = [];
  const parser = createSseParser({
    maxEventBytes: MAX_EVENT_BYTES,
    onEvent: (event) => void arrived.push(event.data),
    onError: (error) => {
      throw cutFailure(error);
    },
  });
  let bytes = 0;
  for await (const chunk of chunksOf(body)) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw cutFailure(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    parser.push(chunk);
    for (const data of arrived.splice(0)) {
      const event = data === '' ? undefined : readEvent(data);
      if (event !== undefined) yield event;
    }
  }
}
