/** A point where the server waits until the test lets it go on. */
export interface Gate {
  readonly kind: 'gate';
  /** Settles when the server has come to this point. */
  readonly reached: Promise<void>;
  /** Lets the server go on, now or whenever it comes here. */
  release(): void;
  /** For the server: marks the arrival and waits. */
  pass(): Promise<void>;
}

/** The stream breaks here: the socket is destroyed. */
export interface Cut {
  readonly kind: 'cut';
}

/** An `error` event inside the stream, which ends it. */
export interface StreamError {
  readonly kind: 'stream_error';
  readonly errorType: string;
  readonly message: string;
}

export type Interruption = Gate | Cut | StreamError;

/** One content block; text and JSON are delivered part by part. */
export type ScriptedBlock =
  | { readonly type: 'text'; readonly parts: readonly (string | Interruption)[] }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | {
      readonly type: 'tool_use';
      readonly name: string;
      readonly id?: string;
      /** JSON text of the input. */
      readonly parts: readonly (string | Interruption)[];
    };

export interface ScriptedAnswer {
  readonly type: 'answer';
  readonly content: readonly (ScriptedBlock | Interruption)[];
  /** Default: `tool_use` when a tool is asked for, else `end_turn`. */
  readonly stopReason?: string;
  readonly usage?: Readonly<Record<string, unknown>>;
}

export interface ScriptedFailure {
  readonly type: 'failure';
  readonly status: number;
  readonly errorType: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type ScriptedReply = ScriptedAnswer | ScriptedFailure;

/** A fresh gate, to be put between two parts of a text, of an input, or between two blocks. */
export function hold(): Gate {
  let arrive = (): void => {};
  let open = (): void => {};
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    kind: 'gate',
    reached,
    release: () => open(),
    pass: () => {
      arrive();
      return opened;
    },
  };
}

export function cut(): Cut {
  return { kind: 'cut' };
}

export function streamError(errorType: string, message: string): StreamError {
  return { kind: 'stream_error', errorType, message };
}

/** A text block in one or more parts. */
export function text(...parts: readonly (string | Interruption)[]): ScriptedBlock {
  return { type: 'text', parts };
}

/** A tool use whose input comes in one piece. */
export function toolUse(name: string, input: unknown = {}, id?: string): ScriptedBlock {
  return { type: 'tool_use', name, parts: [JSON.stringify(input)], ...(id === undefined ? {} : { id }) };
}

export function answer(...content: readonly (ScriptedBlock | Interruption)[]): ScriptedAnswer {
  return { type: 'answer', content };
}

/** An answer of one text block. */
export function say(...parts: readonly (string | Interruption)[]): ScriptedAnswer {
  return answer(text(...parts));
}

/** An answer that asks for one tool. */
export function call(name: string, input: unknown = {}, id?: string): ScriptedAnswer {
  return answer(toolUse(name, input, id));
}

export function unauthorized(message = 'the key is not valid'): ScriptedFailure {
  return { type: 'failure', status: 401, errorType: 'authentication_error', message };
}

export function rateLimited(retryAfterSeconds?: number): ScriptedFailure {
  return {
    type: 'failure',
    status: 429,
    errorType: 'rate_limit_error',
    message: 'too many requests',
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }),
  };
}

export function overloaded(): ScriptedFailure {
  return { type: 'failure', status: 529, errorType: 'overloaded_error', message: 'overloaded' };
}

export function badRequest(message: string): ScriptedFailure {
  return { type: 'failure', status: 400, errorType: 'invalid_request_error', message };
}

/** One event of the Messages stream, or the order to destroy the socket. */
export type WireStep =
  | { readonly kind: 'event'; readonly event: { readonly type: string } & Readonly<Record<string, unknown>> }
  | { readonly kind: 'cut' };

const isInterruption = (part: unknown): part is Interruption =>
  typeof part === 'object' && part !== null && 'kind' in part;

function startOf(block: ScriptedBlock, fallbackId: string): Record<string, unknown> {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'tool_use':
      return { type: 'tool_use', id: block.id ?? fallbackId, name: block.name, input: {} };
  }
}

function deltasOf(block: ScriptedBlock): readonly (Record<string, unknown> | Interruption)[] {
  switch (block.type) {
    case 'thinking':
      return [
        { type: 'thinking_delta', thinking: block.thinking },
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'text':
      return block.parts.map((part) => (isInterruption(part) ? part : { type: 'text_delta', text: part }));
    case 'tool_use':
      return block.parts.map((part) =>
        isInterruption(part) ? part : { type: 'input_json_delta', partial_json: part },
      );
  }
}

async function interrupt(interruption: Interruption): Promise<WireStep | undefined> {
  switch (interruption.kind) {
    case 'gate':
      await interruption.pass();
      return undefined;
    case 'cut':
      return { kind: 'cut' };
    case 'stream_error': {
      const error = { type: interruption.errorType, message: interruption.message };
      return { kind: 'event', event: { type: 'error', error } };
    }
  }
}

async function* blockSteps(
  block: ScriptedBlock,
  index: number,
  id: string,
): AsyncGenerator<WireStep, boolean> {
  yield { kind: 'event', event: { type: 'content_block_start', index, content_block: startOf(block, id) } };
  for (const delta of deltasOf(block)) {
    if (!isInterruption(delta)) {
      yield { kind: 'event', event: { type: 'content_block_delta', index, delta } };
      continue;
    }
    const step = await interrupt(delta);
    if (step === undefined) continue;
    yield step;
    return false;
  }
  yield { kind: 'event', event: { type: 'content_block_stop', index } };
  return true;
}

/**
 * Plays an answer as the events of a Messages stream.
 * @param place number of the answer (for ids) and model name to report
 */
export async function* wireSteps(
  reply: ScriptedAnswer,
  place: { readonly number: number; readonly model: string },
): AsyncGenerator<WireStep, void> {
  const usage = { input_tokens: 10, output_tokens: 1, ...reply.usage };
  const message = {
    id: `msg_scripted_${place.number}`,
    type: 'message',
    role: 'assistant',
    model: place.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  yield { kind: 'event', event: { type: 'message_start', message } };
  yield { kind: 'event', event: { type: 'ping' } };
  let index = 0;
  for (const part of reply.content) {
    if (isInterruption(part)) {
      const step = await interrupt(part);
      if (step === undefined) continue;
      yield step;
      return;
    }
    const id = `toolu_scripted_${place.number}_${index}`;
    if (!(yield* blockSteps(part, index, id))) return;
    index += 1;
  }
  const asksForTool = reply.content.some((part) => !isInterruption(part) && part.type === 'tool_use');
  const delta = {
    stop_reason: reply.stopReason ?? (asksForTool ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
  };
  yield {
    kind: 'event',
    event: { type: 'message_delta', delta, usage: { output_tokens: 5, ...reply.usage } },
  };
  yield { kind: 'event', event: { type: 'message_stop' } };
}
