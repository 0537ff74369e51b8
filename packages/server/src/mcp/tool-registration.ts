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
import type { Registration } from './registry.ts';

type ToolOutcome = CallToolResult | InputRequiredResult | TaskHandleResult;

/** A tool's function: with its arguments when it has an input schema, else with the context only. */
export type ToolCallback<Input extends SchemaDefinition | undefined = undefined> =
  Input extends SchemaDefinition
    ? (args: InferArguments<Input>, context: ServerContext) => ToolOutcome | Promise<ToolOutcome>
    : (context: ServerContext) => ToolOutcome | Promise<ToolOutcome>;

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
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A registered tool as the list and the call handler see it. */
export interface ToolRecord {
  readonly config: ToolConfig<SchemaDefinition | undefined>;
  /** Takes the checked arguments, or undefined when the tool has no input schema. */
  readonly run: (args: unknown, context: ServerContext) => unknown;
}

/** What `update` changes; members left out stay. */
interface ToolUpdates extends Omit<ToolConfig<SchemaDefinition | undefined>, 'inputSchema'> {
  /** A new name; null removes the tool. */
  readonly name?: string | null;
  /** A new input schema, under the name that the official SDK uses. */
  readonly paramsSchema?: SchemaDefinition;
  readonly callback?: (args: never, context: ServerContext) => ToolOutcome | Promise<ToolOutcome>;
  readonly enabled?: boolean;
}

/** Handle of a registered tool. Each change is announced to clients. */
export interface RegisteredTool extends ToolConfig<SchemaDefinition | undefined> {
  readonly name: string;
  readonly enabled: boolean;
  enable(): void;
  disable(): void;
  update(updates: ToolUpdates): void;
  remove(): void;
}

/** A record from a config and a callback that takes one or two parameters, as the schema says. */
export function toolRecord(config: ToolConfig<SchemaDefinition | undefined>, callback: unknown): ToolRecord {
  const call = callback as (...given: unknown[]) => unknown;
  return {
    config,
    run:
      config.inputSchema === undefined
        ? (_args, context) => call(context)
        : (args, context) => call(args, context),
  };
}

/** The handle that `registerTool` gives out. */
export function toolHandle(registration: Registration<ToolRecord>, callback: unknown): RegisteredTool {
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
    update(updates: ToolUpdates): void {
      const { name, enabled, callback: next, paramsSchema, ...changed } = updates;
      if (next !== undefined) current = next;
      const config = {
        ...registration.value.config,
        ...changed,
        ...(paramsSchema === undefined ? {} : { inputSchema: paramsSchema }),
      };
      registration.change({ key: name, enabled, value: toolRecord(config, current) });
    },
  };
  const members = [
    'title',
    'description',
    'inputSchema',
    'outputSchema',
    'annotations',
    'icons',
    'execution',
    '_meta',
  ] as const;
  for (const member of members) {
    Object.defineProperty(handle, member, {
      enumerable: true,
      get: () => registration.value.config[member],
    });
  }
  return handle;
}
