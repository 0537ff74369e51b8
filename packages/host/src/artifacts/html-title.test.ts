import { describe, expect, it } from 'vitest';
import { htmlTitle } from './html-title.ts';

describe('htmlTitle', () => {
  it.each([
    ['<title>Sales</title>', 'Sales'],
    ['<TITLE lang="en">\n A &amp;\n B </TITLE>', 'A & B'],
    ['<titles>no</titles><title>yes</title>', 'yes'],
    [`<title>${'x'.repeat(300)}</title>`, 'x'.repeat(200)],
  ])('of %j is %j', (html, title) => {
    expect(htmlTitle(html)).toBe(title);
  });

  it.each([
    '<p>none',
    '<title></title>',
    '<title>never closed',
    '<title '.repeat(9000),
    '<title>'.repeat(9000),
  ])('of a page without one is nothing', (html) => {
    expect(htmlTitle(html)).toBeUndefined();
  });
});
