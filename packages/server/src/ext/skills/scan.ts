import { encodeSegment } from '@portico/spec/skills';
import { SkillCatalogError } from './skill-catalog-error.ts';
import type { SkillFileEntry, SkillFiles } from './types.ts';

/** Most files and folders of one scan. */
const MAX_ENTRIES = 10_000;
/** Deepest folder below the root. */
const MAX_DEPTH = 32;
/** Largest file, bytes: 64 MiB. */
export const MAX_FILE_BYTES: number = 64 * 1024 * 1024;

/** One folder of the storage, its names sorted. */
export interface ScannedFolder {
  /** From the root; empty for the root itself. */
  readonly path: string;
  readonly files: readonly string[];
  readonly folders: readonly ScannedFolder[];
  /** Links, special files, and names that no URI can have. */
  readonly unsupported: readonly string[];
}

export const below = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** Looks at all folders. @throws SkillCatalogError when the storage fails or has no end */
export async function scan(files: SkillFiles): Promise<ScannedFolder> {
  const state = { left: MAX_ENTRIES };
  return scanFolder(files, { path: '', depth: 0, state });
}

interface Place {
  readonly path: string;
  readonly depth: number;
  readonly state: { left: number };
}

async function scanFolder(files: SkillFiles, { path, depth, state }: Place): Promise<ScannedFolder> {
  if (depth > MAX_DEPTH) throw endless(path, `folders are nested over ${String(MAX_DEPTH)} levels`);
  const children = await listed(files, path);
  state.left -= children.length;
  if (state.left < 0) throw endless(path, `there are over ${String(MAX_ENTRIES)} files and folders`);
  const names: string[] = [];
  const folders: ScannedFolder[] = [];
  const unsupported: string[] = [];
  for (const { name, kind } of children) {
    if (kind === 'unsupported' || encodeSegment(name) === undefined) unsupported.push(name);
    else if (kind === 'file') names.push(name);
    else folders.push(await scanFolder(files, { path: below(path, name), depth: depth + 1, state }));
  }
  return { path, files: names, folders, unsupported };
}

async function listed(files: SkillFiles, path: string): Promise<SkillFileEntry[]> {
  const children = await guarded(path, () => files.list(path));
  return children.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Reads a file of the storage. @throws SkillCatalogError when that fails, or it is over 64 MiB */
export async function readScanned(files: SkillFiles, path: string): Promise<Uint8Array> {
  const bytes = await guarded(path, () => files.read(path));
  if (bytes.length > MAX_FILE_BYTES) throw endless(path, 'the file is larger than 64 MiB');
  return bytes;
}

async function guarded<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof SkillCatalogError) throw cause;
    throw new SkillCatalogError([{ path: path || '.', message: 'the storage failed' }], { cause });
  }
}

function endless(path: string, message: string): SkillCatalogError {
  return new SkillCatalogError([{ path: path || '.', message }]);
}

/** A folder and all folders below it. */
export function withDescendants(folder: ScannedFolder): ScannedFolder[] {
  return [folder, ...folder.folders.flatMap(withDescendants)];
}
