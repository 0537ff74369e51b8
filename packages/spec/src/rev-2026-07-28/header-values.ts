const PREFIX = '=?base64?';
const SUFFIX = '?=';

/** Visible ASCII, with blanks inside only. */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function isSentinel(value: string): boolean {
  return value.startsWith(PREFIX) && value.endsWith(SUFFIX);
}

/** Bytes turned into text at once; more arguments than this could overflow the stack. */
const CHUNK_BYTES = 8192;

function toBase64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK_BYTES));
  }
  return btoa(binary);
}

function fromBase64(encoded: string): string | undefined {
  if (!BASE64.test(encoded)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * A value as an HTTP header may carry it: plain when it is visible ASCII, otherwise in the
 * Base64 form of the specification's page on streamable HTTP, section Value Encoding.
 */
export function encodeHeaderValue(value: string): string {
  if (PLAIN.test(value) && !isSentinel(value)) return value;
  return `${PREFIX}${toBase64(value)}${SUFFIX}`;
}

/** The value that a header stands for; undefined when it is malformed. */
export function decodeHeaderValue(header: string): string | undefined {
  if (isSentinel(header) && header.length >= PREFIX.length + SUFFIX.length) {
    return fromBase64(header.slice(PREFIX.length, -SUFFIX.length));
  }
  return PLAIN.test(header) || header === '' ? header : undefined;
}
