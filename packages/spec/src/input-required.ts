import type { RequestParams, Result } from './base.ts';
import type { ElicitRequestParams, ElicitResult } from './elicitation.ts';
import type { CreateMessageRequestParams, CreateMessageResult, ListRootsResult } from './sampling.ts';

/** One thing a modern server needs before it can answer. */
export type InputRequest =
  | { method: 'sampling/createMessage'; params: CreateMessageRequestParams }
  | { method: 'roots/list'; params?: RequestParams }
  | { method: 'elicitation/create'; params: ElicitRequestParams };

export type InputResponse = CreateMessageResult | ListRootsResult | ElicitResult;

export type InputRequests = { [key: string]: InputRequest };

export type InputResponses = { [key: string]: InputResponse };

/** An interim answer: send the request again with these inputs and the state given back. */
export interface InputRequiredResult extends Result {
  resultType: 'input_required';
  inputRequests?: InputRequests;
  /** Opaque to the client. */
  requestState?: string;
}

/** Params of the requests that may be answered with {@link InputRequiredResult}. */
export interface InputResponseRequestParams extends RequestParams {
  inputResponses?: InputResponses;
  requestState?: string;
}
