import { FramesError } from './errors.ts';
import { skipComment } from './html-scan.ts';

/** What the kernel is told by the attributes of its own script element. */
export interface KernelSetup {
  /** Origin of the page that embeds the frame; the only one the kernel speaks to. */
  readonly shellOrigin: string;
  /** Whether the artifact declared any use of connectors: without it there is no `mcp` member. */
  readonly mcp: boolean;
}

const SPACE = /[\t\n\f\r ]*/y;
const DOCTYPE = /<!doctype/iy;

function skipSpace(html: string, at: number): number {
  SPACE.lastIndex = at;
  return at + (SPACE.exec(html)?.[0].length ?? 0);
}

/**
 * Where the first script of a page can stand without changing what the page is: after a byte order
 * mark, leading space and comments, and the doctype (whose place decides the rendering mode).
 */
function kernelOffset(html: string): number {
  let at = html.startsWith('\uFEFF') ? 1 : 0;
  for (;;) {
    const start = skipSpace(html, at);
    DOCTYPE.lastIndex = start;
    if (DOCTYPE.test(html)) {
      const close = html.indexOf('>', start);
      return close === -1 ? at : close + 1;
    }
    if (!html.startsWith('<!', start) && !html.startsWith('<?', start)) return at;
    const end = skipComment(html, start);
    if (end === undefined) return at;
    at = end;
  }
}

function attribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** Throws unless the text is exactly an http(s) origin. */
export function checkOrigin(value: string): string {
  if (URL.canParse(value)) {
    const { origin, protocol } = new URL(value);
    if (origin === value && (protocol === 'http:' || protocol === 'https:')) return value;
  }
  throw new FramesError('invalid_origin', { value });
}

/**
 * Puts the kernel in front of everything that could run in a page. No line break is added, so line
 * numbers in the author's error messages stay right.
 *
 * @param html the page, manifest taken out
 * @param kernelSource the bundled kernel
 * @throws FramesError `unsafe_kernel_source` when it holds `</script` or `<!--`; `invalid_origin`
 */
export function injectKernel(html: string, kernelSource: string, setup: KernelSetup): string {
  const unsafe = /<\/script|<!--/i.exec(kernelSource);
  if (unsafe !== null) throw new FramesError('unsafe_kernel_source', { offset: unsafe.index });
  const shell = attribute(checkOrigin(setup.shellOrigin));
  const at = kernelOffset(html);
  const script = `<script data-shell="${shell}" data-mcp="${setup.mcp}">${kernelSource.trim()}</script>`;
  return html.slice(0, at) + script + html.slice(at);
}
