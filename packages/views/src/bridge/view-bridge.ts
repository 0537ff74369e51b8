import type { Clock, Transport } from '@portico/rpc';
import type {
  CallToolResult,
  Implementation,
  McpUiDisplayMode,
  McpUiHostCapabilities,
  McpUiHostContext,
  McpUiResourceCsp,
  McpUiResourcePermissions,
  Tool,
} from '@portico/spec';
import type { Profile } from '../profiles.ts';
import type { AppTool } from './app-tools.ts';
import type { ViewHostHandlers, ViewInfo } from './handlers.ts';

/**
 * `loading`: the view has not said anything; `initializing`: it asked for the host's data;
 * `ready`: it reported that it is initialized; `closed`: it was torn down or its channel ended.
 */
export type ViewStatus = 'loading' | 'initializing' | 'ready' | 'closed';

export interface ViewBridgeOptions {
  /** Channel to the view's sandbox; owned by the bridge from now on. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly host: ViewHostHandlers;
  readonly hostInfo: Implementation;
  /** What the view is told about its surroundings at first. */
  readonly hostContext: McpUiHostContext;
  /** Modes that this place can show; those of the profile only. Default `['inline']`. */
  readonly availableDisplayModes?: readonly McpUiDisplayMode[];
  /** The connector's tools, where known: what is not among them, or not for views, is refused here. */
  readonly tools?: readonly Tool[] | undefined;
  /** What the sandbox grants, for the view to read. */
  readonly sandbox?: McpUiHostCapabilities['sandbox'];
  /** Told in place of what the handlers say: of features that have a handler, and `experimental`. */
  readonly hostCapabilities?: McpUiHostCapabilities | undefined;
  /** The outer document of a sandbox asks what to show; see {@link ViewBridge.sendSandboxResource}. */
  readonly onSandboxReady?: () => void;
  /** How long a view may take over its teardown, in milliseconds. Default 1 000. */
  readonly teardownTimeoutMs?: number;
}

/** What the outer document of a sandbox is given to show. */
export interface SandboxResource {
  readonly html: string;
  /** Value of the `sandbox` attribute of the frame within. */
  readonly sandbox: string;
  readonly csp: McpUiResourceCsp;
  readonly permissions: McpUiResourcePermissions;
}

/** The host's end of one view. */
export interface ViewBridge {
  readonly status: ViewStatus;
  /** What the view said about itself, once it has. */
  readonly info: ViewInfo | undefined;
  readonly appTools: readonly AppTool[];
  /** Opens the channel. */
  start(): Promise<void>;
  /** The tool call's arguments while they still grow; dropped once the whole input was given. */
  sendToolInputPartial(input: Readonly<Record<string, unknown>>): void;
  /** The whole input; later ones are dropped. */
  sendToolInput(input: Readonly<Record<string, unknown>>): void;
  /** The end of the call; waits for the input, and only the first end counts. */
  sendToolResult(result: CallToolResult): void;
  sendToolCancelled(reason?: string): void;
  /** Tells another input, or another result, of a view that goes on showing the same tool. */
  replaceToolInput(input: Readonly<Record<string, unknown>>): void;
  replaceToolResult(result: CallToolResult): void;
  /** Gives the outer document of a sandbox what it is to show. */
  sendSandboxResource(resource: SandboxResource): void;
  /** Tells the view what has changed of its surroundings. */
  updateHostContext(change: McpUiHostContext): void;
  /** Tells the view that one of its connector's lists has changed. */
  sendListChanged(list: 'tools' | 'resources' | 'prompts'): void;
  /**
   * Calls a tool that the view offers.
   * @throws ViewsError `view_not_ready`, `unknown_app_tool`
   * @throws RpcError `request_timeout` after 45 s, `aborted`, `connection_closed`
   * @throws ProtocolError what the view answered
   */
  callAppTool(
    name: string,
    input: Readonly<Record<string, unknown>>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<CallToolResult>;
  /** Asks the view to clean up, waits for its answer for a bounded time, and closes. */
  teardown(): Promise<void>;
}
