import {
  RESOURCES_DIRECTORY_READ_METHOD,
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
} from '@portico/spec/skills';
import type { Skill } from '@portico/spec/skills';
import { ServerError } from '../../errors.ts';
import type { McpServer } from '../../mcp/mcp-server.ts';
import { ResourceTemplate } from '../../resource-template.ts';
import { AttachedServers } from './attached-servers.ts';
import { baseOf, buildCatalog } from './build-catalog.ts';
import { CatalogSource } from './catalog-source.ts';
import { changesBetween } from './catalog-changes.ts';
import { SkillAnswers } from './skill-answers.ts';
import { invalidOption } from './skill-catalog-error.ts';
import type { SkillCatalogChanges, SkillCatalogOptions, SkillFiles, SkillSourceOptions } from './types.ts';
import { createWarn } from './warnings.ts';

const METHODS = [SKILLS_LIST_METHOD, SKILLS_GET_METHOD, RESOURCES_DIRECTORY_READ_METHOD];
const BASE_URI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s{}?#]*$/;
/** Dot segments anywhere on a path. */
const STEPS = /(?:^|\/)\.{1,2}(?:\/|$)/;
/** What the template of the files is registered as. */
const TEMPLATE_NAME = 'skill-files';
const DEFAULT_PAGE_SIZE = 100;

/** The skills extension for one set of skills; serves any number of servers. */
export class SkillsExtension {
  readonly id: string = SKILLS_EXTENSION_ID;
  /** @internal */
  protected readonly servers: AttachedServers = new AttachedServers();
  readonly #answers: SkillAnswers;

  /**
   * Builds a catalog from files. As {@link SkillCatalog.load}.
   * @throws SkillCatalogError
   */
  static load(files: SkillFiles, options?: SkillCatalogOptions): Promise<SkillCatalog> {
    return SkillCatalog.load(files, options);
  }

  /** @throws TypeError (`INVALID_SKILLS`) for a `baseUri` that cannot be one; RangeError (`INVALID_CACHE_HINT`) */
  constructor(options: SkillSourceOptions) {
    this.#answers = new SkillAnswers(options);
    if (!BASE_URI.test(this.#answers.baseUri))
      throw invalidOption(TypeError, 'baseUri is no beginning of a URI');
  }

  /**
   * Serves these skills on a server that is not connected yet: the methods, the files as resources, and
   * the capability. A second call for the same server does nothing; one that throws has changed nothing.
   *
   * @throws ServerError `HANDLER_TAKEN` when the server serves skills already, `ALREADY_CONNECTED`,
   *   `ALREADY_REGISTERED`
   */
  attach(mcp: McpServer): void {
    if (this.servers.has(mcp)) return;
    const { server } = mcp;
    const taken = METHODS.find((method) => server.hasRequestHandler(method));
    if (taken !== undefined) {
      throw new ServerError('HANDLER_TAKEN', {
        message: `${taken} has a handler already, so these skills cannot be served`,
        data: { method: taken },
      });
    }
    if (mcp.isConnected()) throw new ServerError('ALREADY_CONNECTED');
    const answers = this.#answers;
    const { readsDirectories } = answers;
    this.#registerFiles(mcp);
    server.registerCapabilities({
      extensions: { [SKILLS_EXTENSION_ID]: readsDirectories ? { directoryRead: true } : {} },
    });
    server.setRequestHandler(SKILLS_LIST_METHOD, (request, context) => answers.list(request, context));
    server.setRequestHandler(SKILLS_GET_METHOD, (request, context) => answers.get(request, context));
    if (readsDirectories) {
      server.setRequestHandler(RESOURCES_DIRECTORY_READ_METHOD, (request, context) =>
        answers.readDirectory(request, context),
      );
    }
    this.servers.add(mcp);
  }

  #registerFiles(mcp: McpServer): void {
    const answers = this.#answers;
    const template = new ResourceTemplate(`${answers.baseUri}{+path}`, {
      list: async (context) => ({ resources: await answers.resources(context) }),
    });
    const { cacheHint } = answers;
    mcp.registerResource(
      TEMPLATE_NAME,
      template,
      {
        description: 'Files of the skills of this server',
        ...(cacheHint === undefined ? {} : { cacheHint }),
      },
      // What a URL resolves silently must not become another file.
      (uri, { path }, context) => answers.read(STEPS.test(String(path)) ? '' : uri.href, context),
    );
  }
}

/**
 * Skills that were found in files. Only what the entries say is held; every file is read when it is asked
 * for, and served only while it is the one that its entry speaks of.
 */
export class SkillCatalog extends SkillsExtension {
  readonly #source: CatalogSource;
  readonly #build: () => ReturnType<typeof buildCatalog>;
  #reloading: Promise<unknown> = Promise.resolve();

  private constructor(
    options: SkillSourceOptions,
    source: CatalogSource,
    build: () => ReturnType<typeof buildCatalog>,
  ) {
    super(options);
    this.#source = source;
    this.#build = build;
  }

  /**
   * Scans files for skills: every folder with a `SKILL.md`, below its own name.
   *
   * @throws SkillCatalogError when the storage fails or has no end, and under `strict` for any skill that
   *   breaks the rules; TypeError, RangeError (`INVALID_SKILLS`) for options that make no sense
   */
  static override async load(files: SkillFiles, options: SkillCatalogOptions = {}): Promise<SkillCatalog> {
    const { pageSize = DEFAULT_PAGE_SIZE, cacheHint, strict, onWarning } = options;
    if (pageSize !== Infinity && (!Number.isSafeInteger(pageSize) || pageSize < 1)) {
      throw invalidOption(RangeError, 'pageSize is no whole number of at least 1');
    }
    const baseUri = baseOf(options.prefix);
    const warn = createWarn(options);
    const build = (): ReturnType<typeof buildCatalog> => buildCatalog(files, options, warn);
    const source = new CatalogSource(await build(), { files, pageSize, warn });
    const given = {
      source,
      baseUri,
      ...(cacheHint === undefined ? {} : { cacheHint }),
      ...(strict === undefined ? {} : { strict }),
      ...(onWarning === undefined ? {} : { onWarning }),
    };
    return new SkillCatalog(given, source, build);
  }

  /** The skills, sorted by URI and frozen: exactly what clients get. */
  get entries(): readonly Skill[] {
    return this.#source.entries;
  }

  /**
   * Scans the files again and serves what is found from then on. When that fails, all stays as it is.
   * Calls run one after another.
   *
   * @throws SkillCatalogError as {@link SkillCatalog.load}
   */
  async reload(): Promise<SkillCatalogChanges> {
    const run = this.#reloading.then(() => this.#reload());
    this.#reloading = run.catch(() => {});
    return run;
  }

  async #reload(): Promise<SkillCatalogChanges> {
    const catalog = await this.#build();
    const changes = changesBetween(this.#source.entries, catalog.entries);
    this.#source.replace(catalog);
    if (changes.listChanged) this.servers.announce();
    return changes;
  }
}
