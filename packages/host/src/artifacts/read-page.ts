import { MAX_PAGE_BYTES } from '@portico/api';
import type { Publish } from '@portico/api';
import { readManifest } from '@portico/frames';
import type { Manifest, ManifestIssue } from '@portico/frames';
import { ApiRefusal } from '../api-refusal.ts';
import type { ArtifactRecord } from '../ports/stores.ts';
import { htmlTitle } from './html-title.ts';

/** A page that may be published. */
export interface PageReading {
  /** Without its manifest. */
  readonly html: string;
  readonly manifest: ArtifactRecord['manifest'];
  readonly title: string;
  readonly warnings: string[];
}

/** @throws ApiRefusal too_large, invalid_page, invalid_manifest */
export function readPage(page: Publish): PageReading {
  if (Buffer.byteLength(page.html) > MAX_PAGE_BYTES) {
    throw new ApiRefusal('too_large', 'The page is larger than 10 MB.');
  }
  const { html, manifest, issues } = readManifest(page.html, page.manifest);
  const errors = issues.filter((issue) => issue.level === 'error');
  if (errors.some((issue) => issue.code === 'not_html')) {
    throw new ApiRefusal('invalid_page', 'This is not an HTML page: it has not a single tag.');
  }
  if (errors.length > 0) {
    throw new ApiRefusal(
      'invalid_manifest',
      'The manifest of the page cannot be used.',
      errors.map(sentence),
    );
  }
  if (manifest.mcp?.servers.length === 0) {
    throw new ApiRefusal('invalid_manifest', 'The manifest asks for connectors but names none.');
  }
  return {
    html,
    manifest: plainManifest(manifest),
    title: page.title ?? manifest.title ?? htmlTitle(html) ?? 'Untitled page',
    warnings: issues.filter((issue) => issue.level === 'warning').map(sentence),
  };
}

function sentence(issue: ManifestIssue): string {
  const place = issue.source === 'page' ? 'page' : 'manifest file';
  return `${place}, line ${issue.line}: ${issue.message}`;
}

function plainManifest(manifest: Manifest): ArtifactRecord['manifest'] {
  const servers = manifest.mcp?.servers.map(({ name, tools }) => ({ name, tools: [...tools] }));
  return {
    ...(manifest.title === undefined ? {} : { title: manifest.title }),
    ...(servers === undefined ? {} : { mcp: { servers } }),
  };
}
