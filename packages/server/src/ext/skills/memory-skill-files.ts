import { utf8Bytes } from '@portico/spec/skills';
import { SkillCatalogError } from './skill-catalog-error.ts';
import type { SkillFileEntry, SkillFiles } from './types.ts';

type Index = ReadonlyMap<string, ReadonlyMap<string, SkillFileEntry>>;

/** The folders of a record, by path, with the children of each. */
function indexOf(files: Readonly<Record<string, unknown>>): Index {
  const folders = new Map<string, Map<string, SkillFileEntry>>([['', new Map()]]);
  const add = (folder: string, name: string, kind: 'file' | 'directory'): void => {
    const children = folders.get(folder) ?? new Map<string, SkillFileEntry>();
    folders.set(folder, children);
    const known = children.get(name);
    // A name that is a file and a folder at once is neither.
    children.set(name, { name, kind: known === undefined || known.kind === kind ? kind : 'unsupported' });
  };
  for (const path of Object.keys(files)) {
    const names = path.split('/');
    for (const [depth, name] of names.entries()) {
      add(names.slice(0, depth).join('/'), name, depth === names.length - 1 ? 'file' : 'directory');
    }
  }
  return folders;
}

/**
 * Files in memory: contents by path, text or bytes. Which files there are is looked at anew whenever a
 * walk starts at the root, so that `reload()` sees changes; contents are read as they are at the time.
 */
export function memorySkillFiles(files: Record<string, string | Uint8Array>): SkillFiles {
  let index: Index | undefined;
  return {
    async list(folder) {
      if (folder === '' || index === undefined) index = indexOf(files);
      const children = index.get(folder);
      if (children === undefined) throw missing(folder);
      return [...children.values()];
    },
    async read(path) {
      const content = Object.hasOwn(files, path) ? files[path] : undefined;
      if (content === undefined) throw missing(path);
      return typeof content === 'string' ? utf8Bytes(content) : content;
    },
  };
}

function missing(path: string): SkillCatalogError {
  return new SkillCatalogError([{ path, message: 'there is no such file or folder' }]);
}
