import type { PeerRequestOptions, RequestContext } from '@portico/rpc';
import { toLocalError } from './local-error.ts';
import { checkResult, requireResultSchema } from './method-schemas.ts';
import type {
  BaseContext,
  ProtocolMessage,
  ProtocolRequestOptions,
  SendRequest,
} from './protocol-context.ts';
import { type StandardSchemaV1, isStandardSchema } from './standard-schema.ts';

/** The engine's names for what can be said about a request. */
export function toPeerOptions(options: ProtocolRequestOptions | undefined): PeerRequestOptions | undefined {
  if (options?.timeout === undefined && options?.maxTotalTimeout === undefined) return options;
  const { timeout, maxTotalTimeout, ...rest } = options;
  return {
    ...rest,
    timeoutMs: rest.timeoutMs ?? timeout,
    maxTotalTimeoutMs: rest.maxTotalTimeoutMs ?? maxTotalTimeout,
  };
}

/** Sends one request somewhere. */
type Ask = (
  method: string,
  params: Readonly<Record<string, unknown>> | undefined,
  options: ProtocolRequestOptions | undefined,
) => Promise<unknown>;

/**
 * A function that sends requests and checks their results by method or schema.
 * @param ask rejects as a call does, with errors of this side
 */
export function createSendRequest(ask: Ask): SendRequest {
  return async (
    { method, params }: ProtocolMessage,
    second?: StandardSchemaV1 | ProtocolRequestOptions,
    third?: ProtocolRequestOptions,
  ) => {
    const schema = isStandardSchema(second) ? second : undefined;
    requireResultSchema(method, schema);
    const options = isStandardSchema(second) ? third : second;
    // The overloads say which result belongs to which method; the check has seen it.
    return (await checkResult(method, await ask(method, params, options), schema)) as never;
  };
}

/** What handlers send with, bound to the request that they serve. */
export function toSendFunctions(context: RequestContext): Pick<BaseContext['mcpReq'], 'send' | 'notify'> {
  return {
    send: createSendRequest(async (method, params, options) => {
      try {
        return await context.request(method, params, toPeerOptions(options));
      } catch (error) {
        throw toLocalError(error);
      }
    }),
    notify: ({ method, params }) => context.notify(method, params),
  };
}
