import type {
  CallToolResult,
  Icon,
  InputRequiredResult,
  TaskHandleResult,
  ToolAnnotations,
  ToolExecution,
} from '@portico/spec';
import type { ServerContext } from '../context.ts';
import type { InferArguments, SchemaDefinition } from '../schema/standard-schema.ts';
import type { ScopeChallengeHandler } from '../scopes/scope-challenge.ts';
import { withScopes } from '../scopes/changed-scopes.ts';
import type { Registration } from './registry.ts';

type ToolOutcome = CallToolResult | InputRequiredResult | TaskHandleResult;

/** A function with its arguments when there is a schema of them, else with the context only. */
export type BaseToolCallback<
  Outcome,
  Context,
  Input extends SchemaDefinition | undefined,
> = Input extends SchemaDefinition
  ? (args: InferArguments<Input>, context: Context) => Outcome | Promise<Outcome>
  : (context: Context) => Outcome | Promise<Outcome>;

/** A tool's function. */
export type ToolCallback<Input extends SchemaDefinition | undefined = undefined> = BaseToolCallback<
  ToolOutcome,
  ServerContext,
  Input
>;

/** A tool's function, under its other official name. */
export type AnyToolHandler<Input extends SchemaDefinition | undefined = undefined> = ToolCallback<Input>;

/** What clients are told of a tool. */
export interface ToolConfig<Input extends SchemaDefinition | undefined = undefined> {
  readonly title?: string;
  readonly description?: string;
  /** Arguments: a Standard Schema with JSON Schema form (zod 4, …) or a plain JSON Schema. */
  readonly inputSchema?: Input;
  /** Shape of `structuredContent`; results that do not fit are not sent. */
  readonly outputSchema?: SchemaDefinition;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  /** Revision 2025-11-25 only. */
  readonly execution?: ToolExecution;
  /** Scopes that calls need, over HTTP: a token that lacks some is refused before the tool runs. */
  readonly scopeChallenge?: ScopeChallengeHandler;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A registered tool as the list and the call handler see it. */
export interface ToolRecord {
  readonly config: ToolConfig<SchemaDefinition | undefined>;
  /** Takes the checked arguments and the context; where there is no input schema, the context alone. */
  readonly callback: unknown;
}

/** What `update` changes; members left out stay. */
interface ToolUpdates extends Omit<
  ToolConfig<SchemaDefinition | undefined>,
  'inputSchema' | 'scopeChallenge'
> {
  /** A new name; null removes the tool. */
  readonly name?: string | null;
  /** A new input schema, under the name that the official SDK uses. */
  readonly paramsSchema?: SchemaDefinition;
  /** Null takes the need for scopes away. */
  readonly scopeChallenge?: ScopeChallengeHandler | null;
  readonly callback?: (args: never, context: ServerContext) => ToolOutcome | Promise<ToolOutcome>;
  readonly enabled?: boolean;
}

/** Handle of a registered tool. Each change is announced to clients. */
export interface RegisteredTool extends ToolConfig<SchemaDefinition | undefined> {
  readonly name: string;
  readonly enabled: boolean;
  enable(): void;
  disable(): void;
  /** Changes nothing when it throws. @throws ServerError `ALREADY_REGISTERED`, `INVALID_SCHEMA` */
  update(updates: ToolUpdates): void;
  remove(): void;
}

/** Refuses what could never work. @throws ServerError `INVALID_SCHEMA` */
export type AssertTool = (name: string, config: ToolConfig<SchemaDefinition | undefined>) => void;

/** Runs a tool. @param args checked; undefined when the tool has no input schema */
export function runTool({ config, callback }: ToolRecord, args: unknown, context: ServerContext): unknown {
  const call = callback as (...given: unknown[]) => unknown;
  return config.inputSchema === undefined ? call(context) : call(args, context);
}

/** The handle that `registerTool` gives out. */
export function toolHandle(registration: Registration<ToolRecord>, assertTool: AssertTool): RegisteredTool {
  return new ToolHandle(registration, assertTool) as RegisteredTool;
}

/**
 * Members are read through getters of the class, and functions made when they are taken: servers
 * made for each request register every tool each time, and mostly drop the handles.
 */
class ToolHandle {
  readonly #registration: Registration<ToolRecord>;
  readonly #assertTool: AssertTool;

  constructor(registration: Registration<ToolRecord>, assertTool: AssertTool) {
    this.#registration = registration;
    this.#assertTool = assertTool;
  }

  get name(): string {
    return this.#registration.key;
  }

  get enabled(): boolean {
    return this.#registration.enabled;
  }

  get title(): ToolRecord['config']['title'] {
    return this.#config.title;
  }

  get description(): ToolRecord['config']['description'] {
    return this.#config.description;
  }

  get inputSchema(): ToolRecord['config']['inputSchema'] {
    return this.#config.inputSchema;
  }

  get outputSchema(): ToolRecord['config']['outputSchema'] {
    return this.#config.outputSchema;
  }

  get annotations(): ToolRecord['config']['annotations'] {
    return this.#config.annotations;
  }

  get icons(): ToolRecord['config']['icons'] {
    return this.#config.icons;
  }

  get execution(): ToolRecord['config']['execution'] {
    return this.#config.execution;
  }

  get scopeChallenge(): ToolRecord['config']['scopeChallenge'] {
    return this.#config.scopeChallenge;
  }

  get _meta(): ToolRecord['config']['_meta'] {
    return this.#config._meta;
  }

  get enable(): () => void {
    return () => this.#registration.change({ enabled: true });
  }

  get disable(): () => void {
    return () => this.#registration.change({ enabled: false });
  }

  get remove(): () => void {
    return () => this.#registration.change({ key: null });
  }

  get update(): (updates: ToolUpdates) => void {
    return (updates) => this.#update(updates);
  }

  get #config(): ToolRecord['config'] {
    return this.#registration.value.config;
  }

  #update(updates: ToolUpdates): void {
    const { name, enabled, callback: next, paramsSchema, scopeChallenge, ...changed } = updates;
    const config = {
      ...withScopes(this.#config, scopeChallenge),
      ...changed,
      ...(paramsSchema === undefined ? {} : { inputSchema: paramsSchema }),
    };
    this.#assertTool(name ?? this.name, config);
    const callback = next ?? this.#registration.value.callback;
    this.#registration.change({ key: name, enabled, value: { config, callback } });
  }
}
