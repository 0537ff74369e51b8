import type { ExchangeScope } from '@portico/rpc';

/** One request to a server. */
export interface HttpRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Ends the exchange when nobody waits for it any more. */
  readonly scope: ExchangeScope;
  /** Must not wait until a connection is free: what ends the calls that hold the connections. */
  readonly urgent?: boolean;
}

/** Takes one piece of a body. Must not throw. @returns whether the rest is not wanted */
export type TakeChunk = (chunk: Uint8Array) => boolean;

/** An answer whose body is read once, by one of its three functions, or not at all. */
export interface HttpAnswer {
  readonly status: number;
  readonly statusText: string;
  /** A header by its name in lower case; values of one name that came apart are joined by commas. */
  header(name: string): string | undefined;
  /**
   * The whole body.
   *
   * @param maxBytes reading stops as soon as there are more
   * @throws SdkError `MESSAGE_TOO_LARGE`, `INVALID_MESSAGE` when the bytes are no UTF-8
   * @throws Error what the connection broke with
   */
  text(maxBytes: number): Promise<string>;
  /**
   * Hands out the body as it comes and resolves at its end, or as soon as the rest is not wanted.
   *
   * @throws Error what the connection broke with
   */
  chunks(take: TakeChunk): Promise<void>;
  /** Lets go of a body that nobody reads, so that its connection can be used again. */
  discard(): void;
}

/**
 * What does the requests of a transport. A transport that was given one owns it and closes it at its
 * own end. Redirects are answers here like any other: the transport decides which ones it follows.
 * No time limit of its own may end an exchange; the scope does.
 */
export interface HttpClient {
  /** Resolves with the head of the answer. @throws Error whatever kept the request from an answer */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Gives back all connections; exchanges that are still open break. */
  close(): Promise<void>;
}
