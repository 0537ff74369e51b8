import { UI_EXTENSION_ID, UI_MIME_TYPE, type McpUiToolVisibility } from './mcp-apps.ts';

/** How a tool takes part in MCP Apps. */
export interface ToolUi {
  /** The `ui://` resource that shows the tool's results. */
  readonly resourceUri?: string;
  /** Who may call the tool. */
  readonly visibility: readonly McpUiToolVisibility[];
}

const EVERYONE: readonly McpUiToolVisibility[] = ['model', 'app'];

function recordAt(value: unknown, key: string): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const member = (value as Record<string, unknown>)[key];
  return typeof member === 'object' && member !== null && !Array.isArray(member)
    ? (member as Record<string, unknown>)
    : undefined;
}

function isUiUri(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('ui://') && value.length > 'ui://'.length;
}

function isVisibility(value: unknown): value is McpUiToolVisibility {
  return value === 'model' || value === 'app';
}

/**
 * Reads a tool's MCP Apps metadata (P4). The nested `_meta.ui.resourceUri` wins over the flat
 * `_meta["ui/resourceUri"]`; anything but a `ui://` URI counts as absent. Without a visibility
 * list the tool is for the model and the app; unknown words in the list are ignored, so that a
 * list of only unknown words hides the tool from both.
 */
export function getToolUi(tool: { readonly _meta?: unknown }): ToolUi {
  const ui = recordAt(tool._meta, 'ui');
  const listed = ui?.['visibility'];
  const visibility = Array.isArray(listed) ? listed.filter(isVisibility) : EVERYONE;
  const nested = ui?.['resourceUri'];
  const flat = (tool._meta as Record<string, unknown> | undefined)?.['ui/resourceUri'];
  const resourceUri = nested ?? flat;
  return isUiUri(resourceUri) ? { resourceUri, visibility } : { visibility };
}

/** Whether a client's capabilities say that it renders MCP Apps. */
export function supportsUi(capabilities: { readonly extensions?: unknown }): boolean {
  const settings = recordAt(capabilities.extensions, UI_EXTENSION_ID);
  const mimeTypes = settings?.['mimeTypes'];
  return Array.isArray(mimeTypes) && mimeTypes.includes(UI_MIME_TYPE);
}
