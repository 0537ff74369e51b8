import { readManifest } from '@portico/frames';
import { describe, expect, it } from 'vitest';
import { DEMO_ARTIFACT } from './artifact.ts';
import { DEMO_CONNECTOR_NAME } from './connector/index.ts';

describe('the demo page', () => {
  it('declares the demo connector and the two tools it reads', () => {
    const { html, manifest, issues } = readManifest(DEMO_ARTIFACT.html);
    expect(issues).toEqual([]);
    expect(manifest).toMatchObject({
      title: DEMO_ARTIFACT.title,
      mcp: { servers: [{ name: DEMO_CONNECTOR_NAME, tools: ['get_weather', 'list_notes'] }] },
    });
    expect(html).not.toContain('application/portico+json');
  });

  it('loads nothing from anywhere', () => {
    expect(DEMO_ARTIFACT.html).not.toMatch(/https?:\/\/|src=|@import|url\(/);
  });
});
