import type {
  CallToolResult,
  ContentBlock,
  EmbeddedResource,
  Implementation,
  McpUiDisplayMode,
  McpUiHostCapabilities,
  McpUiHostContext,
  ResourceLink,
  Tool,
} from '@portico/spec';
import type { AppTool } from '../bridge/app-tools.ts';
import type { CspViolation, ModelContext } from '../bridge/handlers.ts';
import type { Refusal, ViewsError } from '../errors.ts';
import type { ViewLifecycle } from '../lifecycle.ts';
import type { CspMode } from '../sandbox/content-security-policy.ts';
import type { SandboxUrl } from '../sandbox/sandbox-place.ts';
import type { ViewConnection } from '../view-connection.ts';

type Arguments = Readonly<Record<string, unknown>>;
/** True when it was done; false, or a failure, is told to the view as a refusal. */
type Done = boolean | Promise<boolean>;

/** Where a view's document comes from. */
export interface ViewOrigin {
  /** The `ui://` address of the resource. */
  readonly uri: string;
  /** The tool whose call is shown. */
  readonly tool?: Tool | undefined;
  /** Without one the view's requests to a server are refused. */
  readonly connection?: ViewConnection | undefined;
  /** An item of an answer to resources/read that is shown as it is; nothing is read then. */
  readonly document?: unknown;
}

/**
 * What the page does for a view. A missing handler is a feature that the page does not have; each
 * may come, go and change while the view is open. One that throws is reported to the page, and
 * disturbs nothing.
 */
export interface ViewCallbacks {
  /** Asks the person and opens the link. */
  readonly onOpenLink?: ((url: string) => Done) | undefined;
  /** Takes a message for the conversation. */
  readonly onMessage?: ((content: readonly ContentBlock[]) => Done) | undefined;
  /** Takes what the model should know; each one replaces the one before. */
  readonly onUpdateModelContext?: ((context: ModelContext) => void | Promise<void>) | undefined;
  /** Asks the person and saves the files. */
  readonly onDownloadFile?: ((contents: readonly (EmbeddedResource | ResourceLink)[]) => Done) | undefined;
  /** The view, or the person by the button, wants another mode. */
  readonly onDisplayModeChange?: ((mode: McpUiDisplayMode) => void) | undefined;
  /** In CSS pixels, finite and not negative. */
  readonly onSizeChanged?:
    | ((size: { readonly width?: number; readonly height?: number }) => void)
    | undefined;
  /** The view asks to be closed. */
  readonly onRequestTeardown?: (() => void) | undefined;
  /** The tools that the view itself offers. */
  readonly onAppTools?: ((tools: readonly AppTool[]) => void) | undefined;
  /** A log line of the view. */
  readonly onLog?:
    | ((entry: { readonly level: string; readonly logger?: string; readonly data: unknown }) => void)
    | undefined;
  /** The policy kept the view from something; 50 for each document at most. */
  readonly onCspViolation?: ((violation: CspViolation) => void) | undefined;
  /** Something was refused. */
  readonly onRefusal?: ((refusal: Refusal) => void) | undefined;
  /** Each step once and in order; `error` comes with the failure. */
  readonly onLifecycleChange?: ((status: ViewLifecycle, error?: ViewsError) => void) | undefined;
  readonly onReady?: (() => void) | undefined;
  readonly onError?: ((error: ViewsError) => void) | undefined;
}

/** All that may change while a view is open. What it is, is decided by the settings at its opening. */
export interface ViewSettings extends ViewCallbacks {
  readonly source: ViewOrigin;
  readonly sandboxUrl?: SandboxUrl | undefined;
  /** Default `declared`. */
  readonly cspMode?: CspMode | undefined;
  readonly hostInfo: Implementation;
  readonly hostCapabilities?: McpUiHostCapabilities | undefined;
  readonly hostContext?: McpUiHostContext | undefined;
  readonly partialToolInput?: Arguments | undefined;
  readonly toolInput?: Arguments | undefined;
  readonly toolOutput?: CallToolResult | undefined;
  /** The call was cancelled, with a reason or without. */
  readonly cancelled?: boolean | string | undefined;
  /** Decided by the page; left out, the view's wishes are followed, `inline` first. */
  readonly displayMode?: McpUiDisplayMode | undefined;
  /** Widest inline view, in CSS pixels. Default 768. */
  readonly inlineMaxWidth?: number | undefined;
  /** Limit of one tool call of the view, in milliseconds. Default 600 000. */
  readonly toolCallTimeout?: number | undefined;
  /** Words of the button that ends the full screen. Default `Exit full screen`. */
  readonly exitLabel?: string | undefined;
  /** Accessible name of the frame. Default: the tool's title or name, or the address. */
  readonly title?: string | undefined;
}
