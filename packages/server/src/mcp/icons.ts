/** The start of an image that is part of its address. */
const IMAGE_DATA = /^data:image\/[a-z0-9.+-]+[;,]/i;

/**
 * Whether an icon's address may be shown: https, or an image within the address itself. Scripts,
 * files and other schemes are not loaded.
 */
export function isSafeIconUri(uri: string): boolean {
  if (IMAGE_DATA.test(uri)) return true;
  return URL.canParse(uri) && new URL(uri).protocol === 'https:';
}
