import { AgentError, messageOf } from '../errors.ts';
import type { ProviderErrorCode, ProviderFailureData } from '../errors.ts';

/** Longest text of a provider's complaint that is passed on, in characters. */
const MAX_MESSAGE = 2000;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const CODES_BY_TYPE: Readonly<Record<string, ProviderErrorCode>> = {
  authentication_error: 'provider_auth',
  permission_error: 'provider_auth',
  billing_error: 'provider_auth',
  rate_limit_error: 'provider_rate_limited',
  overloaded_error: 'provider_overloaded',
  api_error: 'provider_overloaded',
  timeout_error: 'provider_overloaded',
  invalid_request_error: 'provider_bad_request',
  request_too_large: 'provider_bad_request',
  not_found_error: 'provider_bad_request',
};

function codeOfStatus(status: number): ProviderErrorCode {
  if (status === 401 || status === 402 || status === 403) return 'provider_auth';
  if (status === 429) return 'provider_rate_limited';
  return status >= 500 ? 'provider_overloaded' : 'provider_bad_request';
}

/**
 * Reads `retry-after-ms`, or `retry-after` in seconds or as a date.
 * @returns milliseconds from `nowMs` on
 */
function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (exact >= 0) return exact;
  const header = headers.get('retry-after');
  if (header === null) return undefined;
  const ms = /^\s*[\d.]+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function detail(body: unknown): { readonly type?: string; readonly message?: string } {
  const error = isFields(body) && isFields(body['error']) ? body['error'] : {};
  return {
    ...(typeof error['type'] === 'string' ? { type: error['type'] } : {}),
    ...(typeof error['message'] === 'string' ? { message: error['message'].slice(0, MAX_MESSAGE) } : {}),
  };
}

const INTRODUCTIONS: Readonly<Record<ProviderErrorCode, string>> = {
  provider_auth: 'The model provider refused the credentials',
  provider_rate_limited: 'The model provider has had too many requests',
  provider_overloaded: 'The model provider is overloaded or has failed',
  provider_bad_request: 'The model provider refused the request',
  provider_stream_cut: 'The answer of the model broke off',
  provider_unreachable: 'The model provider cannot be reached',
};

function failure(
  code: ProviderErrorCode,
  data: ProviderFailureData,
  words: string | undefined,
): AgentError<ProviderErrorCode> {
  const facts = [
    data.status === undefined ? undefined : `status ${data.status}`,
    data.type,
    data.requestId === undefined ? undefined : `request ${data.requestId}`,
  ].filter((fact) => fact !== undefined);
  const place = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  return new AgentError(code, data, {
    message: `${INTRODUCTIONS[code]}${place}${words === undefined ? '.' : `: ${words}`}`,
  });
}

/** What the client library throws for an answer that is no success. */
interface ApiError {
  readonly status: number;
  readonly headers: Headers;
  readonly error: unknown;
  readonly requestID?: string | null;
}

function isApiError(thrown: unknown): thrown is ApiError {
  return isFields(thrown) && typeof thrown['status'] === 'number' && thrown['headers'] instanceof Headers;
}

/**
 * What the client library threw, as an error of ours. Only status, type, request id and the
 * provider's own words are kept: never headers, keys or bodies.
 */
export function requestFailure(thrown: unknown, nowMs: number): AgentError<ProviderErrorCode> {
  if (!isApiError(thrown)) {
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
    return failure('provider_unreachable', {}, messageOf(cause));
  }
  const { type, message } = detail(thrown.error);
  const waitMs = retryAfterMs(thrown.headers, nowMs);
  const data: ProviderFailureData = {
    status: thrown.status,
    ...(type === undefined ? {} : { type }),
    ...(typeof thrown.requestID === 'string' ? { requestId: thrown.requestID } : {}),
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  };
  return failure(codeOfStatus(thrown.status), data, message);
}

/** An `error` event inside a stream. */
export function streamFailure(event: unknown): AgentError<ProviderErrorCode> {
  const { type, message } = detail(event);
  const code = (type === undefined ? undefined : CODES_BY_TYPE[type]) ?? 'provider_overloaded';
  return failure(code, type === undefined ? {} : { type }, message);
}

/** The connection ended in the middle of an answer. */
export function cutFailure(thrown: unknown): AgentError<ProviderErrorCode> {
  return failure('provider_stream_cut', {}, thrown === undefined ? undefined : messageOf(thrown));
}
