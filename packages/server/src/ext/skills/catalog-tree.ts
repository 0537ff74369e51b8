import type { Resource } from '@portico/spec';
import { DIRECTORY_MIME_TYPE, SKILL_FILE, uriKey } from '@portico/spec/skills';
import type { Skill } from '@portico/spec/skills';
import { mediaTypeOf } from './media-types.ts';
import { encodePath } from './skill-entry.ts';
import type { MeasuredFile } from './skill-entry.ts';
import { below, withDescendants } from './scan.ts';
import type { ScannedFolder } from './scan.ts';

/** A skill that is served, with its folder in the storage. */
export interface FoundSkill {
  readonly entry: Skill;
  readonly folder: ScannedFolder;
}

/** A file that is served. `path` is from the root of the storage. */
export interface ServedFile extends MeasuredFile {
  readonly mimeType: string;
}

/** What can be read, by the keys of its URIs. */
export interface CatalogTree {
  readonly files: ReadonlyMap<string, ServedFile>;
  /** The children of each folder, sorted by URI. */
  readonly folders: ReadonlyMap<string, readonly Resource[]>;
}

/** What a `SKILL.md` is listed as. */
export function skillResource({ uri, frontmatter, resources }: Skill): Resource {
  const { name, description } = frontmatter;
  const file = resources === 'dynamic' ? undefined : resources.find((each) => each.uri === uri);
  const size = file === undefined ? {} : { size: file.size };
  return { uri, name, description, mimeType: 'text/markdown', ...size };
}

/**
 * Lays out what is served: the files of the skills and every folder on the way to them.
 * @param base what stands before the path of a folder in the storage, with a slash at its end
 */
export function layOut(
  skills: readonly FoundSkill[],
  measured: ReadonlyMap<string, MeasuredFile>,
  base: string,
): CatalogTree {
  const tree = new Tree();
  const entries = new Map(skills.map(({ entry }) => [entry.uri, entry]));
  for (const { folder } of skills) {
    for (const each of withDescendants(folder)) {
      const uri = base + String(encodePath(each.path));
      tree.addFolder(uri);
      for (const name of each.files) {
        const file = measured.get(below(each.path, name));
        const fileUri = `${uri}/${encodeURIComponent(name)}`;
        const entry = name === SKILL_FILE ? entries.get(fileUri) : undefined;
        if (file !== undefined) tree.addFile(uri, resourceOf(fileUri, name, entry), file);
      }
    }
  }
  return tree.finished();
}

function resourceOf(uri: string, name: string, entry: Skill | undefined): Resource {
  return entry === undefined ? { uri, name, mimeType: mediaTypeOf(name) } : skillResource(entry);
}

class Tree {
  readonly #files = new Map<string, ServedFile>();
  readonly #folders = new Map<string, Map<string, Resource>>();

  /** Adds a folder and those above it, up to the first name of the URI. */
  addFolder(uri: string): Map<string, Resource> {
    const key = keyOf(uri);
    const known = this.#folders.get(key);
    if (known !== undefined) return known;
    const children = new Map<string, Resource>();
    this.#folders.set(key, children);
    const slash = uri.lastIndexOf('/');
    const above = uri.slice(0, slash);
    if (uriKey(above) === undefined) return children;
    const name = decodeURIComponent(uri.slice(slash + 1));
    this.addFolder(above).set(key, { uri, name, mimeType: DIRECTORY_MIME_TYPE });
    return children;
  }

  addFile(folder: string, resource: Resource, file: MeasuredFile): void {
    const key = keyOf(resource.uri);
    const mimeType = resource.mimeType ?? mediaTypeOf(resource.name);
    this.#files.set(key, { ...file, mimeType });
    this.addFolder(folder).set(key, { ...resource, size: file.size });
  }

  finished(): CatalogTree {
    const sorted = [...this.#folders].map(
      ([key, children]) =>
        [key, [...children.values()].toSorted((one, other) => (one.uri < other.uri ? -1 : 1))] as const,
    );
    return { files: this.#files, folders: new Map(sorted) };
  }
}

const keyOf = (uri: string): string => uriKey(uri) ?? uri;
