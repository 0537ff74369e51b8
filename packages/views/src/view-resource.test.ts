import { describe, expect, it } from 'vitest';
import { resolveViewResource } from './view-resource.ts';

const URI = 'ui://server/app.html';
const MIME = 'text/html;profile=mcp-app';
const read = (item: Record<string, unknown>, listed?: unknown) =>
  resolveViewResource({ uri: URI, result: { contents: [{ uri: URI, mimeType: MIME, ...item }] }, listed });
const resource = (item: Record<string, unknown>, listed?: unknown) => {
  const resolution = read(item, listed);
  if (!resolution.ok) throw new Error(resolution.refusal.reason);
  return resolution.resource;
};
const ruleOf = (item: Record<string, unknown>) => {
  const resolution = read(item);
  return resolution.ok ? undefined : resolution.refusal.ruleId;
};

describe('resolveViewResource', () => {
  it('takes the document from text or from base64 of UTF-8', () => {
    expect(resource({ text: '<p>é' }).html).toBe('<p>é');
    expect(resource({ blob: Buffer.from('<p>é').toString('base64') }).html).toBe('<p>é');
  });

  it.each(['text/html;profile=mcp-app', 'text/html; profile=mcp-app', 'TEXT/HTML;profile="mcp-app"'])(
    'renders the mime type %j',
    (mimeType) => {
      expect(resource({ mimeType, text: '<p>' }).html).toBe('<p>');
    },
  );

  it.each([
    { mimeType: 'text/html', text: '<p>' },
    { mimeType: undefined, text: '<p>' },
    { mimeType: 'text/html+skybridge', text: '<p>' },
    { text: ' ' },
    { blob: 'PHA-' },
    { blob: 'PHA' },
    { blob: 'data:text/html;base64,PHA+' },
    { blob: '/w==' },
    {},
  ])('apps-P6 renders nothing from %j', (item) => {
    expect(ruleOf(item)).toBe('apps-P6');
  });

  it('renders nothing when the server answers without content', () => {
    for (const result of [undefined, {}, { contents: [] }, { contents: 'x' }, { contents: [null] }]) {
      expect(resolveViewResource({ uri: URI, result }).ok).toBe(false);
    }
  });

  it('renders ui:// addresses only', () => {
    expect(resolveViewResource({ uri: 'https://a.example/', result: { contents: [] } })).toMatchObject({
      ok: false,
      refusal: { ruleId: 'apps-P4' },
    });
  });

  it('apps-P5 looks for metadata on the content item first and in the listing second', () => {
    const csp = (domain: string) => ({ ui: { csp: { connectDomains: [domain] } } });
    const listed = { _meta: csp('https://listed.example') };
    expect(resource({ text: '<p>', _meta: csp('https://item.example') }, listed).csp).toEqual({
      connectDomains: ['https://item.example'],
    });
    expect(resource({ text: '<p>' }, listed).csp).toEqual({ connectDomains: ['https://listed.example'] });
  });

  it('apps-E17 apps-E64 takes the metadata of the content item whole and mixes nothing in', () => {
    const listed = {
      _meta: {
        ui: { csp: { frameDomains: ['https://a.example'] }, permissions: { camera: {} }, domain: 'd' },
      },
    };
    const found = resource({ text: '<p>', _meta: { ui: { prefersBorder: true } } }, listed);
    expect(found).toEqual({ uri: URI, html: '<p>', csp: {}, permissions: {}, prefersBorder: true });
    const own = {
      ui: { csp: { frameDomains: ['https://b.example'] }, permissions: { geolocation: {} }, domain: 'e' },
    };
    expect(resource({ text: '<p>', _meta: own }, listed)).toMatchObject({
      csp: { frameDomains: ['https://b.example'] },
      permissions: { geolocation: {} },
      domain: 'e',
    });
  });

  it('reads malformed metadata as nothing asked for', () => {
    const _meta = {
      ui: {
        csp: { connectDomains: 'x', frameDomains: [5, 'https://a.example'] },
        permissions: { camera: true },
      },
    };
    expect(resource({ text: '<p>', _meta })).toMatchObject({
      csp: { frameDomains: ['https://a.example'] },
      permissions: {},
    });
  });
});
