import { METHOD_HEADER, NAME_HEADER, PROTOCOL_VERSION_HEADER } from '@portico/spec';
import type { ClientCapabilities } from '@portico/spec';
import type {
  CancelMode,
  JSONRPCNotification,
  PeerRequestOptions,
  ProgressCallback,
  RequestId,
} from '@portico/rpc';

/** What can be said about one request. */
export interface RequestOptions {
  /** Asks for progress and receives it. */
  onprogress?: ProgressCallback | undefined;
  /**
   * Receives notifications that came on this request's own answer, where the channel has one a request.
   * True takes them: nobody else hears of them. Must not throw.
   */
  onnotification?: ((notification: JSONRPCNotification) => boolean) | undefined;
  /** Gives the request up; the server is told once. */
  signal?: AbortSignal | undefined;
  /** Milliseconds; 60,000 by default. */
  timeout?: number | undefined;
  /** Each report of progress starts `timeout` anew. */
  resetTimeoutOnProgress?: boolean | undefined;
  /** Milliseconds in all, whatever progress comes; spans all rounds of a request that asks for input. */
  maxTotalTimeout?: number | undefined;
  /** Hands an interim answer to the caller instead of getting the input it asks for. */
  allowInputRequired?: boolean | undefined;
  /**
   * What the caller of this request can do, where a revision has each request say so; what the client
   * declares by default.
   */
  capabilities?: ClientCapabilities | undefined;
  /** Extra headers, where the channel has headers. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The incoming request this one belongs to. */
  relatedRequestId?: RequestId | undefined;
  /** Goes on with a call that a broken stream interrupted, where the channel can. */
  resumptionToken?: string | undefined;
  /** Told each new token that a later `resumptionToken` may name. */
  onresumptiontoken?: ((token: string) => void) | undefined;
}

/** What the client itself may say about a request beside that. */
export interface WireRequestOptions extends RequestOptions {
  readonly cancelMode?: CancelMode | undefined;
  /** Told when the answer took input, so that it belongs to nobody else. */
  readonly oninput?: (() => void) | undefined;
}

/** Headers that are the protocol's to write. */
const PROTOCOL_HEADERS: ReadonlySet<string> = new Set(
  [METHOD_HEADER, NAME_HEADER, PROTOCOL_VERSION_HEADER].map((name) => name.toLowerCase()),
);

/** The protocol's own headers are nobody else's to set, whether this message has them or not. */
function mergeHeaders(
  own: Readonly<Record<string, string>> | undefined,
  protocol: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | undefined {
  if (own === undefined) return protocol;
  const merged: Record<string, string> = {};
  for (const name in own) if (!PROTOCOL_HEADERS.has(name.toLowerCase())) merged[name] = own[name] ?? '';
  for (const name in protocol) merged[name] = protocol[name] ?? '';
  return merged;
}

/** The same in the engine's words; nothing at all where nothing was said, which most calls do. */
export function toPeerOptions(
  options: WireRequestOptions | undefined,
  headers: Readonly<Record<string, string>> | undefined,
): PeerRequestOptions | undefined {
  if (options === undefined) return headers === undefined ? undefined : { headers };
  return {
    signal: options.signal,
    timeoutMs: options.timeout,
    maxTotalTimeoutMs: options.maxTotalTimeout,
    resetTimeoutOnProgress: options.resetTimeoutOnProgress,
    onprogress: options.onprogress,
    relatedRequestId: options.relatedRequestId,
    resumptionToken: options.resumptionToken,
    onresumptiontoken: options.onresumptiontoken,
    headers: mergeHeaders(options.headers, headers),
    cancelMode: options.cancelMode,
  };
}
