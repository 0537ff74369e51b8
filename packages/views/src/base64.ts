const STANDARD = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** True for standard base64 with its padding: no URL alphabet, no spaces, no data prefix. */
export function isBase64(text: string): boolean {
  return STANDARD.test(text);
}

/** Bytes of standard base64; undefined when the text is anything else. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!isBase64(text)) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
