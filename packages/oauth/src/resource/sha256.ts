import { base64url } from './base64url.ts';

/** SHA-256 of a text in base64url, by which secrets are kept and compared without being kept. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return base64url(new Uint8Array(digest));
}
