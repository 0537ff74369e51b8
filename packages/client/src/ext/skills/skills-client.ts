import { isResource } from '@portico/spec';
import type { ReadResourceResult } from '@portico/spec';
import {
  RESOURCES_DIRECTORY_READ_METHOD,
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
  resolveReference,
  skillFault,
  skillPlaceOf,
  skillsCapabilityOf,
  uriKey,
} from '@portico/spec/skills';
import type { DirectoryResource, Skill, SkillCacheScope, SkillResourceEntry } from '@portico/spec/skills';
import type { Client } from '../../client.ts';
import { SdkError } from '../../errors.ts';
import type { CacheableRequestOptions } from '../../list-reader.ts';
import type { RequestOptions } from '../../request-options.ts';
import { checkBytes, checkInstructions } from './skill-check.ts';
import type { ParseFrontmatter } from './skill-check.ts';
import { contentOf } from './skill-content.ts';
import { invalidEntries, sortEntries } from './skill-entries.ts';
import type { InvalidSkillEntry } from './skill-entries.ts';
import { assertSize, assertWithinLimits } from './skill-limits.ts';
import type { SkillLimits } from './skill-limits.ts';
import { cachingFieldsOf, readAllPages, readPage } from './skill-pages.ts';
import { SkillVerificationError } from './skill-verification-error.ts';

export interface SkillsClientOptions {
  /**
   * Reads the YAML between the hyphens of a `SKILL.md`, with LF at the ends of lines, in place of the
   * built-in reader (core schema of YAML 1.2). What it throws is a failed verification.
   */
  parseFrontmatter?: ParseFrontmatter;
  /** `list()` returns entries that cannot be used in `invalid` instead of throwing. Default false. */
  skipInvalid?: boolean;
  /** What is read of one skill at most; larger ones are listed, and declined when they are read. */
  limits?: SkillLimits;
}

/** Skills of a server. */
export interface SkillListing {
  skills: Skill[];
  /** Refused entries; only with `skipInvalid`. */
  invalid: InvalidSkillEntry[];
  /** Only when a single page was asked for. */
  nextCursor?: string;
  /** Of the first page; on modern wires only. Milliseconds. */
  ttlMs?: number;
  cacheScope?: SkillCacheScope;
}

/** A file of a skill that was read and checked. */
export interface SkillFile {
  /** As it was asked for: as the entry spells it, or for a dynamic skill as the reference resolves. */
  uri: string;
  mimeType?: string;
  /** Exactly the bytes that the entry speaks of. */
  bytes: Uint8Array;
  /** When the server sent text, and always for the skill's own `SKILL.md`. */
  text?: string;
  /** Whether size and digest were checked; false for dynamic skills. */
  verified: boolean;
  /** Of the skill's own `SKILL.md` only; equal to the entry's. */
  frontmatter?: Record<string, unknown>;
  /** Of the skill's own `SKILL.md` only: what follows the frontmatter. */
  body?: string;
}

/** A file that is to be read. */
interface Target {
  readonly uri: string;
  /** What is listed of it; nothing for dynamic skills. */
  readonly listed: SkillResourceEntry | undefined;
  /** Whether it is the skill's own `SKILL.md`. */
  readonly isMain: boolean;
}

/**
 * The host's side of the skills extension, for one connection: lists, gets and reads skills, and holds
 * every file against its entry. Nothing is fetched before it is asked for, and nothing is kept here. It
 * is for the host to ask the person, to say where a skill is from, and to gate what a skill makes happen:
 * a match of digests says that entry and file fit, not that either is to be trusted.
 *
 * Calls throw what `Client` throws, `NOT_CONNECTED` included.
 */
export class SkillsClient {
  readonly #client: Client;
  readonly #options: SkillsClientOptions;

  constructor(client: Client, options: SkillsClientOptions = {}) {
    this.#client = client;
    this.#options = options;
  }

