import { ErrorCode, ProtocolError, isPromiseLike, isProtocolError } from '@portico/rpc';
import {
  codecFor,
  ProtocolErrorCode,
  type CallToolResult,
  type ContentBlock,
  type InputRequiredResult,
  isRecord,
  type Tool,
} from '@portico/spec';
import { onTaskOutcome, type ServerContext } from '../context.ts';
import { knowsPages } from '../client-request.ts';
import { isInputRequired } from '../input-required.ts';
import type { Validation } from '../schema/plain-schema.ts';
import type { SchemaCompiler } from '../schema/schema-compiler.ts';
import type { JsonSchema, SchemaDefinition } from '../schema/standard-schema.ts';
import { boxedSchema, boxedValue, hasObjectRoot } from './output-schema.ts';
import { pageOf } from './pages.ts';
import type { Registry } from './registry.ts';
import { type ToolRecord, runTool } from './tool-registration.ts';

/** Where a thrown protocol error's number and data survive in the error result. */
const TOOL_ERROR_META_KEY = 'portico/error';

const NO_ARGUMENTS: JsonSchema = { type: 'object', properties: {} };

/**
 * Errors that reach the caller as JSON-RPC errors even when a tool throws them: a missing capability,
 * and pages to open first where the revision has an error for them.
 */
function passes({ code, received }: ProtocolError, context: ServerContext): boolean {
  // What another server missed in its client says nothing of this one's.
  if (code === ProtocolErrorCode.MissingRequiredClientCapability) return received !== true;
  if (code !== ProtocolErrorCode.UrlElicitationRequired || context.client.era === 'modern') return false;
  const codec = codecFor(context.client.protocolVersion);
  return codec !== undefined && knowsPages(codec);
}

export interface ToolHandlersOptions {
  readonly tools: Registry<ToolRecord>;
  /** Asked for each time, since a handler may share one among many servers. */
  readonly compiler: () => SchemaCompiler;
  readonly pageSize: number | undefined;
  /** Told about tools left out of the list because of their schema. */
  readonly report: (error: Error) => void;
}

type CallOutcome = CallToolResult | InputRequiredResult;

/** Listing and calling of registered tools. */
export class ToolHandlers {
  readonly #options: ToolHandlersOptions;
  #listed: { revision: number; legacy: Tool[]; modern: Tool[] } | undefined;

  constructor(options: ToolHandlersOptions) {
    this.#options = options;
  }

