import type { JSONRPCRequest } from '@portico/rpc';
import type { Caller } from '../caller.ts';
import { toWireError } from '../wire-error.ts';
import { HttpExchange, type ExchangeOptions } from './exchange.ts';
import type { Instance } from './handler-target.ts';
import type { HttpAnswer } from './http-message.ts';

/** The exchanges that a handler has open, so that closing it can end them. */
export type OpenExchanges = Map<HttpExchange, { readonly method: string; readonly finished: Promise<void> }>;

/** Runs one request on an instance and answers when there is something to answer. */
export async function serveExchange(
  work: {
    readonly message: Pick<JSONRPCRequest, 'method'> & {
      readonly params: Readonly<Record<string, unknown>>;
    };
    readonly caller: Caller;
    readonly instance: Instance;
    readonly open: OpenExchanges;
    readonly report: (error: Error) => void;
  },
  options: ExchangeOptions,
): Promise<HttpAnswer> {
  const { message, caller, instance, open, report } = work;
  const exchange = new HttpExchange(options);
  const finished = instance.server
    .serve(message, caller, exchange)
    .then(
      (result) => exchange.succeed(result),
      (error: unknown) => exchange.fail(toWireError(error)),
    )
    .then(() => instance.release())
    .catch((error: unknown) => {
      report(error instanceof Error ? error : new TypeError(String(error)));
    })
    .finally(() => void open.delete(exchange));
  open.set(exchange, { method: message.method, finished });
  return exchange.answer;
}

/** The progress token a request gave. */
export function progressTokenOf(params: Readonly<Record<string, unknown>> | undefined): unknown {
  const meta = params?.['_meta'];
  return typeof meta === 'object' && meta !== null ? Reflect.get(meta, 'progressToken') : undefined;
}
