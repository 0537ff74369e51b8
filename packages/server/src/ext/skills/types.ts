import type { Resource } from '@portico/spec';
import type { Skill } from '@portico/spec/skills';
import type { CacheHint } from '../../cache-hint.ts';
import type { ServerContext } from '../../context.ts';

/** Something that is wrong with skills. `path` names the file, folder or URI. */
export interface SkillWarning {
  path: string;
  message: string;
}

/** A file's content: sent as text, or as base64. */
export type SkillReadResult = { text: string; mimeType?: string } | { bytes: Uint8Array; mimeType?: string };

/**
 * Skills that a program makes by itself: per user, generated, too many to list. Each call gets the
 * context of the request. What a call throws is answered as an internal error without its text, unless
 * it is a `ProtocolError`.
 */
export interface SkillSource {
  /** One page of entries; lists may be empty or partial. */
  list(
    params: { cursor?: string },
    context: ServerContext,
  ): Promise<{ skills: Skill[]; nextCursor?: string }>;
  /** The skill whose `SKILL.md` is at the URI, listed or not; undefined for none. */
  get(uri: string, context: ServerContext): Promise<Skill | undefined>;
  /** A file of a skill; undefined for none. */
  read(uri: string, context: ServerContext): Promise<SkillReadResult | undefined>;
  /** The children of a folder; undefined when it is none. A source that has this declares `directoryRead`. */
  readDirectory?(
    uri: string,
    params: { cursor?: string },
    context: ServerContext,
  ): Promise<{ resources: Resource[]; nextCursor?: string } | undefined>;
  /** What `resources/list` shows, all at once; nothing when it is left out. */
  listResources?(context: ServerContext): Promise<Resource[]>;
}

export interface SkillsOptions {
  /** How long modern clients may keep answers about skills and their files. Default 0 ms, private. */
  cacheHint?: CacheHint;
  /** Makes errors of what are warnings otherwise. Default false. */
  strict?: boolean;
  /** Told what is wrong. May throw. Default: the standard error output, by `console.warn`. */
  onWarning?: (warning: SkillWarning) => void;
}

export interface SkillSourceOptions extends SkillsOptions {
  source: SkillSource;
  /** What every URI of the source begins with. Default `skill://`. */
  baseUri?: string;
}

/** One child of a folder; links and special files are `unsupported`. */
export interface SkillFileEntry {
  name: string;
  kind: 'file' | 'directory' | 'unsupported';
}

/**
 * Where a catalog's files lie. Paths are relative, with `/` between names, and `''` is the root. Both
 * calls may reject, which is a failure of the storage.
 */
export interface SkillFiles {
  list(folder: string): Promise<SkillFileEntry[]>;
  read(path: string): Promise<Uint8Array>;
}

export interface SkillCatalogOptions extends SkillsOptions {
  /** Path in front of every skill: `acme` serves `skill://acme/<skill>/…`. */
  prefix?: string;
  /** Entries on a page of skills or of a folder: a whole number of at least 1, or Infinity. Default 100. */
  pageSize?: number;
  /**
   * Files, and bytes of them together, of one skill; beyond, a warning, or an error under `strict`.
   * Default 512 and 16 MiB.
   */
  limits?: { files?: number; bytes?: number };
}

/** What a `reload()` changed, as URIs of `SKILL.md` files. */
export interface SkillCatalogChanges {
  added: string[];
  removed: string[];
  changed: string[];
  /**
   * Whether a list of resources changed: a skill came or went, or has another name or description.
   * Connected servers have told their clients; behind `createMcpHandler` call its
   * `notify.resourcesChanged()`.
   */
  listChanged: boolean;
}
