import { OAuthErrorCode } from '@portico/oauth/resource';
import { readRequestBody } from '../http/fetch-face.ts';
import { mediaType } from '../http/http-message.ts';
import { refuse } from './oauth-answers.ts';

/** Parameters by name, each said once. */
export type Params = ReadonlyMap<string, string>;

/** Bodies of these endpoints are small. */
const MAX_BODY_BYTES = 65_536;
const MAX_VALUE_LENGTH = 4096;

/**
 * Reads a form, which names nothing twice.
 * @throws OAuthError `invalid_request`
 */
export async function readForm(request: Request): Promise<Params> {
  if (mediaType(request.headers.get('content-type') ?? undefined) !== 'application/x-www-form-urlencoded') {
    refuse(OAuthErrorCode.InvalidRequest, 'The body must be application/x-www-form-urlencoded.');
  }
  return paramsOf(new URLSearchParams(await readBounded(request)));
}

/** @throws OAuthError `invalid_request` */
export function paramsOf(all: URLSearchParams): Params {
  const params = new Map<string, string>();
  for (const [name, value] of all) {
    if (params.has(name)) refuse(OAuthErrorCode.InvalidRequest, 'A parameter is given twice.');
    if (value.length > MAX_VALUE_LENGTH) refuse(OAuthErrorCode.InvalidRequest, 'A parameter is too long.');
    // A parameter without a value is as good as none.
    if (value !== '') params.set(name, value);
  }
  return params;
}

/** Reads a JSON object. @throws OAuthError `invalid_request` */
export async function readJsonObject(request: Request): Promise<Readonly<Record<string, unknown>>> {
  if (mediaType(request.headers.get('content-type') ?? undefined) !== 'application/json') {
    refuse(OAuthErrorCode.InvalidRequest, 'The body must be application/json.');
  }
  const text = await readBounded(request);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(OAuthErrorCode.InvalidRequest, 'The body must be a JSON object.');
  }
  return value as Readonly<Record<string, unknown>>;
}

/** A parameter that must be there. @throws OAuthError `invalid_request` */
export function needed(params: Params, name: string): string {
  return params.get(name) ?? refuse(OAuthErrorCode.InvalidRequest, `The parameter ${name} is missing.`);
}

/** Whom tokens are to be for. @throws OAuthError `invalid_target` */
export function resourceOf(params: Params): URL | undefined {
  const text = params.get('resource');
  if (text === undefined) return undefined;
  if (!URL.canParse(text) || text.includes('#')) {
    refuse(OAuthErrorCode.InvalidTarget, 'The resource must be an address without fragment.');
  }
  return new URL(text);
}

async function readBounded(request: Request): Promise<string> {
  const read = await readRequestBody(request, MAX_BODY_BYTES).catch(() => undefined);
  if (read === undefined) return refuse(OAuthErrorCode.InvalidRequest, 'The body is no text.');
  return read.tooLarge ? refuse(OAuthErrorCode.InvalidRequest, 'The body is too large.') : read.text;
}
