import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { sourceAliases } from '../../tools/layers.mjs';

const ROOT = join(import.meta.dirname, '../..');

/** Programs that Node can run, made from TypeScript sources with everything they import. */
export interface ProgramBundle {
  readonly pathOf: (name: string) => string;
  remove(): Promise<void>;
}

/** Bundles the fixture programs of these names, so that tests start them from the sources as they are. */
export async function bundlePrograms(names: readonly string[]): Promise<ProgramBundle> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-interop-'));
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    resolve: {
      alias: sourceAliases()
        .sort((a, b) => b.specifier.length - a.specifier.length)
        .map(({ specifier, source }) => ({
          find: new RegExp(`^${specifier}$`),
          replacement: join(ROOT, source),
        })),
    },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      outDir: folder,
      target: 'node20',
      minify: false,
      rollupOptions: {
        input: Object.fromEntries(
          names.map((name) => [name, join(import.meta.dirname, 'fixtures', `${name}.ts`)]),
        ),
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
  return {
    pathOf: (name) => join(folder, `${name}.mjs`),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
