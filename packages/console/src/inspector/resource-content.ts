/** One part of what reading a resource brought. */
export interface ReadContent {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly text?: string | undefined;
  /** In base64. */
  readonly blob?: string | undefined;
}

/** How a part is shown. */
export type ContentLook =
  | { readonly kind: 'text' | 'markdown'; readonly text: string }
  | { readonly kind: 'image' | 'audio' | 'binary' };

const TEXTUAL = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|yaml|toml)\b|image\/svg\+xml)/;
/** Longest base64 that is looked into for text, in characters. */
const MAX_DECODED = 4 * 1_024 * 1_024;

const typeOf = ({ mimeType = '' }: ReadContent): string => mimeType.split(';')[0]?.trim().toLowerCase() ?? '';

/** Decided by what is said of it; whether an image is one its bytes decide. */
export function lookOf(content: ReadContent): ContentLook {
  const type = typeOf(content);
  const text = content.text ?? (TEXTUAL.test(type) ? decodeText(content.blob ?? '') : undefined);
  if (text !== undefined) {
    const isMarkdown = /^text\/(?:x-)?markdown$/.test(type) || /\.(?:md|markdown)$/i.test(content.uri);
    return { kind: isMarkdown ? 'markdown' : 'text', text };
  }
  if (type.startsWith('image/')) return { kind: 'image' };
  return { kind: type.startsWith('audio/') ? 'audio' : 'binary' };
}

/** In bytes. */
export function sizeOf({ text, blob = '' }: ReadContent): number {
  if (text !== undefined) return new TextEncoder().encode(text).length;
  const padding = /=*$/.exec(blob)?.[0].length ?? 0;
  return Math.max(0, Math.floor((blob.length * 3) / 4) - padding);
}

/** The bytes as they are; undefined for base64 that is none. */
export function bytesOf({ text, blob = '' }: ReadContent): Uint8Array<ArrayBuffer> | undefined {
  return text === undefined ? decodeBase64(blob) : new TextEncoder().encode(text);
}

/** Name of a file for it: the last part of its address, without what has a meaning to file systems. */
export function fileNameOf({ uri }: ReadContent): string {
  const last =
    uri
      .split(/[?#]/)[0]
      ?.split('/')
      .findLast((part) => part !== '') ?? '';
  const safe = decoded(last)
    .replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')
    .replace(/^[. ]+/, '')
    .slice(0, 120);
  return safe === '' ? 'resource' : safe;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function decodeText(blob: string): string | undefined {
  if (blob.length > MAX_DECODED) return undefined;
  const bytes = decodeBase64(blob);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeBase64(blob: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(blob), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
