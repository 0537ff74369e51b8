import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import type { OutputChunk, RolldownBuild, RolldownOutput } from 'rolldown';
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

/** The program of a page as a bundler splits it. */
export interface PageBundle {
  /** All that is loaded before it runs. */
  readonly first: string;
  /** What is loaded at first use: code by the name of the chunk's module. */
  readonly later: Readonly<Record<string, string>>;
}

/**
 * Bundles a program text for a page or a worker, minified into one file.
 * @param external packages that are left out
 */
export async function bundleProgram(
  text: string,
  format: 'esm' | 'iife' | 'cjs' = 'esm',
  external: readonly string[] = [],
): Promise<Bundle> {
  const nodeModules = new Set<string>();
  const build = await openBuild(text, nodeModules, external);
  const { output } = await build.generate({ ...OUTPUT, format, codeSplitting: false });
  await build.close();
  const [chunk] = output;
  return { code: chunk.code, nodeModules: [...nodeModules], files: chunk.moduleIds };
}

/**
 * Bundles a program text for a page, minified and split where it loads modules later. All that its first
 * moment needs makes one chunk, as it would for a page whose bundler is told to keep it together; what
 * modules loaded later share with it is in it, too.
 *
 * @param external packages that are left out
 */
export async function bundlePage(text: string, external: readonly string[] = []): Promise<PageBundle> {
  const build = await openBuild(text, new Set(), external);
  const { output: scattered } = await build.generate({ ...OUTPUT, format: 'esm' });
  const needed = new Set([...withStaticImports(scattered)].flatMap(({ moduleIds }) => moduleIds));
  const { output } = await build.generate({
    ...OUTPUT,
    format: 'esm',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: 'first', test: (id) => needed.has(id) }],
    },
  });
  await build.close();
  const first = withStaticImports(output);
  const later = chunksOf(output).filter((chunk) => !first.has(chunk));
  return {
    first: [...first].map(({ code }) => code).join('\n'),
    later: Object.fromEntries(later.map(({ name, code }) => [name, code])),
  };
}

const OUTPUT = { name: 'program', minify: true, exports: 'named' } as const;

/** Notes the modules of Node that are asked for. */
function openBuild(
  text: string,
  nodeModules: Set<string>,
  external: readonly string[] = [],
): Promise<RolldownBuild> {
  return rolldown({
    input: 'virtual:program',
    external: [...external, ...external.map((name) => new RegExp(`^${name}/`))],
    platform: 'browser',
    // Nobody imports from a page, so its chunks may share names as they like.
    preserveEntrySignatures: 'allow-extension',
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
}

function chunksOf(output: RolldownOutput['output']): OutputChunk[] {
  return output.filter((file) => file.type === 'chunk');
}

/** The program's own chunk and everything that is imported with it. */
function withStaticImports(output: RolldownOutput['output']): Set<OutputChunk> {
  const reached = new Set<OutputChunk>([output[0]]);
  // A set that grows while it is walked is walked to its end.
  for (const { imports } of reached) {
    for (const chunk of chunksOf(output)) if (imports.includes(chunk.fileName)) reached.add(chunk);
  }
  return reached;
}
