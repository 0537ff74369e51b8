import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'vite';
import { sourceAliases } from '../tools/layers.mjs';

const ROOT = join(import.meta.dirname, '..');

/** What a script is bundled for. */
export interface BundleOptions {
  /** `development` by default: React's build whose strict mode runs effects twice. */
  readonly mode?: 'development' | 'production';
  /** Folder in whose `node_modules` another React than the workspace's is. */
  readonly reactFolder?: string;
}

/** Bundles one source file, with everything it imports, into a script without imports. */
export async function bundleScript(
  entry: string,
  name = 'portico',
  { mode = 'development', reactFolder }: BundleOptions = {},
): Promise<string> {
  const alias = sourceAliases()
    .sort((a, b) => b.specifier.length - a.specifier.length)
    .map(({ specifier, source }) => ({
      find: new RegExp(`^${specifier}$`),
      replacement: join(ROOT, source),
    }));
  if (reactFolder !== undefined) {
    const replacement = join(ROOT, reactFolder, 'node_modules/$1$2');
    alias.push({ find: /^(react|react-dom)(\/.*)?$/, replacement });
  }
  const output = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'silent',
    // A page has one React, also when a package that it imports is installed apart from it.
    resolve: { alias, dedupe: ['react', 'react-dom'] },
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    oxc: { jsx: { runtime: 'automatic', development: mode === 'development' } },
    build: { write: false, target: 'es2022', lib: { entry: join(ROOT, entry), formats: ['iife'], name } },
  });
  const [first] = Array.isArray(output) ? output : [output];
  if (first === undefined || !('output' in first)) throw new Error(`nothing was built from ${entry}`);
  return first.output[0].code;
}

export interface SitePage {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A web server on one port with as many hosts as a test wants, each a name below `localhost`. */
export interface SandboxSite {
  readonly port: number;
  /** Origin of a host of this site. */
  origin(name: string): string;
  /** Serves a page from now on; answers its address. */
  serve(name: string, path: string, page: SitePage): string;
  /** `host path` of every request so far. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** @param elsewhere headers of the answer to an address at which nothing is served */
export async function createSandboxSite(
  elsewhere: Readonly<Record<string, string>> = {},
): Promise<SandboxSite> {
  const pages = new Map<string, SitePage>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const key = `${request.headers.host?.split(':')[0] ?? ''} ${request.url ?? ''}`;
    requests.push(key);
    const page = pages.get(key);
    const headers = page === undefined ? elsewhere : page.headers;
    response.writeHead(page === undefined ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
      ...headers,
    });
    response.end(page?.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = (name: string): string => `http://${name}.localhost:${port}`;
  return {
    port,
    origin,
    requests,
    serve(name, path, page) {
      pages.set(`${name}.localhost ${path}`, page);
      return origin(name) + path;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
