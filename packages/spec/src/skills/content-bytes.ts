/** Bytes that become one string at once when base64 is written. */
const STEP = 0x8000;

export function utf8Bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** The text of which these are exactly the UTF-8 bytes, mark of byte order included; else undefined. */
export function losslessText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Undefined when the text is no base64. */
export function base64Bytes(base64: string): Uint8Array<ArrayBuffer> | undefined {
  let binary: string;
  try {
    binary = atob(base64);
  } catch {
    return undefined;
  }
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += STEP) {
    binary += String.fromCharCode(...bytes.subarray(start, start + STEP));
  }
  return btoa(binary);
}

/** `sha256:` and the hash of the bytes in lower-case hexadecimal digits. */
export async function sha256Digest(bytes: Uint8Array): Promise<string> {
  // Shared memory cannot be hashed in place: it might change meanwhile.
  const own = bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : bytes.slice();
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', own as Uint8Array<ArrayBuffer>));
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
