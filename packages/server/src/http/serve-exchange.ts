import type { JSONRPCRequest, OpenTable } from '@portico/rpc';
import { type EndObservation, beginObservation, bytesOf, outcomeOf } from '@portico/spec';
import type { Caller } from '../caller.ts';
import { toWireError } from '../wire-error.ts';
import { HttpExchange, type ExchangeOptions } from './exchange.ts';
import type { Instance } from './handler-target.ts';
import type { HttpAnswer } from './http-message.ts';

/** One exchange that a handler has open, so that closing it can end it. */
export interface OpenExchange {
  readonly key: symbol;
  readonly method: string;
  readonly exchange: HttpExchange;
  /** Called when nothing of it is left, its server included. */
  onfinished?: () => void;
}

export type OpenExchanges = OpenTable<symbol, OpenExchange>;

export interface ExchangeWork {
  /** As it came, with its envelope. */
  readonly received: JSONRPCRequest;
  readonly message: Pick<JSONRPCRequest, 'method'> & {
    readonly params: Readonly<Record<string, unknown>>;
  };
  readonly caller: Caller;
  readonly instance: Instance;
  readonly open: OpenExchanges;
  readonly report: (error: Error) => void;
}

/** Runs one request on an instance and answers when there is something to answer. */
export function serveExchange(work: ExchangeWork, options: ExchangeOptions): Promise<HttpAnswer> {
  const exchange = new HttpExchange(options);
  const entry: OpenExchange = { key: Symbol('exchange'), method: work.message.method, exchange };
  work.open.set(entry.key, entry);
  const ended = observed(work);
  exchange.onabort = leaving(entry, work, ended);
  void run(entry, work, ended);
  return exchange.answer;
}

/**
 * A handler that does not look at its signal must not keep the server alive for nobody. The function is
 * made here because V8 takes one that is written straight into a member for a lasting one: it and all that
 * it reaches then outlive every young collection.
 */
function leaving(entry: OpenExchange, work: ExchangeWork, ended: EndObservation | undefined): () => void {
  return () => {
    ended?.('REQUEST_ABORTED');
    void finish(entry, work);
  };
}

async function run(
  entry: OpenExchange,
  work: ExchangeWork,
  ended: EndObservation | undefined,
): Promise<void> {
  const { exchange } = entry;
  const { id } = work.received;
  try {
    const result = await work.instance.server.serve(work.message, work.caller, exchange);
    exchange.succeed(result);
    ended?.(outcomeOf(result), bytesOf({ jsonrpc: '2.0', id, result }));
  } catch (thrown) {
    const error = toWireError(thrown);
    exchange.fail(error);
    ended?.(error.code, bytesOf({ jsonrpc: '2.0', id, error }));
  }
  await finish(entry, work);
}

function observed({ received, instance }: ExchangeWork): EndObservation | undefined {
  const { observing } = instance.server;
  if (observing === undefined) return undefined;
  const { method, params } = received;
  return beginObservation(observing, { direction: 'incoming', method, params, bytes: bytesOf(received) });
}

async function finish(entry: OpenExchange, { open, instance, report }: ExchangeWork): Promise<void> {
  if (!open.delete(entry.key)) return;
  // Listeners for a lost client outlive the answer, until a full collection: the server must not hang on them.
  entry.exchange.onabort = undefined;
  try {
    await instance.release();
  } catch (error) {
    report(error instanceof Error ? error : new TypeError(String(error)));
  }
  entry.onfinished?.();
}

/** The progress token a request gave. */
export function progressTokenOf(params: Readonly<Record<string, unknown>> | undefined): unknown {
  const meta = params?.['_meta'];
  return typeof meta === 'object' && meta !== null ? Reflect.get(meta, 'progressToken') : undefined;
}
