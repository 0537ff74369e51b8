import type { ExchangeScope } from './exchange-scope.ts';
import type { JSONRPCMessage, RequestId } from './message.ts';

/** What accompanies one outgoing message. Every member may be ignored by a transport. */
export interface TransportSendOptions {
  /** The incoming request that this message belongs to, for transports with one stream a request. */
  relatedRequestId?: RequestId;
  /** Is aborted when the caller gives this request up; a transport may then end its exchange. */
  scope?: ExchangeScope;
  /** Extra headers for this one message, where the channel has headers. */
  headers?: Readonly<Record<string, string>>;
  /** Resume a broken stream after this event id, where the channel can. */
  resumptionToken?: string;
  /** Told each new event id that a later `resumptionToken` may name. Must not throw. */
  onresumptiontoken?: (token: string) => void;
}

/** What a transport knows about one incoming message beyond its content. */
export interface MessageExtraInfo {
  /** The HTTP request that carried the message; its body has been read. */
  request?: Request;
  /** The outgoing request on whose own answer it came, where the channel has one a request. */
  relatedRequestId?: RequestId;
  /** Who sent it, when the channel has authenticated the sender. */
  authInfo?: unknown;
  /** Ends the response stream of this message early; the client resumes it. Absent where it cannot. */
  closeSSEStream?: () => void;
  /** The same for the session's stream of messages that belong to no request. */
  closeStandaloneSSEStream?: () => void;
  /** Called when a handler takes the message: what fails before is a fault of the request's form. */
  onhandling?: () => void;
}

/**
 * What `send` may return when the message is handed over already. Nobody needs to wait for it, and not
 * waiting saves a good part of what a message in memory costs.
 */
export const HANDED_OVER: Promise<void> = Promise.resolve();

/**
 * A two-way channel for JSON-RPC messages.
 *
 * Whoever sets the callbacks owns the transport from then on: it calls `start` once, after setting
 * them, and `close` at the end. Callbacks must not throw; a transport may still survive it when
 * they do. `close` may be called at any time and more than once; `onclose` fires exactly once,
 * whichever side ended the channel. After it nothing is delivered and `send` rejects.
 */
export interface Transport {
  /** Opens the channel. Rejects when it cannot be opened; the transport is then unusable. */
  start(): Promise<void>;
  /** Hands one message to the channel; resolves when it is handed over, rejects when it is lost. */
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>;
  /** Ends the channel and releases what it holds. */
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  /** A fault that does not end the channel by itself. */
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  /** The session this channel belongs to, where it has sessions. */
  sessionId?: string | undefined;
  /** Told the agreed protocol version, for channels that repeat it on every message. */
  setProtocolVersion?: ((version: string) => void) | undefined;
  /** Told that a session of an earlier connection goes on, for channels that open something for it. */
  resumeSession?: (() => void) | undefined;
  /** Told which protocol versions are served, for channels that check one on each message. */
  setSupportedProtocolVersions?: ((versions: string[]) => void) | undefined;
  /** True when messages are handed over as objects, so that they have no size in bytes. */
  readonly handsOverObjects?: boolean | undefined;
  /** True when each request has a response stream of its own, whose end means a cancel. */
  readonly hasPerRequestStream?: boolean | undefined;
}
