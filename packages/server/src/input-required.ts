import {
  type CreateMessageRequestParams,
  type CreateMessageResult,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type InputRequest,
  type InputRequests,
  type InputRequiredResult,
  isRecord,
  type Root,
} from '@portico/spec';
import { ServerError } from './errors.ts';
import { createSchemaCompiler } from './schema/schema-compiler.ts';
import { isStandardSchema, type StandardSchema } from './schema/standard-schema.ts';

/** What a handler needs before it can finish. At least one member must be there. */
export interface InputRequiredSpec {
  /** Requests the client is to answer, by a key of the handler's choice. */
  readonly inputRequests?: InputRequests;
  /** Opaque text the client hands back. It is not protected: verify it where it matters. */
  readonly requestState?: string;
}

/** A form question; its fields may be given as a flat Standard Schema object. */
export type ElicitInput = Omit<ElicitRequestFormParams, 'requestedSchema' | 'mode'> & {
  readonly requestedSchema: ElicitRequestFormParams['requestedSchema'] | StandardSchema;
};

/** Builds what a handler returns to ask the client, and the questions in it. */
export interface InputRequiredBuilder {
  /** @throws ServerError `INVALID_INPUT_REQUEST` when neither member is given */
  (spec: InputRequiredSpec): InputRequiredResult;
  /** A form. @throws ServerError `INVALID_INPUT_REQUEST` when its fields are not flat and simple */
  elicit(params: ElicitInput): InputRequest;
  /** A page to open. @throws ServerError `INVALID_INPUT_REQUEST` unless the URL is http(s) */
  elicitUrl(params: Omit<ElicitRequestURLParams, 'mode' | 'elicitationId'>): InputRequest;
  /** A question to the client's model. */
  createMessage(params: CreateMessageRequestParams): InputRequest;
  /** The client's root folders. */
  listRoots(): InputRequest;
}

/**
 * Returned by a tool, prompt or resource handler that needs the client's help. The handler runs
 * again from its start with the answers in `ctx.mcpReq.inputResponses`. In a legacy session the
 * questions go out as ordinary requests, so one handler serves both eras.
 */
export const inputRequired: InputRequiredBuilder = Object.assign(
  (spec: InputRequiredSpec): InputRequiredResult => {
    if (spec.inputRequests === undefined && spec.requestState === undefined) {
      throw refused('inputRequired needs inputRequests or requestState');
    }
    return {
      resultType: 'input_required',
      ...(spec.inputRequests === undefined ? {} : { inputRequests: spec.inputRequests }),
      ...(spec.requestState === undefined ? {} : { requestState: spec.requestState }),
    };
  },
  {
    elicit: (params: ElicitInput): InputRequest => ({
      method: 'elicitation/create',
      params: { ...params, mode: 'form', requestedSchema: formSchema(params.requestedSchema) },
    }),
    elicitUrl: (params: Omit<ElicitRequestURLParams, 'mode' | 'elicitationId'>): InputRequest => {
      const protocol = URL.canParse(params.url) ? new URL(params.url).protocol : '';
      if (protocol !== 'https:' && protocol !== 'http:') {
        throw refused('a page to open has an http or https address');
      }
      return {
        method: 'elicitation/create',
        params: { ...params, mode: 'url' } as ElicitRequestURLParams,
      };
    },
    createMessage: (params: CreateMessageRequestParams): InputRequest => ({
      method: 'sampling/createMessage',
      params,
    }),
    listRoots: (): InputRequest => ({ method: 'roots/list' }),
  },
);

/** True for what `inputRequired` makes, also when written by hand. */
export function isInputRequired(result: unknown): result is InputRequiredResult {
  return (
    typeof result === 'object' &&
    result !== null &&
    'resultType' in result &&
    result.resultType === 'input_required'
  );
}

/** One answer, told apart by its shape. */
export type InputResponseView =
  | { readonly kind: 'missing' }
  | {
      readonly kind: 'elicit';
      readonly action: 'accept' | 'decline' | 'cancel';
      readonly content?: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'sampling'; readonly result: CreateMessageResult }
  | { readonly kind: 'roots'; readonly roots: readonly Root[] };

/** Reads the answer under a key. What the client sent is not checked beyond its kind. */
export function inputResponse(
  responses: Readonly<Record<string, unknown>> | undefined,
  key: string,
): InputResponseView {
  const entry = responses !== undefined && Object.hasOwn(responses, key) ? responses[key] : undefined;
  if (!isRecord(entry)) return { kind: 'missing' };
  const { action, content, roots, role } = entry;
  if (action === 'accept' || action === 'decline' || action === 'cancel') {
    return isRecord(content) ? { kind: 'elicit', action, content } : { kind: 'elicit', action };
  }
  if (Array.isArray(roots)) return { kind: 'roots', roots };
  if (typeof role === 'string' && content !== undefined) {
    return { kind: 'sampling', result: entry as unknown as CreateMessageResult };
  }
  return { kind: 'missing' };
}

/**
 * The content of an accepted form, checked against `schema`. Undefined when there is no answer, it
 * was not accepted, or it does not fit; a handler treats all three alike and may ask again.
 * Schemas that check asynchronously are refused with `INVALID_SCHEMA`.
 */
export function acceptedContent<Output>(
  responses: Readonly<Record<string, unknown>> | undefined,
  key: string,
  schema: StandardSchema<unknown, Output>,
): Output | undefined {
  const view = inputResponse(responses, key);
  if (view.kind !== 'elicit' || view.action !== 'accept') return undefined;
  const outcome = schema['~standard'].validate(view.content ?? {});
  if (outcome instanceof Promise) {
    throw new ServerError('INVALID_SCHEMA', { message: 'form answers need a synchronous schema' });
  }
  return outcome.issues === undefined ? outcome.value : undefined;
}

const PRIMITIVES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);

/** Forms are flat: text, numbers, yes or no, and choices. */
function formSchema(
  requested: ElicitRequestFormParams['requestedSchema'] | StandardSchema,
): ElicitRequestFormParams['requestedSchema'] {
  if (!isStandardSchema(requested)) return requested;
  const { json } = createSchemaCompiler().compile(requested, 'input');
  const { properties, required } = json;
  if (!isRecord(properties)) throw refused('a form needs an object schema with fields');
  for (const [name, field] of Object.entries(properties)) {
    if (!isSimpleField(field)) throw refused(`the form field ${name} is not a simple value`);
  }
  return {
    type: 'object',
    properties: properties as ElicitRequestFormParams['requestedSchema']['properties'],
    ...(Array.isArray(required) ? { required: required.map(String) } : {}),
  };
}

function isSimpleField(field: unknown): boolean {
  if (!isRecord(field)) return false;
  if (PRIMITIVES.has(field['type'])) return true;
  const items = field['items'];
  return field['type'] === 'array' && isRecord(items) && ('enum' in items || 'anyOf' in items);
}

function refused(message: string): ServerError {
  return new ServerError('INVALID_INPUT_REQUEST', { message });
}
