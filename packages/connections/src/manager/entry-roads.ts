import type { Transport } from '@portico/rpc';
import type { FetchLike } from '@portico/spec';
import { ConnectionsError } from '../errors.ts';
import { proxiedFetch } from './proxied-fetch.ts';
import type { ServerEntry } from './server-entry.ts';
import { createServerTransport } from './server-transport.ts';
import type { TransportKind } from './server-transport.ts';
import { ServerWay } from './server-way.ts';
import { budgetedFetch, holdStream } from './stream-budget.ts';
import { tapTransport } from './transport-tap.ts';

/** How the requests of one server get there. */
export class EntryRoads {
  readonly #entry: ServerEntry;
  readonly #way: ServerWay;
  #heardMs = 0;

  constructor(entry: ServerEntry) {
    this.#entry = entry;
    this.#way = new ServerWay({
      route: () => entry.resolved.route,
      make: (kind, via) => this.#make(kind, via),
      switched: (cause) => entry.parts.log('info', `going by the proxy: ${cause}`),
    });
  }

  /** When the server was last heard of, epoch milliseconds. */
  get heardMs(): number {
    return this.#heardMs;
  }

  /** The proxy that requests to the server go by now. */
  get via(): string | undefined {
    return this.#way.via;
  }

  /** Whether the handshake comes without a question about the era, which was not answered. */
  get isSilent(): boolean {
    return this.#way.isSilent;
  }

  forget(): void {
    this.#way.forget();
  }

  served(): void {
    this.#way.served();
  }

  first(): Transport {
    return this.#way.first();
  }

  next(error: unknown): Transport | undefined {
    return this.#way.next(error);
  }

  /** Takes a place for a long stream. */
  holdStream(): Promise<(() => void) | undefined> {
    return holdStream(this.#entry.port.environment, this.via ?? this.#url);
  }

  /** Sends one HEAD to the server's address, as every request to it is sent, but without a session. */
  async head(signal: AbortSignal): Promise<number> {
    const { headers } = this.#entry.resolved;
    const token = this.#entry.signIn.storedToken;
    const sent = token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` };
    const response = await this.#fetch(this.via)(this.#url, { method: 'HEAD', headers: sent, signal });
    await response.body?.cancel();
    return response.status;
  }

  get #url(): string {
    const { url } = this.#entry.resolved;
    if (url === undefined) throw new ConnectionsError('invalid_config', { member: 'url' });
    return url;
  }

  #fetch(via: string | undefined): FetchLike {
    const { fetch } = this.#entry.port.environment;
    if (via === undefined) return fetch;
    return proxiedFetch(fetch, { proxyAddress: via, headers: this.#entry.resolved.proxyHeaders });
  }

  #make(kind: TransportKind, via: string | undefined): Transport {
    const { resolved, port, parts, signIn } = this.#entry;
    const transport = createServerTransport(kind, {
      url: this.#url,
      clock: port.environment.clock,
      // The old transport is nothing without its stream.
      fetch: kind === 'sse' ? this.#fetch(via) : budgetedFetch(this.#fetch(via), port.environment),
      headers: resolved.headers,
      authProvider: signIn.authProvider,
      reconnection: resolved.streamReconnection,
    });
    return tapTransport(transport, {
      sent: (message) => parts.recorded('sent', message),
      received: (message) => {
        this.#heardMs = port.environment.clock.now();
        parts.recorded('received', message);
      },
    });
  }
}
