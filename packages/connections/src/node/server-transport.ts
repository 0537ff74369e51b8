import { StreamableHTTPClientTransport } from '@portico/client';
import type { FetchLike } from '@portico/client';
import { createHttpPool } from '@portico/client/node';
import type { HttpPoolGuard } from '@portico/client/node';
import { StdioClientTransport } from '@portico/client/stdio';
import type { ChildKeeper } from '@portico/client/stdio';
import type { AuthProvider } from '@portico/oauth';
import type { Clock, Transport } from '@portico/rpc';

/** Where a server is: a program to start, or an address to talk to. */
export type ServerAddress =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args?: readonly string[];
      /** Added to the short list of variables that every child gets. */
      readonly env?: Readonly<Record<string, string>>;
      /** Working folder; this process's own by default. */
      readonly cwd?: string;
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Has the token of each request, and sees to a new one after a refusal. */
      readonly authProvider?: AuthProvider;
    };

export interface OpenServerOptions {
  /** Default: the system's time. */
  readonly clock?: Clock;
  /** Does the requests to HTTP servers; default: a pool of connections of the transport's own. */
  readonly fetch?: FetchLike;
  /** Decides where the connections of that pool may go; default: wherever the address leads. */
  readonly guard?: HttpPoolGuard;
  /** Keeps account of programs that are started; default: nobody. */
  readonly keeper?: ChildKeeper;
}

/**
 * The channel to a server outside this process. Nothing is started or asked before the transport's
 * `start`; a program runs without a shell and none of this process's own variables but harmless ones
 * reach it.
 */
export function openServer(address: ServerAddress, options: OpenServerOptions = {}): Transport {
  const timing = options.clock === undefined ? {} : { clock: options.clock };
  if (address.kind === 'stdio') {
    const { command, args = [], env = {}, cwd } = address;
    const folder = cwd === undefined ? {} : { cwd };
    // Its last words are kept and shown where the person looks for them.
    return new StdioClientTransport(
      { command, args, env, ...folder, stderr: 'ignore' },
      { ...timing, ...(options.keeper === undefined ? {} : { keeper: options.keeper }) },
    );
  }
  const guarded = options.guard === undefined ? {} : { guard: options.guard };
  return new StreamableHTTPClientTransport(new URL(address.url), {
    ...timing,
    ...(options.fetch === undefined
      ? { http: createHttpPool({ ...timing, ...guarded }) }
      : { fetch: options.fetch }),
    requestInit: { headers: { ...address.headers } },
    ...(address.authProvider === undefined ? {} : { authProvider: address.authProvider }),
  });
}
