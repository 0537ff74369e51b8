import { MAX_NAME_LENGTH } from '../limits.ts';
import { METHODS } from '../wire.ts';
import type { FrameMethod } from '../wire.ts';
import {
  SavedPromise,
  SavedTypeError,
  freeze,
  isAborted,
  listen,
  lock,
  microtask,
  quoteJson,
  unlisten,
} from './builtins.ts';
import { isFault, readCallOptions } from './call-options.ts';
import type { CallOptions } from './call-options.ts';
import { createFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import { inputText, isRefusal } from './plain-json.ts';
import type { Session } from './session.ts';
import { resultForPage, toolFailure } from './tool-result.ts';

/** One event for a watch's handler. */
type WatchEvent =
  | { readonly type: 'data'; readonly result: unknown }
  | { readonly type: 'error'; readonly error: Failure };

/** `window.claude.mcp`, typed for what arrives rather than for what pages ought to pass. */
export interface ClaudeMcp {
  callTool(server: unknown, tool: unknown, input?: unknown, options?: unknown): Promise<unknown>;
  watchTool(server: unknown, tool: unknown, input: unknown, handler: unknown, options?: unknown): () => void;
  invalidate(server?: unknown, tool?: unknown, input?: unknown): Promise<void>;
  listTools(): Promise<unknown>;
}

/** A call that is ready to send, or the reason why it is not. */
type Prepared = { readonly params: string; readonly server?: string } | { readonly failure: Failure };

function badRequest(message: string, server: unknown): Prepared {
  return {
    failure: createFailure('bad_request', {
      message,
      server: typeof server === 'string' ? server : undefined,
    }),
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_NAME_LENGTH;
}

function prepareCall(
  server: unknown,
  tool: unknown,
  rest: { input: unknown; cache: string | undefined },
): Prepared {
  if (!isName(server)) return badRequest('The server has to be a connector name.', undefined);
  if (!isName(tool)) return badRequest('The tool has to be a tool name.', server);
  const input = inputText(rest.input);
  if (isRefusal(input)) return badRequest(input.refused, server);
  const cache = rest.cache === undefined ? '' : `,"cache":${rest.cache}`;
  return {
    server,
    params: `{"server":${quoteJson(server)},"tool":${quoteJson(tool)},"input":${input}${cache}}`,
  };
}

function prepareInvalidate(server: unknown, tool: unknown, input: unknown): Prepared {
  if (server === undefined) {
    return tool === undefined && input === undefined
      ? { params: '{}' }
      : badRequest('A tool or an input needs its server.', undefined);
  }
  if (!isName(server)) return badRequest('The server has to be a connector name.', undefined);
  const head = `{"server":${quoteJson(server)}`;
  if (tool === undefined) {
    return input === undefined
      ? { server, params: `${head}}` }
      : badRequest('An input needs its tool.', server);
  }
  if (!isName(tool)) return badRequest('The tool has to be a tool name.', server);
  if (input === undefined) return { server, params: `${head},"tool":${quoteJson(tool)}}` };
  const text = inputText(input);
  if (isRefusal(text)) return badRequest(text.refused, server);
  return { server, params: `${head},"tool":${quoteJson(tool)},"input":${text}}` };
}

/** The options of a call, or a failure; a getter of the page that throws is the page's mistake. */
function optionsOrFailure(options: unknown, server: unknown): CallOptions | { readonly failure: Failure } {
  const name = typeof server === 'string' ? server : undefined;
  try {
    const read = readCallOptions(options);
    return isFault(read)
      ? { failure: createFailure('bad_request', { message: read.fault, server: name }) }
      : read;
  } catch {
    return {
      failure: createFailure('bad_request', { message: 'The options cannot be read.', server: name }),
    };
  }
}

interface Sending {
  readonly session: Session;
  readonly method: FrameMethod;
  readonly signal?: AbortSignal | undefined;
  /** Turns the shell's answer into the page's, or into a failure. */
  readonly finish: (result: unknown) => { readonly value: unknown } | { readonly failure: Failure };
}

/** Sends a prepared call as a promise that settles once, by its answer or by its signal. */
function send(prepared: Prepared, sending: Sending): Promise<unknown> {
  return new SavedPromise<unknown>((resolve, reject) => {
    if ('failure' in prepared) {
      reject(prepared.failure);
      return;
    }
    const { signal } = sending;
    const { server } = prepared;
    const cancelled = (): void => reject(createFailure('cancelled', { server }));
    if (signal !== undefined && isAborted(signal)) {
      cancelled();
      return;
    }
    let giveUp = (): void => undefined;
    const onAbort = (): void => {
      giveUp();
      cancelled();
    };
    if (signal !== undefined) listen(signal, 'abort', onAbort);
    giveUp = sending.session.call({
      method: sending.method,
      params: prepared.params,
      ...(server === undefined ? {} : { server }),
      settle(failure, result) {
        if (signal !== undefined) unlisten(signal, 'abort', onAbort);
        const end = failure === undefined ? sending.finish(result) : { failure };
        if ('failure' in end) reject(end.failure);
        else resolve(end.value);
      },
    });
  });
}

function finishCall(server: unknown): Sending['finish'] {
  return (result) => {
    const failure = toolFailure(result, server as string);
    return failure === undefined ? { value: resultForPage(result) } : { failure };
  };
}

type Watch = Pick<Session, 'call'>;

/** A watch whose every failure reaches the handler, no earlier than a microtask from now. */
function startWatch(session: Watch, prepared: Prepared, handler: (event: WatchEvent) => void): () => void {
  let live = true;
  let giveUp = (): void => undefined;
  const fail = (error: Failure): void =>
    microtask(() => {
      if (live) handler({ type: 'error', error });
    });
  if ('failure' in prepared) {
    fail(prepared.failure);
  } else {
    giveUp = session.call({
      method: METHODS.watchTool,
      params: prepared.params,
      settle(failure) {
        if (failure !== undefined) fail(failure);
      },
    });
  }
  return () => {
    live = false;
    giveUp();
  };
}

/** The locked namespace that pages call. No method throws, but for a watch without a handler. */
export function createClaudeMcp(session: Session): ClaudeMcp {
  const mcp: ClaudeMcp = {
    // oxlint-disable-next-line max-params -- the published signature
    callTool(server, tool, input, options) {
      const read = optionsOrFailure(options, server);
      if ('failure' in read)
        return send(read, { session, method: METHODS.callTool, finish: finishCall(server) });
      const prepared = prepareCall(server, tool, { input, cache: read.cache });
      return send(prepared, {
        session,
        method: METHODS.callTool,
        signal: read.signal,
        finish: finishCall(server),
      });
    },
    // oxlint-disable-next-line max-params -- the published signature
    watchTool(server, tool, input, handler, options) {
      if (typeof handler !== 'function')
        throw new SavedTypeError('The handler of a watch has to be a function.');
      const read = optionsOrFailure(options, server);
      const prepared = 'failure' in read ? read : prepareCall(server, tool, { input, cache: read.cache });
      return freeze(startWatch(session, prepared, handler as (event: WatchEvent) => void));
    },
    invalidate(server, tool, input) {
      const finish: Sending['finish'] = () => ({ value: undefined });
      return send(prepareInvalidate(server, tool, input), {
        session,
        method: METHODS.invalidate,
        finish,
      }) as Promise<void>;
    },
    listTools() {
      return send({ params: '{}' }, { session, method: METHODS.listTools, finish: (value) => ({ value }) });
    },
  };
  return lock(mcp);
}
