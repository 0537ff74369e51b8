import { describe, expect, it } from 'vitest';
import { getToolUi, supportsUi } from './tool-ui.ts';

const NESTED = 'ui://nested/view';
const FLAT = 'ui://flat/view';
const both = ['model', 'app'];

describe('getToolUi', () => {
  it.each([
    [{ ui: { resourceUri: NESTED } }, NESTED],
    [{ 'ui/resourceUri': FLAT }, FLAT],
    [{ ui: { resourceUri: NESTED }, 'ui/resourceUri': FLAT }, NESTED],
    [{ ui: {}, 'ui/resourceUri': FLAT }, FLAT],
    [{ ui: { visibility: ['app'] }, 'ui/resourceUri': FLAT }, FLAT],
    [{ ui: { resourceUri: 'https://a.example/x' }, 'ui/resourceUri': FLAT }, undefined],
    [{ ui: { resourceUri: 'file:///etc/passwd' } }, undefined],
    [{ ui: { resourceUri: 'UI://x' } }, undefined],
    [{ ui: { resourceUri: ' ui://x' } }, undefined],
    [{ ui: { resourceUri: 'ui://' } }, undefined],
    [{ ui: { resourceUri: 3 } }, undefined],
    [{ ui: 'ui://x' }, undefined],
    [{ ui: [NESTED] }, undefined],
    [{ 'ui/resourceUri': 'https://a.example' }, undefined],
    [{}, undefined],
  ])('apps-P4 reads the view of %j', (_meta, expected) => {
    expect(getToolUi({ _meta }).resourceUri).toBe(expected);
  });

  it('has no view without sound metadata', () => {
    for (const _meta of [undefined, null, 'x', 3, []]) {
      expect(getToolUi({ _meta })).toEqual({ visibility: both });
    }
  });

  it.each([
    [undefined, both],
    ['app', both],
    [['app'], ['app']],
    [['model'], ['model']],
    [
      ['app', 'model'],
      ['app', 'model'],
    ],
    [['app', 'everyone', 3], ['app']],
    [['everyone'], []],
    [[], []],
  ])('reads visibility %j as %j', (visibility, expected) => {
    expect(getToolUi({ _meta: { ui: { visibility } } }).visibility).toEqual(expected);
  });
});

describe('supportsUi', () => {
  it('asks for the mime type under the extension id', () => {
    const withTypes = (mimeTypes: unknown): { extensions: unknown } => ({
      extensions: { 'io.modelcontextprotocol/ui': { mimeTypes } },
    });
    expect(supportsUi(withTypes(['text/html;profile=mcp-app']))).toBe(true);
    expect(supportsUi(withTypes(['text/html']))).toBe(false);
    expect(supportsUi(withTypes('text/html;profile=mcp-app'))).toBe(false);
    expect(supportsUi({ extensions: { 'io.modelcontextprotocol/ui': {} } })).toBe(false);
    expect(supportsUi({})).toBe(false);
  });
});
