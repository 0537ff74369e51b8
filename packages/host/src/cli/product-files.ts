import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Built files that the host serves. */
export interface ProductFiles {
  readonly consoleFolder: string;
  readonly proxyBundleFile: string;
  readonly kernelBundleFile: string;
}

/** Where the build puts them, seen from this file in `packages/host/dist/cli`. */
export function productFiles(): ProductFiles {
  return {
    consoleFolder: besides('../../../console/dist/app'),
    proxyBundleFile: besides('../../../views/dist/proxy.bundle.js'),
    kernelBundleFile: besides('../../../frames/dist/kernel.bundle.js'),
  };
}

/** The one version that command, console and connectors see (K10). */
export function productVersion(): string {
  const text = readFileSync(besides('../../package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

function besides(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
