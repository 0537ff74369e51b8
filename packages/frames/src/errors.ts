/** Every error code a page can meet, with the text used when nothing better is known. */
export const MCP_ERRORS = {
  needs_reauth: 'The connector has to be signed in again.',
  server_not_connected: 'No connector of this name is connected.',
  selection_required: 'Several connectors have this name and none is chosen yet.',
  server_not_found: 'The connector no longer exists.',
  server_unavailable: 'The connector cannot be reached right now.',
  not_in_manifest: 'This tool is not published for the page, or its use was declined.',
  blocked_by_policy: 'This tool is blocked by policy.',
  approval_required: 'This tool needs an approval for each call, which pages cannot get.',
  tool_error: 'The tool reported a failure.',
  bad_request: 'The call was not well formed.',
  cancelled: 'The call was cancelled; the tool may have run all the same.',
  rate_limited: 'The page sends more than its share of messages.',
  upstream_error: 'The call failed.',
  not_granted: 'This view has no access to connectors.',
  capability_disabled: 'Connectors cannot be used in this view.',
  capability_removed: 'This method is not part of the runtime of this view.',
  transform_error: 'The arguments could not be prepared for this runtime.',
} as const;

export type McpErrorCode = keyof typeof MCP_ERRORS;

/** A failure as a page sees it, and as gateway, broker and kernel pass it on. */
export interface McpError {
  readonly code: McpErrorCode;
  /** Never empty. */
  readonly message: string;
  /** Display name of the one connector that the failure concerns. */
  readonly server?: string;
  /** Set, and only ever true, by the layer that knows a repetition may succeed. */
  readonly retryable?: true;
  /** Earliest sensible repetition, milliseconds from receipt, at most 60 000. */
  readonly retryAfterMs?: number;
  /** The tool's whole answer; only with `tool_error`. */
  readonly result?: unknown;
}

/** What `data` holds for each local error code of this package. */
export interface FramesErrorData {
  /** The kernel's source text cannot stand inside a script element. */
  unsafe_kernel_source: { offset: number };
  /** An address given by the caller is no http(s) origin. */
  invalid_origin: { value: string };
}

export type FramesErrorCode = keyof FramesErrorData;

export const FRAMES_ERRORS: Readonly<Record<FramesErrorCode, string>> = {
  unsafe_kernel_source: 'The kernel source would end its script element early.',
  invalid_origin: 'The value is not an http or https origin.',
};

/** A failure on this side, never shown to a page. */
export class FramesError<Code extends FramesErrorCode = FramesErrorCode> extends Error {
  override readonly name: string = 'FramesError';
  readonly code: Code;
  readonly data: FramesErrorData[Code];

  /** @param code which failure, see {@link FRAMES_ERRORS}; @param data what belongs to it */
  constructor(code: Code, data: FramesErrorData[Code]) {
    super(FRAMES_ERRORS[code]);
    this.code = code;
    this.data = data;
  }
}
