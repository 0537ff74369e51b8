import { describe, expect, it } from 'vitest';
import { bytesOf, fileNameOf, lookOf, sizeOf } from './resource-content.ts';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
const uri = 'file:///a';

describe('how a part of a resource is shown', () => {
  it.each([
    [{ uri, text: 'a' }, 'text'],
    [{ uri, mimeType: 'text/markdown; charset=utf-8', text: '# a' }, 'markdown'],
    [{ uri: 'file:///notes/plan.md', text: '# a' }, 'markdown'],
    [{ uri, mimeType: 'application/json', text: '{}' }, 'text'],
    [{ uri, mimeType: 'image/svg+xml', text: '<svg onload="x"/>' }, 'text'],
    [{ uri, mimeType: 'text/html', text: '<script>' }, 'text'],
    [{ uri, mimeType: 'text/plain', blob: base64('grüß') }, 'text'],
    [{ uri, mimeType: 'application/vnd.api+json', blob: base64('{}') }, 'text'],
    [{ uri, mimeType: 'text/plain', blob: '/w==' }, 'binary'],
    [{ uri, mimeType: 'text/plain', blob: 'no base64!' }, 'binary'],
    [{ uri, mimeType: 'image/png', blob: 'AAAA' }, 'image'],
    [{ uri, mimeType: 'IMAGE/PNG', blob: 'AAAA' }, 'image'],
    [{ uri, mimeType: 'audio/wav', blob: 'AAAA' }, 'audio'],
    [{ uri, blob: 'AAAA' }, 'binary'],
    [{ uri }, 'binary'],
  ])('%j as %s', (content, kind) => {
    expect(lookOf(content).kind).toBe(kind);
  });

  it('decodes text that was sent as bytes', () => {
    expect(lookOf({ uri, mimeType: 'text/plain', blob: base64('grüß') })).toEqual({
      kind: 'text',
      text: 'grüß',
    });
  });
});

describe('size and bytes of a part', () => {
  it.each([
    [{ uri, text: 'grüß' }, 6],
    [{ uri, blob: base64('a') }, 1],
    [{ uri, blob: base64('ab') }, 2],
    [{ uri, blob: base64('abc') }, 3],
    [{ uri, blob: '' }, 0],
    [{ uri }, 0],
  ])('%j has %i bytes', (content, size) => {
    expect(sizeOf(content)).toBe(size);
    expect(bytesOf(content)?.length).toBe(size);
  });

  it('has none for what is no base64', () => {
    expect(bytesOf({ uri, blob: '%%%' })).toBeUndefined();
  });
});

describe('the name of a file', () => {
  it.each([
    ['file:///home/me/report.pdf', 'report.pdf'],
    ['https://example.com/a/b.txt?version=2#top', 'b.txt'],
    ['demo://resource/dynamic/text/3', '3'],
    ['file:///home/me/', 'me'],
    ['file:///..', 'resource'],
    ['file:///a/%2E%2E%2Fetc%2Fpasswd', '_etc_passwd'],
    ['file:///.bashrc', 'bashrc'],
    ['file:///C:%5CWindows%5Cwin.ini', 'C__Windows_win.ini'],
    ['file:///a%00b%E2%80%AEtxt.exe', 'a_b_txt.exe'],
    ['file:///%', '_'],
    ['weather:', 'weather_'],
    ['', 'resource'],
  ])('of %s is %s', (address, name) => {
    expect(fileNameOf({ uri: address })).toBe(name);
  });

  it('is not long', () => {
    expect(fileNameOf({ uri: `file:///${'x'.repeat(5_000)}` })).toHaveLength(120);
  });
});
