import { UI_MIME_TYPE } from '@portico/spec';
import type { McpUiResourceCsp, McpUiResourcePermissions } from '@portico/spec';
import { decodeBase64 } from './base64.ts';
import type { Refusal } from './errors.ts';
import { isRecord, recordAt } from './records.ts';

/** A document that can be shown as a view, with what it asks for. */
export interface ViewResource {
  readonly uri: string;
  readonly html: string;
  readonly csp: McpUiResourceCsp;
  readonly permissions: McpUiResourcePermissions;
  readonly domain?: string;
  readonly prefersBorder?: boolean;
}

export type ViewResolution =
  | { readonly ok: true; readonly resource: ViewResource }
  | { readonly ok: false; readonly refusal: Refusal };

export interface ResolveViewOptions {
  /** The `ui://` address that was read. */
  readonly uri: string;
  /** Answer to resources/read. */
  readonly result: unknown;
  /** The server's resources/list entry of the same address, if it has one. */
  readonly listed?: unknown;
}

const CSP_KEYS = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const;
const PERMISSION_KEYS = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const;

function refuse(ruleId: string, reason: string, subject: string): ViewResolution {
  return { ok: false, refusal: { ruleId, reason, subject } };
}

/** Mime types are compared without case, spaces and quotes, none of which carry meaning here. */
function isViewType(mimeType: unknown): boolean {
  return typeof mimeType === 'string' && mimeType.toLowerCase().replaceAll(/[\s"]/g, '') === UI_MIME_TYPE;
}

function pickContent(result: unknown, uri: string): Record<string, unknown> | undefined {
  const contents = isRecord(result) && Array.isArray(result['contents']) ? result['contents'] : [];
  const items = contents.filter(isRecord);
  return items.find((item) => item['uri'] === uri) ?? items[0];
}

function decodeUtf8(blob: string): string | undefined {
  const bytes = decodeBase64(blob);
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readCsp(value: unknown): McpUiResourceCsp {
  const csp: McpUiResourceCsp = {};
  for (const key of CSP_KEYS) {
    const list = isRecord(value) ? value[key] : undefined;
    if (Array.isArray(list)) csp[key] = list.filter((entry) => typeof entry === 'string');
  }
  return csp;
}

function readPermissions(value: unknown): McpUiResourcePermissions {
  const permissions: McpUiResourcePermissions = {};
  for (const key of PERMISSION_KEYS) if (recordAt(value, key) !== undefined) permissions[key] = {};
  return permissions;
}

/**
 * Turns the answer to resources/read into a document to show (P5, P6). Metadata is taken whole from
 * the content item if it has any, and from the listing otherwise; the two are never mixed.
 */
export function resolveViewResource(options: ResolveViewOptions): ViewResolution {
  const { uri, result, listed } = options;
  if (!uri.startsWith('ui://')) return refuse('apps-P4', 'Only ui:// resources are shown as views.', uri);
  const item = pickContent(result, uri);
  if (item === undefined) return refuse('apps-P6', 'The server answered without any content.', uri);
  if (!isViewType(item['mimeType'])) {
    return refuse(
      'apps-P6',
      `The mime type is ${JSON.stringify(item['mimeType'])}, not ${UI_MIME_TYPE}.`,
      uri,
    );
  }
  const { text, blob } = item;
  const html = typeof text === 'string' ? text : typeof blob === 'string' ? decodeUtf8(blob) : undefined;
  if (html === undefined) {
    return refuse('apps-P6', 'The document is neither text nor standard base64 of UTF-8 text.', uri);
  }
  if (html.trim() === '') return refuse('apps-P6', 'The document is empty.', uri);
  const ui =
    recordAt(item['_meta'], 'ui') ?? recordAt(isRecord(listed) ? listed['_meta'] : undefined, 'ui') ?? {};
  const { domain, prefersBorder } = ui;
  const resource: ViewResource = {
    uri,
    html,
    csp: readCsp(ui['csp']),
    permissions: readPermissions(ui['permissions']),
    ...(typeof domain === 'string' && domain !== '' ? { domain } : {}),
    ...(typeof prefersBorder === 'boolean' ? { prefersBorder } : {}),
  };
  return { ok: true, resource };
}
