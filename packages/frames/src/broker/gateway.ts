import type { McpError } from '../errors.ts';

/** One call on its way to a connector. */
export interface GatewayCall {
  readonly server: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** How a call ended: the tool's answer as it came, or a failure. */
export type GatewayOutcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: McpError };

/** One connector that the viewer has, as a page may know it. */
export interface ServerInfo {
  readonly server: string;
  readonly authStatus: 'connected' | 'needs_reauth' | 'unknown';
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
  }[];
}

/**
 * The way to the connectors, which checks everything again. Both methods may reject: a page then
 * gets `upstream_error`, which tells it nothing of the reason.
 */
export interface FrameGateway {
  callTool(call: GatewayCall, options: { readonly signal: AbortSignal }): Promise<GatewayOutcome>;
  listTools(options: { readonly signal: AbortSignal }): Promise<{ readonly servers: readonly ServerInfo[] }>;
}
