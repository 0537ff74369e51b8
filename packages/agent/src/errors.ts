/** What `data` holds for each error code. */
export interface AgentErrorData {
  provider_auth: ProviderFailureData;
  provider_rate_limited: ProviderFailureData;
  provider_overloaded: ProviderFailureData;
  provider_bad_request: ProviderFailureData;
  provider_stream_cut: ProviderFailureData;
  provider_unreachable: ProviderFailureData;
  invalid_option: { readonly option: string };
  option_not_available: { readonly option: string };
  invalid_prompt: { readonly position: number };
  tool_name_repeated: { readonly tool: string };
  hook_failed: { readonly event: string };
  mcp_failed: { readonly server: string };
  session_failed: { readonly sessionId: string };
  session_not_found: { readonly sessionId: string };
  unknown_mode: { readonly mode: string };
  query_ended: undefined;
}

/** What a provider said about a request that failed; never headers, keys or bodies. */
export interface ProviderFailureData {
  /** HTTP status. */
  readonly status?: number;
  /** The provider's own word for the failure, such as `overloaded_error`. */
  readonly type?: string;
  readonly requestId?: string;
  /** How long the provider asks us to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

export type AgentErrorCode = keyof AgentErrorData;

/** The ways in which a model provider fails. */
export type ProviderErrorCode = Extract<AgentErrorCode, `provider_${string}`>;

/** Every error of this package with its message. */
export const AGENT_ERRORS: Readonly<Record<AgentErrorCode, string>> = {
  provider_auth: 'The model provider refused the credentials.',
  provider_rate_limited: 'The model provider has had too many requests.',
  provider_overloaded: 'The model provider is overloaded or has failed.',
  provider_bad_request: 'The model provider refused the request.',
  provider_stream_cut: 'The answer of the model broke off.',
  provider_unreachable: 'The model provider cannot be reached.',
  invalid_option: 'An option has a value that cannot be used.',
  option_not_available: 'An option asks for something this version cannot do.',
  invalid_prompt: 'The prompt holds something that is no user message.',
  tool_name_repeated: 'Two tools of one server have the same name.',
  hook_failed: 'A hook failed.',
  mcp_failed: 'An MCP server could not be used.',
  session_failed: 'The session store failed.',
  session_not_found: 'The session store does not know the session.',
  unknown_mode: 'There is no such permission mode.',
  query_ended: 'The query has ended.',
};

/** A failure with a code that programs can rely on. */
export class AgentError<Code extends AgentErrorCode = AgentErrorCode> extends Error {
  override readonly name: string = 'AgentError';
  readonly code: Code;
  readonly data: AgentErrorData[Code];

  /**
   * @param code which failure, see {@link AGENT_ERRORS}
   * @param data what belongs to that code
   * @param options `cause`, and `message` to say more than the table does
   */
  constructor(code: Code, data: AgentErrorData[Code], options: { cause?: unknown; message?: string } = {}) {
    super(options.message ?? AGENT_ERRORS[code], 'cause' in options ? { cause: options.cause } : {});
    this.code = code;
    this.data = data;
  }
}

/** Whether it is an AgentError, of this copy of the package or another. */
export function isAgentError(value: unknown): value is AgentError {
  return (
    value instanceof Error &&
    value.name === 'AgentError' &&
    'code' in value &&
    typeof value.code === 'string' &&
    Object.hasOwn(AGENT_ERRORS, value.code)
  );
}

/** Whether it tells of a failure of the model provider. */
export function isProviderError(value: unknown): value is AgentError<ProviderErrorCode> {
  return isAgentError(value) && value.code.startsWith('provider_');
}

/** Thrown by a query whose `abortController` was aborted. */
export class AbortError extends Error {
  override readonly name: string = 'AbortError';

  constructor(message = 'The query was aborted.') {
    super(message);
  }
}

/** The text of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
