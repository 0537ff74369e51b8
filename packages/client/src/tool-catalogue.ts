import type { CallToolResult, ParamHeaderRules, Tool } from '@portico/spec';
import { SdkError } from './errors.ts';
import type { DroppedListItem, WholeList } from './list-walk.ts';
import type { ToolHeaders } from './tool-headers.ts';

/** Says what is wrong with a value; undefined when nothing is. */
export type SchemaCheck = (value: unknown) => string | undefined;

/** Makes a check of a JSON Schema. @throws anything when the schema cannot be used */
export type CompileSchema = (schema: object) => Promise<SchemaCheck>;

/** How arguments of tools that ask for it are repeated in headers over modern HTTP. */
export interface ParamHeaderOptions extends ParamHeaderRules {
  /**
   * Whether they are. By default everywhere but in browsers, which ask other origins about each header
   * before they send it and are refused.
   */
  readonly mirror?: boolean;
}

/** What the entries of a catalogue share. */
interface CatalogueRules {
  readonly compile: CompileSchema;
  readonly headers: ParamHeaderOptions;
}

/** A tool as calls of it need it. */
export class CatalogueEntry {
  readonly tool: Tool;
  readonly #rules: CatalogueRules;
  #headers: ToolHeaders | undefined;
  #check: SchemaCheck | undefined;
  #preparing: Promise<void> | undefined;

  constructor(tool: Tool, rules: CatalogueRules) {
    this.tool = tool;
    this.#rules = rules;
  }

  /** The arguments that headers repeat; nothing when the tool asks for none. */
  headersFor(args: unknown): Readonly<Record<string, string>> | undefined {
    return this.#headers?.(args);
  }

  /** Has to come before `headersFor`, once; calls after that have nothing to wait for. */
  prepareHeaders(): Promise<void> | undefined {
    const { headers } = this.#rules;
    if (this.#headers !== undefined || !(headers.mirror ?? !('document' in globalThis))) return undefined;
    return this.#findHeaders(headers);
  }

  async #findHeaders(rules: ParamHeaderRules): Promise<void> {
    const { headersOf } = await import('./tool-headers.ts');
    this.#headers ??= headersOf(this.tool, rules);
  }

  /**
   * Makes the check of the tool's results, once; calls after that have nothing to wait for.
   *
   * @throws SdkError `INVALID_SCHEMA`
   */
  prepare(): Promise<void> | undefined {
    if (this.#check !== undefined || this.tool.outputSchema === undefined) return undefined;
    this.#preparing ??= this.#prepare(this.tool.outputSchema);
    return this.#preparing;
  }

  async #prepare(schema: object): Promise<void> {
    try {
      this.#check = await this.#rules.compile(schema);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'its schema cannot be used';
      throw new SdkError('INVALID_SCHEMA', {
        message: `results of ${this.tool.name} cannot be checked: ${reason}`,
        data: { tool: this.tool.name },
        cause: error,
      });
    }
  }

  /**
   * Checks what a call came to. Results that say they are errors are let through.
   *
   * @throws SdkError `INVALID_RESULT` when the structured part is missing or does not fit
   */
  verify(result: CallToolResult): void {
    if (this.#check === undefined || result.isError === true) return;
    const { structuredContent } = result;
    if (structuredContent === undefined) throw this.#misfit('it has no structured content');
    const fault = this.#check(structuredContent);
    if (fault !== undefined) throw this.#misfit(fault);
  }

  #misfit(fault: string): SdkError {
    const { name } = this.tool;
    return new SdkError('INVALID_RESULT', {
      message: `the result of ${name} does not fit its output schema: ${fault}`,
      data: { tool: name },
    });
  }
}

/**
 * The tools that are known of a server. Changes only as a whole, after a whole list was read; who holds
 * an entry keeps it.
 */
export class ToolCatalogue {
  readonly #rules: CatalogueRules;
  #byName: ReadonlyMap<string, { readonly tool: Tool; entry: CatalogueEntry | undefined }> = new Map();

  constructor(compile: CompileSchema, headers: ParamHeaderOptions = {}) {
    this.#rules = { compile, headers };
  }

  /** The entry of a tool; undefined when it was in no list. */
  entry(name: string): CatalogueEntry | undefined {
    const known = this.#byName.get(name);
    if (known === undefined) return undefined;
    // The same tool as before keeps what was made of its schemas.
    if (JSON.stringify(known.entry?.tool) !== JSON.stringify(known.tool)) {
      known.entry = new CatalogueEntry(known.tool, this.#rules);
    }
    return known.entry;
  }

  /** An entry for a tool that the caller knows from elsewhere. */
  foreign(tool: Tool): CatalogueEntry {
    return new CatalogueEntry(tool, this.#rules);
  }

  /** Whether a tool changed is looked at when it is called: lists come more often than that. */
  learn(tools: readonly Tool[]): void {
    const before = this.#byName;
    this.#byName = new Map(tools.map((tool) => [tool.name, { tool, entry: before.get(tool.name)?.entry }]));
  }

  forget(): void {
    this.#byName = new Map();
  }
  /**
   * Leaves out the tools whose marks for headers break the rules: over modern HTTP they may not be
   * offered.
   */
  async withUsableHeaders(list: WholeList<'tools/list'>): Promise<WholeList<'tools/list'>> {
    const { headerFault } = await import('./tool-headers.ts');
    const dropped: DroppedListItem[] = [];
    const items = list.items.filter((tool) => {
      const reason = headerFault(tool, this.#rules.headers);
      if (reason !== undefined) dropped.push({ name: tool.name, reason });
      return reason === undefined;
    });
    return dropped.length === 0 ? list : { ...list, items, dropped: [...list.dropped, ...dropped] };
  }
}
