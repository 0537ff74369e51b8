import type {
  JSONRPCMessage,
  MessageExtraInfo,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@portico/rpc';
import {
  type ScopeChallengeHandler,
  WebStandardStreamableHTTPServerTransport,
  type WebStandardStreamableHTTPServerTransportOptions,
} from '@portico/server';
import type { NodeIncomingMessageLike, NodeServerResponseLike } from './node-message.ts';
import { type NodeMcpRequestHandler, toNodeHandler } from './to-node-handler.ts';

/** The options of the transport underneath. */
export type StreamableHTTPServerTransportOptions = WebStandardStreamableHTTPServerTransportOptions;

/**
 * The legacy streamable HTTP transport for Node requests: one session, or one sessionless exchange,
 * wired by hand. Everything it does is done by the transport underneath.
 */
export class NodeStreamableHTTPServerTransport implements Transport {
  readonly #inner: WebStandardStreamableHTTPServerTransport;
  readonly #serve: NodeMcpRequestHandler;

  constructor(options: StreamableHTTPServerTransportOptions = {}) {
    this.#inner = new WebStandardStreamableHTTPServerTransport(options);
    this.#serve = toNodeHandler(this.#inner, { onerror: (error) => this.onerror?.(error) });
  }

  get onclose(): (() => void) | undefined {
    return this.#inner.onclose;
  }

  set onclose(callback: (() => void) | undefined) {
    this.#inner.onclose = callback;
  }

  get onerror(): ((error: Error) => void) | undefined {
    return this.#inner.onerror;
  }

  set onerror(callback: ((error: Error) => void) | undefined) {
    this.#inner.onerror = callback;
  }

  get onmessage(): ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined {
    return this.#inner.onmessage;
  }

  set onmessage(callback: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined) {
    this.#inner.onmessage = callback;
  }

  /** Undefined before `initialize`, and without a generator. */
  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  /** Asked about every request before it is delivered. A server that connects sets its own. */
  setScopeChallengeResolver(resolver: ScopeChallengeHandler): void {
    this.#inner.setScopeChallengeResolver(resolver);
  }

  /** @throws RpcError `wrong_state` the second time */
  start(): Promise<void> {
    return this.#inner.start();
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#inner.setSupportedProtocolVersions(versions);
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.#inner.send(message, options);
  }

  /** Ends the session: streams close without the answers that are missing. */
  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Ends the connection of one call's stream; the client comes back for the rest. Needs an event store. */
  closeSSEStream(requestId: RequestId): void {
    this.#inner.closeSSEStream(requestId);
  }

  /** The same for the session's stream of messages that belong to no call. */
  closeStandaloneSSEStream(): void {
    this.#inner.closeStandaloneSSEStream();
  }

  /**
   * Serves one request of this session.
   * @param parsedBody what a body parser has read; `req.body` counts too
   */
  handleRequest(
    request: NodeIncomingMessageLike,
    response: NodeServerResponseLike,
    parsedBody?: unknown,
  ): Promise<void> {
    return this.#serve(request, response, parsedBody);
  }
}
