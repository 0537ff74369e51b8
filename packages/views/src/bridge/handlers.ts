import type {
  ContentBlock,
  EmbeddedResource,
  McpUiAppCapabilities,
  McpUiDisplayMode,
  ResourceLink,
} from '@portico/spec';
import type { Implementation } from '@portico/spec';
import type { Refusal } from '../errors.ts';
import type { AppTool } from './app-tools.ts';

/** Requests that a view may make of its own connector. */
export const SERVER_METHODS = [
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
] as const;

export type ServerMethod = (typeof SERVER_METHODS)[number];

/** A view's request to its own connector. */
export interface ServerRequest {
  readonly method: ServerMethod;
  readonly params: Readonly<Record<string, unknown>>;
}

/** How the connector answered; error numbers are JSON-RPC's. */
export type ServerAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

/** What a view said about itself. */
export interface ViewInfo {
  readonly appInfo: Implementation;
  readonly capabilities: McpUiAppCapabilities;
  readonly protocolVersion: string;
}

/** What a view may say to the model; each one replaces the one before. */
export interface ModelContext {
  readonly content?: readonly ContentBlock[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

/** Something that the policy of a view's document kept it from; as told by that document. */
export interface CspViolation {
  readonly directive: string;
  readonly blockedUri: string;
}

/**
 * What the page around a view does for it. A handler that is missing is a feature that this host
 * does not have: it is not announced, and asking for it is answered "method not found". A handler
 * that throws counts as a refusal.
 */
export interface ViewHostHandlers {
  /** Passes a request to the view's own connector, which checks it again. */
  serverRequest?(request: ServerRequest, options: { readonly signal: AbortSignal }): Promise<ServerAnswer>;
  /** Asks the person and opens the link; true when it was opened. */
  openLink?(url: string): Promise<boolean>;
  /** Takes a message for the conversation; true when it was taken, whatever becomes of it. */
  sendMessage?(content: readonly ContentBlock[]): Promise<boolean>;
  updateModelContext?(context: ModelContext): void | Promise<void>;
  /** Moves the view; resolves with the mode that is now in force. Called for offered modes only. */
  requestDisplayMode?(mode: McpUiDisplayMode): Promise<McpUiDisplayMode>;
  /** Asks the person and saves the files; true when saving began. */
  downloadFiles?(contents: readonly (EmbeddedResource | ResourceLink)[]): Promise<boolean>;
  /** In CSS pixels, finite and not negative. */
  onSizeChanged?(size: { readonly width?: number; readonly height?: number }): void;
  onInitialized?(info: ViewInfo): void;
  onAppTools?(tools: readonly AppTool[]): void;
  /** A log line of the view. */
  onLog?(entry: { readonly level: string; readonly logger?: string; readonly data: unknown }): void;
  onCspViolation?(violation: CspViolation): void;
  /** The view asks to be closed. */
  onRequestTeardown?(): void;
  /** Something was refused; for the view's details. */
  onRefusal?(refusal: Refusal): void;
}
