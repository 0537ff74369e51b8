import { ErrorCode, ProtocolError, isProtocolError } from '@portico/rpc';
import { isResource } from '@portico/spec';
import type { ReadResourceResult, Resource, Result } from '@portico/spec';
import { skillFault, toBase64, uriKey } from '@portico/spec/skills';
import type { Skill } from '@portico/spec/skills';
import { assertCacheHint } from '../../cache-hint.ts';
import type { CacheHint } from '../../cache-hint.ts';
import type { ServerContext } from '../../context.ts';
import type { HandledRequest } from '../../dispatcher.ts';
import type { SkillSource, SkillSourceOptions } from './types.ts';
import { createWarn } from './warnings.ts';
import type { Warn } from './warnings.ts';

/** Longest foreign URI in an answer, characters. */
const MAX_URI = 1_000;

/** Answers the requests about skills from a source, and holds the source to the rules. */
export class SkillAnswers {
  readonly baseUri: string;
  readonly #source: SkillSource;
  readonly #options: SkillSourceOptions;
  readonly #warn: Warn;

  /** @throws RangeError (`INVALID_CACHE_HINT`) */
  constructor(options: SkillSourceOptions) {
    assertCacheHint(options.cacheHint);
    this.#options = options;
    this.#source = options.source;
    this.baseUri = options.baseUri ?? 'skill://';
    this.#warn = createWarn(options);
  }

  get cacheHint(): CacheHint | undefined {
    return this.#options.cacheHint;
  }

  get readsDirectories(): boolean {
    return this.#source.readDirectory !== undefined;
  }

  /** `skills/list` */
  async list({ params }: HandledRequest, context: ServerContext): Promise<Result> {
    const page = await this.#guarded('skills/list', () => this.#source.list(cursorOf(params), context));
    const skills = page.skills.filter((skill) => this.#isServed(skill));
    return { skills, ...nextOf(page), ...this.#caching(context) };
  }

  /** `skills/get` @throws ProtocolError -32602 */
  async get({ params }: HandledRequest, context: ServerContext): Promise<Result> {
    const uri = uriOf(params);
    const key = uriKey(uri);
    const skill =
      key === undefined ? undefined : await this.#guarded(uri, () => this.#source.get(uri, context));
    if (skill === undefined || uriKey(skill.uri) !== key || !this.#isServed(skill)) {
      throw new ProtocolError(ErrorCode.InvalidParams, `No skill is served at ${shown(uri)}`, {
        uri: shown(uri),
      });
    }
    return { skill, ...this.#caching(context) };
  }

  /** `resources/read` of a skill's file @throws ProtocolError -32602 */
  async read(uri: string, context: ServerContext): Promise<ReadResourceResult> {
    const found = this.#isOurs(uri)
      ? await this.#guarded(uri, () => this.#source.read(uri, context))
      : undefined;
    if (found === undefined) {
      throw new ProtocolError(ErrorCode.InvalidParams, `Resource not found: ${shown(uri)}`, {
        uri: shown(uri),
      });
    }
    const { mimeType } = found;
    const frame = { uri, ...(mimeType === undefined ? {} : { mimeType }) };
    return {
      contents: [
        'text' in found ? { ...frame, text: found.text } : { ...frame, blob: toBase64(found.bytes) },
      ],
    };
  }

  /** `resources/directory/read` @throws ProtocolError -32602 */
  async readDirectory({ params }: HandledRequest, context: ServerContext): Promise<Result> {
    const uri = uriOf(params);
    const cursor = cursorOf(params);
    const page = this.#isOurs(uri)
      ? await this.#guarded(uri, async () => this.#source.readDirectory?.(uri, cursor, context))
      : undefined;
    if (page === undefined) {
      throw new ProtocolError(ErrorCode.InvalidParams, `${shown(uri)} is no folder`, { uri: shown(uri) });
    }
    const resources = page.resources.filter((resource) => this.#isListed(resource));
    return { resources, ...nextOf(page), ...this.#caching(context) };
  }

  /** What `resources/list` shows of the skills. */
  async resources(context: ServerContext): Promise<Resource[]> {
    const listed = await this.#guarded('resources/list', async () => this.#source.listResources?.(context));
    return (listed ?? []).filter((resource) => this.#isListed(resource));
  }

  /** Only URIs that have one meaning reach the source. */
  #isOurs(uri: string): boolean {
    return uri.startsWith(this.baseUri) && uriKey(uri) !== undefined;
  }

  #isServed(skill: Skill): boolean {
    const fault = skillFault(skill) ?? this.#outside(skill.uri);
    return fault === undefined ? true : this.#refuse(String(skill.uri), fault);
  }

  #isListed(resource: Resource): boolean {
    if (isResource(resource)) return true;
    return this.#refuse(this.baseUri, 'the source listed something that is no resource');
  }

  #outside(uri: string): string | undefined {
    return uri.startsWith(this.baseUri) ? undefined : `its uri does not begin with ${this.baseUri}`;
  }

  /** @returns false @throws ProtocolError under `strict` */
  #refuse(path: string, message: string): boolean {
    this.#warn({ path: shown(path), message });
    if (this.#options.strict === true) throw internal();
    return false;
  }

  #caching(context: ServerContext): Result {
    if (context.client.era !== 'modern') return {};
    const { ttlMs = 0, cacheScope = 'private' } = this.#options.cacheHint ?? {};
    return { ttlMs, cacheScope };
  }

  /** What a program throws is not for its callers to read. */
  async #guarded<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isProtocolError(error)) throw error;
      const message = error instanceof Error ? error.message : 'the source failed';
      this.#warn({ path: shown(path), message });
      throw internal();
    }
  }
}

const internal = (): ProtocolError => new ProtocolError(ErrorCode.InternalError, 'Internal error');
const shown = (uri: string): string => uri.slice(0, MAX_URI);

const nextOf = ({ nextCursor }: { nextCursor?: string }): { nextCursor?: string } =>
  nextCursor === undefined ? {} : { nextCursor };

/** @throws ProtocolError -32602 */
function uriOf({ uri }: HandledRequest['params']): string {
  if (typeof uri === 'string') return uri;
  throw new ProtocolError(ErrorCode.InvalidParams, 'This needs a URI.');
}

/** @throws ProtocolError -32602 */
function cursorOf({ cursor }: HandledRequest['params']): { cursor?: string } {
  if (cursor === undefined) return {};
  if (typeof cursor === 'string') return { cursor };
  throw new ProtocolError(ErrorCode.InvalidParams, 'The cursor is not one of this list.');
}
