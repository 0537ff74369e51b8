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
import { formSchema } from './form-schema.ts';
import { assertPage } from './client-request.ts';
import type { StandardSchema } from './schema/standard-schema.ts';

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
    if (Object.keys(spec.inputRequests ?? {}).length === 0 && spec.requestState === undefined) {
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
      assertPage(params.url);
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
): Output | undefined;
/** The content of an accepted form as the client sent it, of a type that nobody has checked. */
export function acceptedContent<Content extends Record<string, unknown> = Record<string, unknown>>(
  responses: Readonly<Record<string, unknown>> | undefined,
  key: string,
): Content | undefined;
export function acceptedContent(
  responses: Readonly<Record<string, unknown>> | undefined,
  key: string,
  schema?: StandardSchema,
): unknown {
  const view = inputResponse(responses, key);
  if (view.kind !== 'elicit' || view.action !== 'accept') return undefined;
  if (schema === undefined) return view.content ?? {};
  const outcome = schema['~standard'].validate(view.content ?? {});
  if (outcome instanceof Promise) {
    throw new ServerError('INVALID_SCHEMA', { message: 'form answers need a synchronous schema' });
  }
  return outcome.issues === undefined ? outcome.value : undefined;
}

function refused(message: string): ServerError {
  return new ServerError('INVALID_INPUT_REQUEST', { message });
}
