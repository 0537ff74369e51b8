import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@portico/rpc';
import { EVENT_STREAM_HEADERS, SseSession, type SseSessionOptions } from '@portico/server';
import type { NodeIncomingMessageLike, NodeServerResponseLike } from './node-message.ts';
import { writeAnswer } from './node-response.ts';
import { type NodeMcpRequestHandler, toNodeHandler } from './to-node-handler.ts';

export type SSEServerTransportOptions = SseSessionOptions;

/**
 * The transport of revision 2024-11-05 over node:http, for clients that know no other: make one for
 * each GET, connect a server of its own to it, and hand it the POSTs that carry its session id in
 * the query.
 *
 * @deprecated New clients use streamable HTTP; it works unchanged.
 */
export class SSEServerTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  readonly #session: SseSession;
  readonly #response: NodeServerResponseLike;
  readonly #handle: NodeMcpRequestHandler;

  /**
   * @param endpoint where clients post to; its path and query are told to them
   * @param response the answer to the GET
   */
  constructor(endpoint: string, response: NodeServerResponseLike, options: SSEServerTransportOptions = {}) {
    this.#response = response;
    this.#session = new SseSession(endpoint, options);
    this.#session.onmessage = (message, extra) => this.onmessage?.(message, extra);
    this.#session.onclose = () => this.onclose?.();
    this.#session.onerror = (error) => this.onerror?.(error);
    this.#handle = toNodeHandler({ handle: (request) => this.#session.post(request) });
  }

  /** Names the session in the query of its POSTs: `sessionId`. */
  get sessionId(): string {
    return this.#session.sessionId;
  }

  /** Answers the GET. @throws RpcError `wrong_state` the second time */
  async start(): Promise<void> {
    await this.#session.start();
    const { stream } = this.#session;
    writeAnswer({ status: 200, headers: EVENT_STREAM_HEADERS, stream }, this.#response, { answered: false });
  }

  /** Serves one POST of this session. @param parsedBody what a body parser ahead made of it */
  handlePostMessage(
    request: NodeIncomingMessageLike,
    response: NodeServerResponseLike,
    parsedBody?: unknown,
  ): Promise<void> {
    return this.#handle(request, response, parsedBody);
  }

  /** Takes a message that came by another way. @throws RpcError `invalid_message` */
  handleMessage(message: unknown, extra?: MessageExtraInfo): Promise<void> {
    return this.#session.handleMessage(message, extra);
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#session.send(message);
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}
