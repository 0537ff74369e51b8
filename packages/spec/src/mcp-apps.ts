import type { Implementation, RequestId } from './base.ts';
import type { ContentBlock, EmbeddedResource, ResourceLink } from './content.ts';
import type { CallToolResult, Tool } from './tools.ts';

/** Id of the MCP Apps extension in `extensions` of the capabilities. */
export const UI_EXTENSION_ID = 'io.modelcontextprotocol/ui';

/** Mime type of a document that renders as a view. */
export const UI_MIME_TYPE = 'text/html;profile=mcp-app';

/** Wire version between a view and its host. */
export const UI_PROTOCOL_VERSION = '2026-01-26';

/** Every method of the MCP Apps extension by what it does. */
export const UI_METHODS = {
  initialize: 'ui/initialize',
  initialized: 'ui/notifications/initialized',
  openLink: 'ui/open-link',
  downloadFile: 'ui/download-file',
  message: 'ui/message',
  requestDisplayMode: 'ui/request-display-mode',
  updateModelContext: 'ui/update-model-context',
  sizeChanged: 'ui/notifications/size-changed',
  requestTeardown: 'ui/notifications/request-teardown',
  toolInput: 'ui/notifications/tool-input',
  toolInputPartial: 'ui/notifications/tool-input-partial',
  toolResult: 'ui/notifications/tool-result',
  toolCancelled: 'ui/notifications/tool-cancelled',
  hostContextChanged: 'ui/notifications/host-context-changed',
  resourceTeardown: 'ui/resource-teardown',
  sandboxProxyReady: 'ui/notifications/sandbox-proxy-ready',
  sandboxResourceReady: 'ui/notifications/sandbox-resource-ready',
} as const;

export type UiMethod = (typeof UI_METHODS)[keyof typeof UI_METHODS];

/** Start of the notifications that stay between a host and its sandbox proxy. */
export const UI_SANDBOX_PREFIX = 'ui/notifications/sandbox-';

/** A capability that is declared by being there. */
type Flag = { [key: string]: unknown };

export type McpUiTheme = 'light' | 'dark';

export type McpUiDisplayMode = 'inline' | 'fullscreen' | 'pip';

export type McpUiToolVisibility = 'model' | 'app';

/** `_meta.ui` of a tool. */
export interface McpUiToolMeta {
  resourceUri?: string;
  /** Default: both. */
  visibility?: McpUiToolVisibility[];
}

/** Origins that a view's document may reach; each list is empty by default. */
export interface McpUiResourceCsp {
  connectDomains?: string[];
  resourceDomains?: string[];
  frameDomains?: string[];
  baseUriDomains?: string[];
}

/** Browser features that a view asks for. */
export interface McpUiResourcePermissions {
  camera?: Flag;
  microphone?: Flag;
  geolocation?: Flag;
  clipboardWrite?: Flag;
}

/** `_meta.ui` of a view's resource. */
export interface McpUiResourceMeta {
  csp?: McpUiResourceCsp;
  permissions?: McpUiResourcePermissions;
  /** Asks for an origin of its own that stays the same between conversations. */
  domain?: string;
  prefersBorder?: boolean;
}

/** Settings that a client puts under {@link UI_EXTENSION_ID}. */
export interface McpUiClientCapabilities {
  mimeTypes?: string[];
}

export interface McpUiHostStyles {
  /** CSS custom property to its value. */
  variables?: { [name: string]: string | undefined };
  css?: { fonts?: string };
}

/** Fixed or flexible size of the place a view is shown in, in CSS pixels. */
export interface McpUiContainerDimensions {
  height?: number;
  maxHeight?: number;
  width?: number;
  maxWidth?: number;
}

export interface McpUiHostContext {
  toolInfo?: { id?: RequestId; tool: Tool };
  theme?: McpUiTheme;
  styles?: McpUiHostStyles;
  displayMode?: McpUiDisplayMode;
  availableDisplayModes?: McpUiDisplayMode[];
  containerDimensions?: McpUiContainerDimensions;
  /** BCP 47. */
  locale?: string;
  /** IANA name. */
  timeZone?: string;
  userAgent?: string;
  platform?: 'web' | 'desktop' | 'mobile';
  deviceCapabilities?: { touch?: boolean; hover?: boolean };
  safeAreaInsets?: { top: number; right: number; bottom: number; left: number };
  [key: string]: unknown;
}

/** Kinds of content that a host takes. */
export interface McpUiSupportedContentBlockModalities {
  text?: Flag;
  image?: Flag;
  audio?: Flag;
  resource?: Flag;
  resourceLink?: Flag;
  structuredContent?: Flag;
}

export interface McpUiHostCapabilities {
  experimental?: { [key: string]: Flag };
  openLinks?: Flag;
  downloadFile?: Flag;
  serverTools?: { listChanged?: boolean };
  serverResources?: { listChanged?: boolean };
  logging?: Flag;
  sandbox?: { permissions?: McpUiResourcePermissions; csp?: McpUiResourceCsp };
  updateModelContext?: McpUiSupportedContentBlockModalities;
  message?: McpUiSupportedContentBlockModalities;
  sampling?: { tools?: Flag };
}

export interface McpUiAppCapabilities {
  experimental?: { [key: string]: Flag };
  /** The view offers tools of its own. */
  tools?: { listChanged?: boolean };
  availableDisplayModes?: McpUiDisplayMode[];
}

export interface McpUiInitializeParams {
  appInfo: Implementation;
  appCapabilities: McpUiAppCapabilities;
  protocolVersion: string;
}

export interface McpUiInitializeResult {
  protocolVersion: string;
  hostInfo: Implementation;
  hostCapabilities: McpUiHostCapabilities;
  hostContext: McpUiHostContext;
  [key: string]: unknown;
}

export interface McpUiOpenLinkParams {
  url: string;
}

export interface McpUiDownloadFileParams {
  contents: (EmbeddedResource | ResourceLink)[];
}

export interface McpUiMessageParams {
  role: 'user';
  content: ContentBlock[];
}

/** Answer to open-link, download-file and message: `isError` means that the host declined. */
export interface McpUiActionResult {
  isError?: boolean;
  [key: string]: unknown;
}

export interface McpUiRequestDisplayModeParams {
  mode: McpUiDisplayMode;
}

/** The mode that is now in force, which need not be the one asked for. */
export interface McpUiRequestDisplayModeResult {
  mode: McpUiDisplayMode;
  [key: string]: unknown;
}

/** Replaces what the view told the model before. */
export interface McpUiUpdateModelContextParams {
  content?: ContentBlock[];
  structuredContent?: { [key: string]: unknown };
}

/** In CSS pixels. */
export interface McpUiSizeChangedParams {
  width?: number;
  height?: number;
}

/** Params of tool-input and tool-input-partial. */
export interface McpUiToolInputParams {
  arguments?: { [key: string]: unknown };
}

/** Params of tool-result. */
export type McpUiToolResultParams = CallToolResult;

export interface McpUiToolCancelledParams {
  reason?: string;
}

export interface McpUiSandboxResourceReadyParams {
  html: string;
  /** Value of the inner frame's sandbox attribute. */
  sandbox?: string;
  csp?: McpUiResourceCsp;
  permissions?: McpUiResourcePermissions;
}
