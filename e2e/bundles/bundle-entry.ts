import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { sourceAliases } from '../../tools/layers.mjs';

const ROOT = join(import.meta.dirname, '../..');
const BUILT_IN = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));

/** Source files under the public specifiers, as a browser or a worker would resolve the entries. */
const alias = Object.fromEntries(
  sourceAliases()
    .toSorted((a, b) => b.specifier.length - a.specifier.length)
    .map(({ specifier, source }) => [`${specifier}$`, join(ROOT, source)]),
);

/** One bundle of a program, and the modules of Node that it reached for. */
export interface Bundle {
  readonly code: string;
  readonly nodeModules: readonly string[];
  readonly files: readonly string[];
}

/** Bundles a program text for a page or a worker, minified. */
export async function bundleProgram(text: string, format: 'esm' | 'iife' | 'cjs' = 'esm'): Promise<Bundle> {
  const nodeModules = new Set<string>();
  const build = await rolldown({
    input: 'virtual:program',
    platform: 'browser',
    resolve: { alias, conditionNames: ['worker', 'browser', 'import', 'default'] },
    onLog: () => {},
    plugins: [
      {
        name: 'program',
        resolveId(id) {
          if (id === 'virtual:program') return id;
          if (!BUILT_IN.has(id)) return null;
          nodeModules.add(id);
          return { id, external: true };
        },
        load: (id) => (id === 'virtual:program' ? text : null),
      },
    ],
  });
  const { output } = await build.generate({ format, name: 'program', minify: true, exports: 'named' });
  await build.close();
  const [chunk] = output;
  return { code: chunk.code, nodeModules: [...nodeModules], files: chunk.moduleIds };
}
