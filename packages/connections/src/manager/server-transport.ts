import { SSEClientTransport, StreamableHTTPClientTransport } from '@portico/client';
import type { StreamableHTTPClientTransportOptions } from '@portico/client';
import type { AuthProvider } from '@portico/oauth';
import type { Clock, Transport } from '@portico/rpc';
import type { FetchLike } from '@portico/spec';
import { ConnectionsError } from '../errors.ts';

/** The two kinds of transport over HTTP: the present one, and the one of revision 2024-11-05. */
export type TransportKind = 'http' | 'sse';

/** What a server's transport is made with. */
export interface ServerTransportSetting {
  readonly url: string;
  readonly clock: Clock;
  /** Does every request to the server. */
  readonly fetch: FetchLike;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Left out where the headers hold an authorization of their own. */
  readonly authProvider: AuthProvider | undefined;
  readonly reconnection: StreamableHTTPClientTransportOptions['reconnectionOptions'];
  readonly maxMessageBytes?: number;
}

/** Makes one of the transports of a server. */
export function createServerTransport(kind: TransportKind, setting: ServerTransportSetting): Transport {
  const { url, clock, fetch, headers, authProvider, reconnection } = setting;
  const options = {
    clock,
    fetch,
    requestInit: { headers: { ...headers } },
    ...(authProvider === undefined ? {} : { authProvider }),
    ...(reconnection === undefined ? {} : { reconnectionOptions: reconnection }),
  };
  return kind === 'http'
    ? new StreamableHTTPClientTransport(url, options)
    : new SSEClientTransport(new URL(url), options);
}

/** Whether headers bring an authorization of their own, whatever the case of the name. */
export function hasOwnAuthorization(headers: Readonly<Record<string, string>> | undefined): boolean {
  return Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization');
}

/** What a refusal means where nobody can sign in: the header was wrong. */
export function refusedHeader(id: string): ConnectionsError {
  const message = 'the server refuses the Authorization header of its settings';
  return new ConnectionsError('auth_failed', { id }, { message });
}