  /** Whether the server declares skills; false without a connection. */
  get supported(): boolean {
    return skillsCapabilityOf(this.#client.getServerCapabilities()) !== undefined;
  }

  /** Whether the server's folders can be read. */
  get directoryRead(): boolean {
    return skillsCapabilityOf(this.#client.getServerCapabilities())?.directoryRead === true;
  }

  /**
   * The skills of the server: all pages, at most the client's `listMaxPages`, or the page of the cursor.
   * A list may be empty or partial although there are skills. Resolves empty when the server declares
   * none.
   *
   * @throws SdkError `INVALID_RESULT` naming each entry that cannot be used and each copy of one that is
   *   there twice (with `skipInvalid` they are returned), and for modern pages without caching fields;
   *   `LIST_PAGINATION_EXCEEDED`
   */
  async list(params: { cursor?: string } = {}, options?: RequestOptions): Promise<SkillListing> {
    this.#requireConnected();
    if (!this.supported) return { skills: [], invalid: [] };
    const request = { method: SKILLS_LIST_METHOD, member: 'skills' };
    const { cursor } = params;
    const page =
      cursor === undefined
        ? await readAllPages(this.#client, request, options)
        : await readPage(this.#client, { ...request, params: { cursor } }, options);
    const { skills, invalid } = sortEntries(page.items);
    if (invalid.length > 0 && this.#options.skipInvalid !== true) throw invalidEntries(invalid);
    const next = 'nextCursor' in page ? { nextCursor: page.nextCursor as string } : {};
    return { skills, invalid, ...next, ...page.caching };
  }

  /**
   * The entry of one skill as the server has it now, listed or not.
   *
   * @param uri of its `SKILL.md`
   * @throws ProtocolError -32602 when the server has no such skill
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` before anything is sent; `INVALID_RESULT` for an entry
   *   that cannot be used or is of another skill, and without caching fields on modern wires
   */
  async get(
    uri: string,
    options?: RequestOptions,
  ): Promise<{ skill: Skill; ttlMs?: number; cacheScope?: SkillCacheScope }> {
    this.#requireSkills(SKILLS_GET_METHOD);
    const result = await this.#client.invoke(SKILLS_GET_METHOD, { uri }, options);
    const { skill } = result;
    const fault = skillFault(skill);
    if (fault !== undefined) throw invalidEntry(`the entry of ${uri} cannot be used: ${fault}`);
    const found = skill as Skill;
    if (found.uri !== uri && uriKey(found.uri) !== uriKey(uri)) {
      throw invalidEntry(`the entry of ${uri} is one of another skill`);
    }
    return { skill: found, ...cachingFieldsOf(this.#client, SKILLS_GET_METHOD, result) };
  }

  /**
   * Reads one file of a skill and holds it against the entry, which should be one of `list()` or `get()`.
   * A copy from the client's cache that does not fit is fetched once more.
   *
   * @param reference path from the skill's folder, or a whole URI; its `SKILL.md` by default
   * @throws TypeError for an entry that cannot be used, before anything is sent
   * @throws SkillVerificationError (`INVALID_RESULT`) when a check fails; reasons `unlisted` and `limits`
   *   come before anything is sent
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` before anything is sent; `INVALID_RESULT` when the answer
   *   is not about the file
   */
  async read(skill: Skill, reference?: string, options: CacheableRequestOptions = {}): Promise<SkillFile> {
    const fault = skillFault(skill);
    if (fault !== undefined) throw new TypeError(`this is no entry of a skill: ${fault}`);
    assertWithinLimits(skill, this.#options.limits ?? {});
    const target = targetOf(skill, reference);
    this.#requireSkills('resources/read');
    const source = { isKept: false };
    const given = {
      ...options,
      oncached: () => {
        source.isKept = true;
        options.oncached?.();
      },
    };
    const { uri } = target;
    try {
      return await this.#checked(skill, target, await this.#client.readResource({ uri }, given));
    } catch (error) {
      // What a cache holds may be of an earlier version of the skill.
      if (!source.isKept || !isInvalid(error)) throw error;
      const fresh = await this.#client.readResource({ uri }, { ...options, cacheMode: 'refresh' });
      return this.#checked(skill, target, fresh);
    }
  }

  /**
   * The children of a folder, all pages. What is not listed in a skill's entry does not belong to the
   * skill, whatever a folder shows.
   *
   * @throws ProtocolError -32602 when it is no folder
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` before anything is sent, `INVALID_RESULT`,
   *   `LIST_PAGINATION_EXCEEDED`
   */
  async readDirectory(
    uri: string,
    options?: RequestOptions,
  ): Promise<{ resources: DirectoryResource[]; ttlMs?: number; cacheScope?: SkillCacheScope }> {
    const method = RESOURCES_DIRECTORY_READ_METHOD;
    this.#requireSkills(method);
    if (!this.directoryRead) throw unsupported(method, 'directoryRead');
    const request = { method, member: 'resources', params: { uri } };
    const { items, caching } = await readAllPages(this.#client, request, options);
    if (!items.every(isResource)) throw invalidEntry(`the folder ${uri} has a child that is no resource`);
    return { resources: items as DirectoryResource[], ...caching };
  }

  async #checked(skill: Skill, target: Target, result: ReadResourceResult): Promise<SkillFile> {
    const { uri, listed, isMain } = target;
    const { limits = {}, parseFrontmatter } = this.#options;
    const content = contentOf(result, uri);
    const { bytes, mimeType, text } = content;
    if (listed === undefined) assertSize(uri, bytes.length, limits);
    else await checkBytes(bytes, listed);
    const main = isMain ? await checkInstructions(content, skill, parseFrontmatter) : {};
    return {
      uri,
      bytes,
      ...(mimeType === undefined ? {} : { mimeType }),
      ...(text === undefined ? {} : { text }),
      ...main,
      verified: listed !== undefined,
    };
  }

  #requireConnected(): void {
    if (this.#client.getProtocolEra() === undefined) throw new SdkError('NOT_CONNECTED');
  }

  #requireSkills(method: string): void {
    this.#requireConnected();
    if (!this.supported) throw unsupported(method);
  }
}

/** @throws SkillVerificationError `unlisted` */
function targetOf(skill: Skill, reference: string | undefined): Target {
  const place = skillPlaceOf(skill.uri);
  const files =
    place === undefined || reference === undefined
      ? [{ key: uriKey(skill.uri), uri: skill.uri }]
      : resolveReference(place, reference);
  for (const { key, uri } of files) {
    const isMain = key === place?.key;
    if (skill.resources === 'dynamic') return { uri, listed: undefined, isMain };
    const listed = skill.resources.find((file) => uriKey(file.uri) === key);
    if (listed !== undefined) return { uri: listed.uri, listed, isMain };
  }
  const asked = (files[0]?.uri ?? reference ?? skill.uri).slice(0, MAX_REFERENCE);
  throw new SkillVerificationError('unlisted', asked, `${asked} is no file of ${skill.uri}`);
}

/** Longest foreign reference in an error, characters. */
const MAX_REFERENCE = 1_000;

const isInvalid = (error: unknown): boolean => error instanceof SdkError && error.code === 'INVALID_RESULT';

const invalidEntry = (message: string): SdkError => new SdkError('INVALID_RESULT', { message });

function unsupported(method: string, setting?: string): SdkError {
  const path = ['extensions', SKILLS_EXTENSION_ID, ...(setting === undefined ? [] : [setting])];
  return new SdkError('CAPABILITY_NOT_SUPPORTED', {
    message: `the server does not declare ${path.slice(1).join(' ')}, which ${method} needs`,
    data: { capability: path.join('.'), method },
  });
}
