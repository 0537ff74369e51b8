import { SKILL_FILE } from '@portico/spec/skills';

const TYPES: ReadonlyMap<string, string> = new Map([
  ['css', 'text/css'],
  ['csv', 'text/csv'],
  ['gif', 'image/gif'],
  ['htm', 'text/html'],
  ['html', 'text/html'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['js', 'text/javascript'],
  ['json', 'application/json'],
  ['md', 'text/markdown'],
  ['mjs', 'text/javascript'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['py', 'text/x-python'],
  ['sh', 'application/x-sh'],
  ['svg', 'image/svg+xml'],
  ['toml', 'application/toml'],
  ['ts', 'text/typescript'],
  ['txt', 'text/plain'],
  ['wasm', 'application/wasm'],
  ['webp', 'image/webp'],
  ['xml', 'application/xml'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
  ['zip', 'application/zip'],
]);

/** The media type that the name of a file speaks for; bytes of no known kind otherwise. */
export function mediaTypeOf(name: string): string {
  if (name === SKILL_FILE) return 'text/markdown';
  const dot = name.lastIndexOf('.');
  const extension = dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
  return TYPES.get(extension) ?? 'application/octet-stream';
}
