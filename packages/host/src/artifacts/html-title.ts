/** How far into a page its title is looked for, in characters. */
const SEARCHED = 65_536;
const MAX_TITLE = 200;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

/** Text of the page's title element, or undefined where there is none. */
export function htmlTitle(html: string): string | undefined {
  // No `<` inside the tag, so that a page full of openings is looked through once and not once for each.
  const match = /<title(?:\s[^<>]*)?>([^<]*)<\/title/i.exec(html.slice(0, SEARCHED));
  const text = (match?.[1] ?? '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_match, name: string) => ENTITIES[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TITLE);
  return text === '' ? undefined : text;
}
