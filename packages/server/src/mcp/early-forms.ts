import { isRecord, type ToolAnnotations } from '@portico/spec';
import type { ServerContext } from '../context.ts';
import type { ResourceTemplate } from '../resource-template.ts';
import { isRawShape, type RawShape } from '../schema/raw-shape.ts';
import { isStandardSchema, type StandardSchema } from '../schema/standard-schema.ts';
import type { PromptConfig } from './prompt-handlers.ts';
import type {
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  ResourceMetadata,
} from './resource-registration.ts';
import type { ToolConfig } from './tool-registration.ts';

/** With a schema the callback gets arguments and context, without one only the context. */
type EarlyCallback = (...given: never[]) => unknown;
type EarlySchema = RawShape | StandardSchema | Readonly<Record<string, never>>;

/** What may follow a tool's name; the callback comes last. */
export type EarlyToolArguments =
  | [callback: (context: ServerContext) => unknown]
  | [description: string, callback: (context: ServerContext) => unknown]
  | [schemaOrAnnotations: EarlySchema | ToolAnnotations, callback: EarlyCallback]
  | [description: string, schemaOrAnnotations: EarlySchema | ToolAnnotations, callback: EarlyCallback]
  | [schema: EarlySchema, annotations: ToolAnnotations, callback: EarlyCallback]
  | [description: string, schema: EarlySchema, annotations: ToolAnnotations, callback: EarlyCallback];

/** What may follow a resource's name. */
export type EarlyResourceArguments =
  | [uri: string, callback: ReadResourceCallback]
  | [uri: string, metadata: ResourceMetadata, callback: ReadResourceCallback]
  | [template: ResourceTemplate, callback: ReadResourceTemplateCallback]
  | [template: ResourceTemplate, metadata: ResourceMetadata, callback: ReadResourceTemplateCallback];

/** What may follow a prompt's name. */
export type EarlyPromptArguments =
  | [callback: (context: ServerContext) => unknown]
  | [description: string, callback: (context: ServerContext) => unknown]
  | [schema: EarlySchema, callback: EarlyCallback]
  | [description: string, schema: EarlySchema, callback: EarlyCallback];

/** The config and callback that `registerTool` takes for the same tool. */
export function earlyTool(rest: EarlyToolArguments): {
  readonly config: ToolConfig<StandardSchema | undefined>;
  readonly callback: unknown;
} {
  const { description, given, callback } = taken(rest);
  const [first, second] = given;
  const hasSchema = isEarlySchema(first);
  const annotations = (hasSchema ? second : first) as ToolAnnotations | undefined;
  return {
    config: {
      ...(description === undefined ? {} : { description }),
      ...(hasSchema ? { inputSchema: schemaOf(first) } : {}),
      ...(annotations === undefined ? {} : { annotations }),
    },
    callback,
  };
}

/** The config and callback that `registerPrompt` takes for the same prompt. */
export function earlyPrompt(rest: EarlyPromptArguments): {
  readonly config: PromptConfig<StandardSchema | undefined>;
  readonly callback: unknown;
} {
  const { description, given, callback } = taken(rest);
  const [schema] = given;
  return {
    config: {
      ...(description === undefined ? {} : { description }),
      ...(isEarlySchema(schema) ? { argsSchema: schemaOf(schema) } : {}),
    },
    callback,
  };
}

function taken(rest: readonly unknown[]): {
  readonly description: string | undefined;
  readonly given: readonly unknown[];
  readonly callback: unknown;
} {
  const [first] = rest;
  const description = typeof first === 'string' ? first : undefined;
  const given = rest.slice(description === undefined ? 0 : 1, -1);
  return { description, given, callback: rest.at(-1) };
}

/** An empty record is a schema without fields, not an annotation. */
function isEarlySchema(value: unknown): value is EarlySchema {
  if (isStandardSchema(value) || isRawShape(value)) return true;
  return isRecord(value) && Object.keys(value).length === 0;
}

/** Records of fields and empty ones are taken by the compiler as they are. */
function schemaOf(schema: EarlySchema): StandardSchema {
  return schema as unknown as StandardSchema;
}
