import { ErrorCode, ProtocolError } from '@portico/rpc';
import type {
  GetPromptResult,
  Icon,
  InputRequiredResult,
  ListPromptsResult,
  Prompt,
  PromptArgument,
} from '@portico/spec';
import type { ServerContext } from '../context.ts';
import type { SchemaCompiler } from '../schema/schema-compiler.ts';
import type { InferArguments, JsonSchema, SchemaDefinition } from '../schema/standard-schema.ts';
import { withScopes } from '../scopes/changed-scopes.ts';
import type { ScopeChallengeHandler } from '../scopes/scope-challenge.ts';
import { pageOf } from './pages.ts';
import type { Registration, Registry } from './registry.ts';

type PromptOutcome = GetPromptResult | InputRequiredResult;

/** A prompt's function: with its arguments when it has a schema, else with the context only. */
export type PromptCallback<Args extends SchemaDefinition | undefined = undefined> =
  Args extends SchemaDefinition
    ? (args: InferArguments<Args>, context: ServerContext) => PromptOutcome | Promise<PromptOutcome>
    : (context: ServerContext) => PromptOutcome | Promise<PromptOutcome>;

/** What clients are told of a prompt. */
export interface PromptConfig<Args extends SchemaDefinition | undefined = undefined> {
  readonly title?: string;
  readonly description?: string;
  /** Arguments; all of them are text on the wire. */
  readonly argsSchema?: Args;
  readonly icons?: readonly Icon[];
  /** Scopes that getting it needs, over HTTP. */
  readonly scopeChallenge?: ScopeChallengeHandler;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface PromptRecord {
  readonly config: PromptConfig<SchemaDefinition | undefined>;
  readonly run: (args: unknown, context: ServerContext) => unknown;
}

/** Handle of a registered prompt. Each change is announced to clients. */
export interface RegisteredPrompt extends PromptConfig<SchemaDefinition | undefined> {
  readonly name: string;
  readonly enabled: boolean;
  enable(): void;
  disable(): void;
  update(
    updates: Omit<PromptConfig<SchemaDefinition | undefined>, 'scopeChallenge'> & {
      /** A new name; null removes the prompt. */
      readonly name?: string | null;
      readonly callback?: (args: never, context: ServerContext) => PromptOutcome | Promise<PromptOutcome>;
      readonly enabled?: boolean;
      /** Null takes the need for scopes away. */
      readonly scopeChallenge?: ScopeChallengeHandler | null;
    },
  ): void;
  remove(): void;
}

export function promptRecord(
  config: PromptConfig<SchemaDefinition | undefined>,
  callback: unknown,
): PromptRecord {
  const call = callback as (...given: unknown[]) => unknown;
  return {
    config,
    run:
      config.argsSchema === undefined
        ? (_args, context) => call(context)
        : (args, context) => call(args, context),
  };
}

export function promptHandle(registration: Registration<PromptRecord>, callback: unknown): RegisteredPrompt {
  let current = callback;
  const handle = {
    get name() {
      return registration.key;
    },
    get enabled() {
      return registration.enabled;
    },
    enable: () => registration.change({ enabled: true }),
    disable: () => registration.change({ enabled: false }),
    remove: () => registration.change({ key: null }),
    update({
      name,
      enabled,
      callback: next,
      scopeChallenge,
      ...changed
    }: Parameters<RegisteredPrompt['update']>[0]) {
      if (next !== undefined) current = next;
      const config = { ...withScopes(registration.value.config, scopeChallenge), ...changed };
      registration.change({ key: name, enabled, value: promptRecord(config, current) });
    },
  };
  const members = ['title', 'description', 'argsSchema', 'icons', 'scopeChallenge', '_meta'] as const;
  for (const member of members) {
    Object.defineProperty(handle, member, {
      enumerable: true,
      get: () => registration.value.config[member],
    });
  }
  return handle;
}

export interface PromptHandlersOptions {
  readonly prompts: Registry<PromptRecord>;
  readonly compiler: () => SchemaCompiler;
  readonly pageSize: number | undefined;
  readonly report: (error: Error) => void;
}

/** Listing and getting of registered prompts. */
export class PromptHandlers {
  readonly #options: PromptHandlersOptions;

  constructor(options: PromptHandlersOptions) {
    this.#options = options;
  }

  /** `prompts/list`. A prompt with an unusable schema is left out and reported. */
  list(cursor: unknown): ListPromptsResult {
    const { prompts, pageSize, report } = this.#options;
    const all: Prompt[] = [];
    for (const { key, value } of prompts.list()) {
      try {
        all.push(this.#describe(key, value));
      } catch (error) {
        report(error instanceof Error ? error : new TypeError(String(error)));
      }
    }
    const { items, nextCursor } = pageOf(all, cursor, { revision: prompts.revision, pageSize });
    return { prompts: [...items], ...(nextCursor === undefined ? {} : { nextCursor }) };
  }

  /** `prompts/get`. @throws ProtocolError -32602 unknown prompt or arguments that do not fit */
  async get(params: Readonly<Record<string, unknown>>, context: ServerContext): Promise<PromptOutcome> {
    const { name, arguments: given = {} } = params;
    if (typeof name !== 'string') throw invalid('Getting a prompt needs its name.');
    const prompt = this.#options.prompts.find(name);
    if (prompt === undefined) throw invalid(`Unknown prompt: ${name}`);
    const { argsSchema } = prompt.config;
    if (argsSchema === undefined) return (await prompt.run(undefined, context)) as PromptOutcome;
    const verdict = await this.#options.compiler().compile(argsSchema, 'input').validate(given);
    if (!verdict.ok) throw invalid(`Invalid arguments for prompt ${name}: ${verdict.message}`);
    return (await prompt.run(verdict.value, context)) as PromptOutcome;
  }

  #describe(name: string, { config }: PromptRecord): Prompt {
    const { argsSchema, icons, title, description, _meta } = config;
    const prompt: Prompt = { name };
    if (title !== undefined) prompt.title = title;
    if (description !== undefined) prompt.description = description;
    if (icons !== undefined) prompt.icons = [...icons];
    if (_meta !== undefined) prompt._meta = _meta;
    if (argsSchema !== undefined) {
      prompt.arguments = promptArguments(this.#options.compiler().compile(argsSchema, 'input').json);
    }
    return prompt;
  }
}

/** The argument list that an object schema stands for. */
export function promptArguments(schema: JsonSchema): PromptArgument[] {
  const { properties, required } = schema;
  if (typeof properties !== 'object' || properties === null) return [];
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties as Record<string, unknown>).map(([name, field]) => {
    const { title, description } = (field ?? {}) as Readonly<Record<string, unknown>>;
    return {
      name,
      ...(typeof title === 'string' ? { title } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      required: needed.includes(name),
    };
  });
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, message);
}
