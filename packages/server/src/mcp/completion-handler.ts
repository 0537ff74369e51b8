import { ErrorCode, ProtocolError } from '@portico/rpc';
import { type CompleteResult, isRecord } from '@portico/spec';
import { type CompleteCallback, completionOf, hasCompletions } from '../completable.ts';
import type { SchemaCompiler } from '../schema/schema-compiler.ts';
import { promptArguments, type PromptRecord } from './prompt-handlers.ts';
import type { Registry } from './registry.ts';
import type { ResourceRecord, ResourceTemplateRecord } from './resource-registration.ts';

/** Most values one answer may carry. */
const MAX_VALUES = 100;

export interface CompletionOptions {
  readonly prompts: Registry<PromptRecord>;
  readonly resources: Registry<ResourceRecord>;
  readonly templates: Registry<ResourceTemplateRecord>;
  readonly compiler: () => SchemaCompiler;
}

/** True when a record can complete something, so that the capability is worth advertising. */
export function offersCompletions(record: PromptRecord | ResourceTemplateRecord): boolean {
  return 'template' in record ? record.template.hasCompletions : hasCompletions(record.config.argsSchema);
}

/**
 * `completion/complete`. A known argument without a source has no values.
 * @throws ProtocolError -32602 for an unknown reference or argument
 */
export async function complete(
  params: Readonly<Record<string, unknown>>,
  options: CompletionOptions,
): Promise<CompleteResult> {
  const { ref, argument, context } = params;
  if (!isRecord(ref) || !isRecord(argument)) throw invalid('Completion needs ref and argument.');
  const { name, value } = argument;
  if (typeof name !== 'string' || typeof value !== 'string') {
    throw invalid('The argument to complete needs a name and a value.');
  }
  const source = sourceOf(ref, name, options);
  if (source === undefined) return { completion: { values: [], hasMore: false } };
  const chosen = isRecord(context) && isRecord(context['arguments']) ? context['arguments'] : {};
  const texts = Object.entries(chosen).flatMap(([key, text]) =>
    typeof text === 'string' ? [[key, text]] : [],
  );
  const values = await source(value, {
    arguments: Object.fromEntries(texts) as Record<string, string>,
  });
  return {
    completion: {
      values: values.slice(0, MAX_VALUES),
      total: values.length,
      hasMore: values.length > MAX_VALUES,
    },
  };
}

function sourceOf(
  ref: Readonly<Record<string, unknown>>,
  argument: string,
  options: CompletionOptions,
): CompleteCallback | undefined {
  const { type, name, uri } = ref;
  if (type === 'ref/prompt' && typeof name === 'string') {
    return promptSource(name, argument, options);
  }
  if (type === 'ref/resource' && typeof uri === 'string') {
    return resourceSource(uri, argument, options);
  }
  throw invalid('Completion is for prompts and resource templates.');
}

function promptSource(
  name: string,
  argument: string,
  { prompts, compiler }: CompletionOptions,
): CompleteCallback | undefined {
  const prompt = prompts.find(name);
  if (prompt === undefined) throw invalid(`Unknown prompt: ${name}`);
  const { argsSchema } = prompt.config;
  const known = argsSchema === undefined ? [] : promptArguments(compiler().compile(argsSchema, 'input').json);
  if (!known.some((each) => each.name === argument)) {
    throw invalid(`Prompt ${name} has no argument ${argument}.`);
  }
  return completionOf(argsSchema, argument);
}

function resourceSource(
  uri: string,
  argument: string,
  { resources, templates }: CompletionOptions,
): CompleteCallback | undefined {
  const record = templates.list().find(({ value }) => value.template.uriTemplate.toString() === uri)?.value;
  if (record === undefined) {
    // A fixed resource has nothing left to complete.
    if (resources.find(uri) !== undefined) return undefined;
    throw invalid(`Unknown resource template: ${uri}`);
  }
  if (!record.template.uriTemplate.variableNames.includes(argument)) {
    throw invalid(`The template has no variable ${argument}.`);
  }
  return record.template.completeCallback(argument);
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, message);
}
