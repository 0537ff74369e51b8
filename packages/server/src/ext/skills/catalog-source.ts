import { ErrorCode, ProtocolError } from '@portico/rpc';
import type { Resource } from '@portico/spec';
import { losslessText, sha256Digest, uriKey } from '@portico/spec/skills';
import type { Skill } from '@portico/spec/skills';
import { pageOf } from '../../mcp/pages.ts';
import type { BuiltCatalog } from './build-catalog.ts';
import { skillResource } from './catalog-tree.ts';
import type { SkillFiles, SkillReadResult, SkillSource } from './types.ts';
import type { Warn } from './warnings.ts';

/** What a catalog's source is made with. */
export interface CatalogSourceSettings {
  readonly files: SkillFiles;
  readonly pageSize: number;
  readonly warn: Warn;
}

/** Serves what a scan found. A new scan replaces the old one at once. */
export class CatalogSource implements SkillSource {
  readonly #settings: CatalogSourceSettings;
  #catalog: BuiltCatalog;
  #skills: ReadonlyMap<string, Skill>;
  #revision = 0;

  constructor(catalog: BuiltCatalog, settings: CatalogSourceSettings) {
    this.#settings = settings;
    this.#catalog = catalog;
    this.#skills = byKey(catalog.entries);
  }

  get entries(): readonly Skill[] {
    return this.#catalog.entries;
  }

  /** Cursors of the list before are refused from now on. */
  replace(catalog: BuiltCatalog): void {
    this.#catalog = catalog;
    this.#skills = byKey(catalog.entries);
    this.#revision += 1;
  }

  async list({ cursor }: { cursor?: string }): Promise<{ skills: Skill[]; nextCursor?: string }> {
    const { items, ...next } = this.#page(this.#catalog.entries, cursor);
    return { skills: [...items], ...next };
  }

  async get(uri: string): Promise<Skill | undefined> {
    return this.#skills.get(uriKey(uri) ?? '');
  }

  async read(uri: string): Promise<SkillReadResult | undefined> {
    const file = this.#catalog.files.get(uriKey(uri) ?? '');
    if (file === undefined) return undefined;
    const { files, warn } = this.#settings;
    const { path, mimeType } = file;
    const bytes = await files.read(path);
    if (bytes.length !== file.size || (await sha256Digest(bytes)) !== file.digest) {
      warn({ path, message: 'the file is no longer the one that was published; reload the catalog' });
      throw new ProtocolError(ErrorCode.InternalError, 'The file is not the one that was published.');
    }
    const text = losslessText(bytes);
    return text === undefined ? { bytes, mimeType } : { text, mimeType };
  }

  async readDirectory(
    uri: string,
    { cursor }: { cursor?: string },
  ): Promise<{ resources: Resource[]; nextCursor?: string } | undefined> {
    const children = this.#catalog.folders.get(uriKey(uri) ?? '');
    if (children === undefined) return undefined;
    const { items, ...next } = this.#page(children, cursor);
    return { resources: [...items], ...next };
  }

  async listResources(): Promise<Resource[]> {
    return this.#catalog.entries.map(skillResource);
  }

  #page<Item>(
    all: readonly Item[],
    cursor: string | undefined,
  ): { items: readonly Item[]; nextCursor?: string } {
    const { pageSize } = this.#settings;
    const { items, nextCursor } = pageOf(all, cursor, {
      revision: this.#revision,
      pageSize: Number.isFinite(pageSize) ? pageSize : undefined,
    });
    return nextCursor === undefined ? { items } : { items, nextCursor };
  }
}

function byKey(entries: readonly Skill[]): ReadonlyMap<string, Skill> {
  return new Map(entries.map((entry) => [uriKey(entry.uri) ?? '', entry]));
}
