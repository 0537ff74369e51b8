// @ts-check
// Gets a page ready to be served, and answers its calls, without a browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
// #region serve
import { frameHeaders, injectKernel, readManifest } from '@portico/frames';

const page = readFileSync(new URL('../artifact/page.html', import.meta.url), 'utf8');
const kernel = readFileSync(new URL('kernel.bundle.js', import.meta.resolve('@portico/frames')), 'utf8');
const shellOrigin = 'https://console.example';

const { html, manifest, issues } = readManifest(page);
const served = {
  headers: frameHeaders({ shellOrigin }),
  body: injectKernel(html, kernel, { shellOrigin, mcp: manifest.mcp !== undefined }),
};
// #endregion

assert.deepEqual(issues, []);
assert.deepEqual(manifest.mcp?.servers, [{ name: 'everything', tools: ['get-sum'] }]);
assert.doesNotMatch(served.body, /portico\+json/);
assert.ok(served.body.indexOf('<script') < served.body.indexOf('<html'));
const policy = served.headers['content-security-policy'] ?? '';
assert.match(policy, /connect-src 'none'/);
assert.match(policy, /frame-ancestors https:\/\/console\.example/);
console.log(`${manifest.title ?? 'The page'} may call ${JSON.stringify(manifest.mcp?.servers)}`);
console.log(`and is served with: ${policy}`);
