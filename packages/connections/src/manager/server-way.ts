import { SdkError, mayNeedSseTransport } from '@portico/client';
import type { Transport } from '@portico/rpc';
import { proxyReason } from './proxy-reason.ts';
import type { ProxyRoute } from './proxy-route.ts';
import type { TransportKind } from './server-transport.ts';

/** What the ways to a server need of its entry. */
export interface WayPort {
  route(): ProxyRoute;
  /** @param via address of the proxy; undefined goes straight to the server */
  make(kind: TransportKind, via: string | undefined): Transport;
  /** Tells why the way was changed. */
  switched(cause: string): void;
}

/**
 * Which way the requests to one server go: the old transport is the last thing tried on each way, and
 * the proxy comes after that, when a first connection failed with what a proxy may help against.
 * Source: R28, R43–R49.
 */
export class ServerWay {
  readonly #port: WayPort;
  #kind: TransportKind = 'http';
  #via: string | undefined;
  /** Kept until the settings that led here change. */
  #fallenBackTo: string | undefined;
  #hasServed = false;
  /** The question about the era was not answered on this way. */
  #wasSilent = false;
  /** What the present transport failed with before the old one was tried. */
  #first: unknown;

  constructor(port: WayPort) {
    this.#port = port;
  }

  /** The proxy that requests go by now. */
  get via(): string | undefined {
    return this.#via;
  }

  /** The settings are others: nothing that was found out holds any more. */
  forget(): void {
    this.#fallenBackTo = undefined;
    this.#hasServed = false;
  }

  /** The way leads to the server. */
  served(): void {
    this.#hasServed = true;
  }

  /** The first transport of an opening. */
  first(): Transport {
    const { first, proxyAddress } = this.#port.route();
    this.#via = this.#fallenBackTo ?? (first === 'proxy' ? proxyAddress : undefined);
    this.#wasSilent = false;
    return this.#make('http');
  }

  /** Whether the handshake comes without a question about the era. */
  get isSilent(): boolean {
    return this.#wasSilent;
  }

  /** Another one after a failure, as long as there is any. */
  next(error: unknown): Transport | undefined {
    if (!this.#wasSilent && error instanceof SdkError && error.code === 'REQUEST_TIMEOUT') {
      this.#wasSilent = true;
      return this.#make(this.#kind);
    }
    if (this.#kind === 'http' && mayNeedSseTransport(error)) {
      this.#first = error;
      return this.#make('sse');
    }
    const cause = this.#first ?? error;
    this.#first = undefined;
    const { fallbackAddress } = this.#port.route();
    const may = fallbackAddress !== undefined && this.#via === undefined && !this.#hasServed;
    const reason = may ? proxyReason(cause) : undefined;
    if (reason === undefined) return undefined;
    this.#fallenBackTo = fallbackAddress;
    this.#via = fallbackAddress;
    this.#wasSilent = false;
    this.#port.switched(reason);
    return this.#make('http');
  }

  #make(kind: TransportKind): Transport {
    this.#kind = kind;
    return this.#port.make(kind, this.#via);
  }
}
