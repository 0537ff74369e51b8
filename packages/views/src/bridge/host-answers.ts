import { ErrorCode, ProtocolError } from '@portico/rpc';
import type { ContentBlock, EmbeddedResource, McpUiDisplayMode, ResourceLink } from '@portico/spec';
import { isBase64 } from '../base64.ts';
import { isRecord } from '../records.ts';
import type { ModelContext, ViewInfo } from './handlers.ts';

type Params = Readonly<Record<string, unknown>> | undefined;

const MODES: readonly string[] = ['inline', 'fullscreen', 'pip'];

/** The JSON-RPC error for a malformed request. */
function invalidParams(method: string, problem: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, `Invalid params for ${method}: ${problem}`);
}

function isMode(value: unknown): value is McpUiDisplayMode {
  return typeof value === 'string' && MODES.includes(value);
}

function isContentBlock(value: unknown): value is ContentBlock {
  return isRecord(value) && typeof value['type'] === 'string';
}

/** @throws ProtocolError -32602, also for a display mode that is none (D11) */
export function readInitialize(params: Params): ViewInfo {
  const { appInfo, appCapabilities, protocolVersion } = params ?? {};
  if (!isRecord(appInfo) || typeof appInfo['name'] !== 'string' || typeof appInfo['version'] !== 'string') {
    throw invalidParams('ui/initialize', 'appInfo needs a name and a version');
  }
  if (!isRecord(appCapabilities)) throw invalidParams('ui/initialize', 'appCapabilities is missing');
  if (typeof protocolVersion !== 'string') throw invalidParams('ui/initialize', 'protocolVersion is missing');
  const modes = appCapabilities['availableDisplayModes'];
  if (modes !== undefined && !(Array.isArray(modes) && modes.every(isMode))) {
    throw invalidParams('ui/initialize', `availableDisplayModes may hold ${MODES.join(', ')}`);
  }
  return {
    appInfo: appInfo as unknown as ViewInfo['appInfo'],
    capabilities: appCapabilities as ViewInfo['capabilities'],
    protocolVersion,
  };
}

/** @throws ProtocolError -32602 for a mode that is none (D23) */
export function readDisplayMode(params: Params): McpUiDisplayMode {
  const mode = params?.['mode'];
  if (!isMode(mode)) throw invalidParams('ui/request-display-mode', `mode is one of ${MODES.join(', ')}`);
  return mode;
}

/** @throws ProtocolError -32602 when it is no address at all */
export function readLink(params: Params): URL {
  const url = params?.['url'];
  if (typeof url !== 'string' || !URL.canParse(url))
    throw invalidParams('ui/open-link', 'url is no absolute address');
  return new URL(url);
}

/** @throws ProtocolError -32602 */
export function readMessage(params: Params): readonly ContentBlock[] {
  const { role, content } = params ?? {};
  if (role !== 'user') throw invalidParams('ui/message', 'role has to be "user"');
  if (!Array.isArray(content) || !content.every(isContentBlock)) {
    throw invalidParams('ui/message', 'content has to be a list of content blocks');
  }
  return content;
}

/** @throws ProtocolError -32602 */
export function readModelContext(params: Params): ModelContext {
  const { content, structuredContent } = params ?? {};
  if (content !== undefined && !(Array.isArray(content) && content.every(isContentBlock))) {
    throw invalidParams('ui/update-model-context', 'content has to be a list of content blocks');
  }
  if (structuredContent !== undefined && !isRecord(structuredContent)) {
    throw invalidParams('ui/update-model-context', 'structuredContent has to be an object');
  }
  return {
    ...(content === undefined ? {} : { content }),
    ...(structuredContent === undefined ? {} : { structuredContent }),
  };
}

function isDownloadItem(item: unknown): item is EmbeddedResource | ResourceLink {
  if (!isRecord(item)) return false;
  if (item['type'] === 'resource_link') return typeof item['uri'] === 'string';
  const resource = item['resource'];
  if (item['type'] !== 'resource' || !isRecord(resource) || typeof resource['uri'] !== 'string') return false;
  const { text, blob } = resource;
  return typeof text === 'string' || (typeof blob === 'string' && isBase64(blob));
}

/** @throws ProtocolError -32602 for no items, an item without uri, or a blob that is no base64 (W8 to W10) */
export function readDownload(params: Params): readonly (EmbeddedResource | ResourceLink)[] {
  const contents = params?.['contents'];
  if (!Array.isArray(contents) || contents.length === 0 || !contents.every(isDownloadItem)) {
    throw invalidParams(
      'ui/download-file',
      'contents has to be a list of resources with uri and text or base64 blob',
    );
  }
  return contents;
}

/** A reported size with what is no length left out; in CSS pixels, at most 100 000. */
export function readSize(params: Params): { width?: number; height?: number } {
  const bound = (value: unknown): number | undefined =>
    typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.min(value, 100_000) : undefined;
  const width = bound(params?.['width']);
  const height = bound(params?.['height']);
  return { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) };
}
