/** One script element of a page. */
export interface ScriptElement {
  /** Offset of `<` of the start tag. */
  readonly start: number;
  /** Offset after `>` of the end tag, or the end of the text when it is never closed. */
  readonly end: number;
  readonly contentStart: number;
  readonly contentEnd: number;
  /** Names in lower case; the first of several equal names counts, as in browsers. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** What one pass over a page finds. */
export interface HtmlScan {
  readonly scripts: readonly ScriptElement[];
  /** Start tags of any kind; zero means that the text is no HTML. */
  readonly tagCount: number;
}

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Offset after `>`. */
  readonly end: number;
}

const SPACE = /[\t\n\f\r ]/;
const TAG_NAME = /[^\t\n\f\r />]*/y;
/** One attribute with its value: quoted either way (to the end of the text if need be), or bare. */
const ATTRIBUTE =
  /([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\t\n\f\r >]*)))?/y;
const COMMENT_END = /--!?>/g;
/** Elements whose content is text: no tag or comment begins inside. */
const RAW_TEXT = new Set(['style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);

/**
 * Offset after a comment (or whatever browsers treat as one) that begins at `<!`, `<?` or `</`;
 * undefined when it swallows the rest of the text.
 */
export function skipComment(html: string, start: number): number | undefined {
  if (!html.startsWith('<!--', start)) {
    const close = html.indexOf('>', start);
    return close === -1 ? undefined : close + 1;
  }
  const body = start + 4;
  if (html[body] === '>') return body + 1;
  if (html.startsWith('->', body)) return body + 2;
  const close = matchAt(COMMENT_END, html, body);
  return close === null ? undefined : close.index + close[0].length;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Reads the start tag at `<`; undefined when the text ends inside it. */
function readTag(html: string, start: number): Tag | undefined {
  const name = matchAt(TAG_NAME, html, start + 1)?.[0] ?? '';
  const attributes = new Map<string, string>();
  let at = start + 1 + name.length;
  while (at < html.length) {
    const character = html[at] ?? '';
    if (character === '>') return { name: name.toLowerCase(), attributes, end: at + 1 };
    const match = SPACE.test(character) || character === '/' ? null : matchAt(ATTRIBUTE, html, at);
    if (match === null) {
      at += 1;
      continue;
    }
    const key = (match[1] ?? '').toLowerCase();
    if (!attributes.has(key)) attributes.set(key, match[2] ?? match[3] ?? match[4] ?? '');
    at += match[0].length;
  }
  return undefined;
}

/** The end tag of a raw text element: where it begins and ends. */
function findEndTag(html: string, name: string, from: number): { start: number; end: number } {
  const pattern = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi');
  const match = matchAt(pattern, html, from);
  if (match === null) return { start: html.length, end: html.length };
  const close = html.indexOf('>', match.index);
  return { start: match.index, end: close === -1 ? html.length : close + 1 };
}

/** The end tag of a script, which a `<!-- <script>` inside it hides, as in browsers. */
function findScriptEnd(html: string, from: number): { start: number; end: number } {
  const pattern = /<!--|-->|<(\/?)script(?=[\t\n\f\r />])/gi;
  let state: 'plain' | 'escaped' | 'double' = 'plain';
  for (let match = matchAt(pattern, html, from); match !== null; match = pattern.exec(html)) {
    const token = match[0];
    if (token === '<!--') {
      if (state === 'plain') state = 'escaped';
      // `<!-->` opens and closes at once.
      pattern.lastIndex = match.index + 2;
    } else if (token === '-->') {
      state = 'plain';
    } else if (match[1] === '') {
      if (state === 'escaped') state = 'double';
    } else if (state === 'double') {
      state = 'escaped';
    } else {
      const close = html.indexOf('>', match.index);
      return { start: match.index, end: close === -1 ? html.length : close + 1 };
    }
  }
  return { start: html.length, end: html.length };
}

/**
 * Finds the script elements of a page the way a browser would, without building a tree: comments,
 * quoted attributes and elements whose content is text are respected. Linear in the text's length.
 */
export function scanHtml(html: string): HtmlScan {
  const scripts: ScriptElement[] = [];
  let tagCount = 0;
  let at = html.indexOf('<');
  while (at !== -1) {
    const next = html[at + 1] ?? '';
    if (/[a-zA-Z]/.test(next)) {
      const tag = readTag(html, at);
      if (tag === undefined) break;
      tagCount += 1;
      const script = tag.name === 'script' ? readScript(html, at, tag) : undefined;
      if (script !== undefined) scripts.push(script);
      if (tag.name === 'plaintext') break;
      at = script?.end ?? (RAW_TEXT.has(tag.name) ? findEndTag(html, tag.name, tag.end).end : tag.end);
    } else {
      at = next === '!' || next === '?' || next === '/' ? (skipComment(html, at) ?? html.length) : at + 1;
    }
    at = html.indexOf('<', at);
  }
  return { scripts, tagCount };
}

function readScript(html: string, start: number, tag: Tag): ScriptElement {
  const close = findScriptEnd(html, tag.end);
  return {
    start,
    end: close.end,
    contentStart: tag.end,
    contentEnd: close.start,
    attributes: tag.attributes,
  };
}

/** Answers the line of an offset, from 1. Line feeds, carriage returns and both together each end one line. */
export type LineOf = (offset: number) => number;

/** Looks through the text once, however many lines are asked for, and not at all when none is. */
export function createLineOf(text: string): LineOf {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  const ending = /\r\n|\r|\n/g;
  while (ending.exec(text) !== null) starts.push(ending.lastIndex);
  return starts;
}
