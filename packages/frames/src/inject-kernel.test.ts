import { describe, expect, it } from 'vitest';
import { FramesError } from './errors.ts';
import { injectKernel } from './inject-kernel.ts';

const SETUP = { shellOrigin: 'http://portico.localhost:6874', mcp: true };
const KERNEL = '<script data-shell="http://portico.localhost:6874" data-mcp="true">k()</script>';
const inject = (html: string): string => injectKernel(html, 'k()', SETUP);

describe('injectKernel', () => {
  it.each([
    ['', ''],
    ['<p>x', ''],
    ['text', ''],
    ['<script>first()</script>', ''],
    ['\uFEFF<p>', '\uFEFF'],
    ['<!doctype html><html lang=en>', '<!doctype html>'],
    ['\n <!DOCTYPE html PUBLIC "x">\n<p>', '\n <!DOCTYPE html PUBLIC "x">'],
    ['<!-- a --><!--<head>--><!doctype html><p>', '<!-- a --><!--<head>--><!doctype html>'],
    ['<!doctype html><!--<head>--><p>', '<!doctype html>'],
    ['<!-- a --><p>', '<!-- a -->'],
    ['<?xml version="1.0"?><!doctype html><p>', '<?xml version="1.0"?><!doctype html>'],
    ['<!--><script>first()</script>-->', '<!-->'],
    ['<!-- never closed <script>first()</script>', ''],
    ['<!doctype html', ''],
  ])('puts the kernel into %j after %j', (html, head) => {
    expect(inject(html)).toBe(head + KERNEL + html.slice(head.length));
  });

  it('adds no line break, so that line numbers stay right', () => {
    const html = '<!doctype html>\n<p>\n';
    expect(inject(html).split('\n')).toHaveLength(html.split('\n').length);
  });

  it.each(['a</script>', 'a</SCRIPT >', '<!-- a'])('refuses a kernel source with %j', (source) => {
    expect(() => injectKernel('<p>', source, SETUP)).toThrow(FramesError);
  });

  it.each(['*', '', 'null', 'http://a.example/', 'http://a.example" x="', 'javascript:1'])(
    'refuses the shell origin %j',
    (shellOrigin) => {
      expect(() => injectKernel('<p>', 'k()', { shellOrigin, mcp: true })).toThrow(
        expect.objectContaining({ code: 'invalid_origin' }),
      );
    },
  );
});
