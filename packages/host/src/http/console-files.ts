import { readFile } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import type { Context } from 'hono';
import { plainPage } from './plain-page.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * Serves the built console: files as they are, and the start page for every address of the app.
 * Names under `assets/` carry a hash of their content and may be kept for ever.
 */
export async function serveConsoleFile(context: Context, folder: string): Promise<Response> {
  const path = safePath(context.req.path);
  if (path === undefined) return context.notFound();
  const type = TYPES[extname(path).toLowerCase()];
  if (type !== undefined) {
    const bytes = await readIfFile(join(folder, path), folder);
    if (bytes === undefined) return context.notFound();
    const lasting = path.startsWith('/assets/');
    return context.body(new Uint8Array(bytes), 200, {
      'content-type': type,
      'cache-control': lasting ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
  }
  const page = await readIfFile(join(folder, 'index.html'), folder);
  if (page !== undefined) return context.html(page.toString('utf8'), 200, { 'cache-control': 'no-cache' });
  return context.html(plainPage('The console is not built', ['Run "npm run build" and reload.']), 503);
}

/** The decoded path, or undefined where it could mean something outside the folder. */
function safePath(path: string): string | undefined {
  try {
    const decoded = decodeURIComponent(path);
    return /[\0\\]/.test(decoded) || decoded.split('/').includes('..') ? undefined : decoded;
  } catch {
    return undefined;
  }
}

async function readIfFile(path: string, folder: string): Promise<Buffer | undefined> {
  if (!resolve(path).startsWith(resolve(folder) + sep)) return undefined;
  try {
    return await readFile(path);
  } catch {
    // Missing, a folder or unreadable: all the same to the page that asks.
    return undefined;
  }
}