  /** `tools/list`. The list is put together once per change. */
  list(cursor: unknown, context: ServerContext): { tools: Tool[]; nextCursor?: string } {
    const { tools, pageSize } = this.#options;
    const { items, nextCursor } = pageOf(this.#list()[context.client.era], cursor, {
      revision: tools.revision,
      pageSize,
    });
    return nextCursor === undefined ? { tools: [...items] } : { tools: [...items], nextCursor };
  }

  /**
   * `tools/call`. Whatever goes wrong inside the tool becomes an error result; only a call that
   * names no tool, or is no call, is a protocol error. Tools that answer at once are answered at once.
   * @throws ProtocolError -32602 unknown tool or malformed params; -32603 unusable schema
   */
  call(
    params: Readonly<Record<string, unknown>>,
    context: ServerContext,
  ): CallOutcome | Promise<CallOutcome> {
    const { name, arguments: given = {} } = params;
    if (typeof name !== 'string') throw invalid('A tool call needs the name of a tool.');
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw invalid(`The arguments for ${name} are no object.`);
    }
    const tool = this.#options.tools.find(name);
    if (tool === undefined) throw invalid(`Unknown tool: ${name}`);
    const { inputSchema } = tool.config;
    if (inputSchema === undefined) return this.#run(name, { tool, args: undefined, context });
    const checking = this.#check(name, inputSchema, given);
    const checked = (verdict: Validation): CallOutcome | Promise<CallOutcome> =>
      verdict.ok
        ? this.#run(name, { tool, args: verdict.value, context })
        : failure(`Invalid arguments for tool ${name}: ${verdict.message}`);
    return checking instanceof Promise ? checking.then(checked) : checked(checking);
  }

  /** The advertised input schema of a tool, for checks that come before the call. */
  inputSchema(name: string): JsonSchema | undefined {
    const definition = this.#options.tools.find(name)?.config.inputSchema;
    if (definition === undefined) return undefined;
    try {
      return this.#options.compiler().compile(definition, 'input').json;
    } catch {
      // The call itself reports an unusable schema, with the tool's name.
      return undefined;
    }
  }

  #run(
    name: string,
    { tool, args, context }: { tool: ToolRecord; args: unknown; context: ServerContext },
  ): CallOutcome | Promise<CallOutcome> {
    if (context.tasks !== undefined) {
      onTaskOutcome(context, (work) => this.#finishTask(name, { tool, work, context }));
    }
    const answer = (outcome: unknown): CallOutcome | Promise<CallOutcome> => {
      if (isInterim(outcome)) return outcome;
      if (tool.config.outputSchema === undefined && isPlainResult(outcome)) return outcome;
      return this.#finish(name, { tool, outcome, context });
    };
    let outcome: unknown;
    try {
      outcome = runTool(tool, args, context);
    } catch (error) {
      return failureOf(error, context);
    }
    if (!isPromiseLike(outcome)) return answer(outcome);
    return Promise.resolve(outcome).then(answer, (error: unknown) => failureOf(error, context));
  }

  #check(name: string, schema: SchemaDefinition, given: object): Validation | Promise<Validation> {
    const unusable = (error: unknown): never => {
      throw new ProtocolError(
        ErrorCode.InternalError,
        `The input schema of tool ${name} cannot be used: ${messageOf(error)}`,
      );
    };
    try {
      const verdict = this.#options.compiler().compile(schema, 'input').validate(given);
      return verdict instanceof Promise ? verdict.catch(unusable) : verdict;
    } catch (error) {
      return unusable(error);
    }
  }

  /** A task ends as its call would have; only protocol errors make it fail. */
  async #finishTask(
    name: string,
    given: { tool: ToolRecord; work: () => Promise<object>; context: ServerContext },
  ): Promise<CallToolResult> {
    let outcome: unknown;
    try {
      outcome = await given.work();
    } catch (error) {
      if (isProtocolError(error)) throw error;
      return failureOf(error, given.context);
    }
    return this.#finish(name, { ...given, outcome });
  }

  async #finish(
    name: string,
    { tool, outcome, context }: { tool: ToolRecord; outcome: unknown; context: ServerContext },
  ): Promise<CallToolResult> {
    if (!isRecord(outcome)) return failure(`Tool ${name} returned no result.`);
    const result = outcome as Partial<CallToolResult>;
    const { outputSchema } = tool.config;
    const failed = result.isError === true;
    let json: JsonSchema | undefined;
    if (outputSchema !== undefined) {
      // A failure need not keep the promise, but what it has is still boxed like any value of the tool.
      const refusal = failed
        ? undefined
        : await this.#checkOutput(name, outputSchema, result.structuredContent);
      if (refusal !== undefined) return failure(refusal);
      if (context.client.era === 'legacy' && result.structuredContent !== undefined) {
        json = this.#options.compiler().compile(outputSchema, 'output').json;
      }
    }
    return withStructuredText(result, context, json);
  }

  async #checkOutput(name: string, schema: SchemaDefinition, value: unknown): Promise<string | undefined> {
    if (value === undefined) return `Tool ${name} promises structured content but returned none.`;
    try {
      const verdict = await this.#options.compiler().compile(schema, 'output').validate(value);
      if (verdict.ok) return undefined;
      return `Tool ${name} returned content that does not fit its output schema: ${verdict.message}`;
    } catch (error) {
      return `The output schema of tool ${name} cannot be used: ${messageOf(error)}`;
    }
  }

  #list(): { legacy: Tool[]; modern: Tool[] } {
    const { tools, report } = this.#options;
    if (this.#listed?.revision === tools.revision) return this.#listed;
    const modern: Tool[] = [];
    const legacy: Tool[] = [];
    for (const { key, value } of tools.list()) {
      try {
        const tool = this.#describe(key, value);
        modern.push(tool);
        legacy.push(legacyForm(tool));
      } catch (error) {
        report(error instanceof Error ? error : new TypeError(String(error)));
      }
    }
    this.#listed = { revision: tools.revision, legacy, modern };
    return this.#listed;
  }

  #describe(name: string, { config }: ToolRecord): Tool {
    const compiler = this.#options.compiler();
    const { inputSchema, outputSchema, ...described } = config;
    const input = inputSchema === undefined ? NO_ARGUMENTS : compiler.compile(inputSchema, 'input').json;
    const tool: Record<string, unknown> = { name, ...defined(described), inputSchema: input };
    if (outputSchema !== undefined) {
      tool['outputSchema'] = compiler.compile(outputSchema, 'output').json;
    }
    return tool as unknown as Tool;
  }
}

function legacyForm(tool: Tool): Tool {
  const { outputSchema } = tool;
  if (outputSchema === undefined || hasObjectRoot(outputSchema)) return tool;
  return { ...tool, outputSchema: boxedSchema(outputSchema) };
}

/** Structured values travel together with text, so that clients without structure see them too. */
function withStructuredText(
  result: Partial<CallToolResult>,
  context: ServerContext,
  schema: JsonSchema | undefined,
): CallToolResult {
  const { structuredContent } = result;
  if (structuredContent === undefined) return withContent(result);
  const content = result.content ?? [];
  const hasText = content.some((block) => block.type === 'text');
  const text: ContentBlock = { type: 'text', text: JSON.stringify(structuredContent) };
  const structured =
    context.client.era === 'legacy' ? boxedValue(structuredContent, schema) : structuredContent;
  return {
    ...result,
    content: hasText ? content : [...content, text],
    structuredContent: structured,
  };
}

/** Questions, and tasks in the place of a result: nothing to check yet. */
function isInterim(outcome: unknown): outcome is InputRequiredResult {
  return isInputRequired(outcome) || (isRecord(outcome) && outcome['resultType'] === 'task');
}

/** A result that needs neither a check nor a text beside a structured value. */
function isPlainResult(outcome: unknown): outcome is CallToolResult {
  return isRecord(outcome) && Array.isArray(outcome['content']) && outcome['structuredContent'] === undefined;
}

function withContent(result: Partial<CallToolResult>): CallToolResult {
  return { ...result, content: result.content ?? [] };
}

function failure(text: string, meta?: Readonly<Record<string, unknown>>): CallToolResult {
  const result: CallToolResult = { content: [{ type: 'text', text }], isError: true };
  return meta === undefined ? result : { ...result, _meta: meta };
}

function failureOf(error: unknown, context: ServerContext): CallToolResult {
  if (!isProtocolError(error)) return failure(messageOf(error));
  if (passes(error, context)) throw error;
  const { code, data } = error;
  return failure(error.message, {
    [TOOL_ERROR_META_KEY]: data === undefined ? { code } : { code, data },
  });
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, message);
}

function messageOf(error: unknown): string {
  if (error instanceof Error && error.message !== '') return error.message;
  return typeof error === 'string' ? error : 'The tool failed.';
}

/** Members that are undefined would otherwise be listed as null by some encoders. */
function defined(config: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}
