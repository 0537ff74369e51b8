import type { OAuthTokens } from '../documents.ts';
import { OAuthError, OAuthErrorCode } from '../errors.ts';
import type { JsonDocument } from './json-document.ts';
import { parseDocument } from './json-document.ts';

/** Characters of an answer that is no OAuth that are kept for whoever looks into it. */
const KEPT_LENGTH = 500;

/** The OAuth error in a document, if it is one. */
export function errorOf(document: JsonDocument | undefined): OAuthError | undefined {
  const { error, error_description: description, error_uri: uri } = document ?? {};
  if (typeof error !== 'string') return undefined;
  const message = typeof description === 'string' ? description : error;
  return new OAuthError(error, message, typeof uri === 'string' ? uri : undefined);
}

/** What an answer that is no success says; `server_error` when it is not in OAuth's words. */
export function errorFromText(text: string, status?: number): OAuthError {
  const known = errorOf(parseDocument(text));
  if (known !== undefined) return known;
  const place = status === undefined ? '' : `HTTP ${status}: `;
  const message = `${place}the answer is no OAuth error: ${text.slice(0, KEPT_LENGTH)}`;
  return new OAuthError(OAuthErrorCode.ServerError, message);
}

/** Reads an error answer of an OAuth endpoint, or its text. Never rejects over what is in it. */
export async function parseErrorResponse(input: Response | string): Promise<OAuthError> {
  if (typeof input === 'string') return errorFromText(input);
  return errorFromText(await input.text(), input.status);
}

function optionalText<Name extends string>(
  document: JsonDocument,
  name: Name,
): Partial<Record<Name, string>> {
  const value = document[name];
  return typeof value === 'string' ? ({ [name]: value } as Partial<Record<Name, string>>) : {};
}

/** Some servers write numbers as text. */
function lifetime({ expires_in: value }: JsonDocument): { expires_in?: number } {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) ? { expires_in: seconds } : {};
}

/** Reads a grant; undefined for what is none. Members with values of another kind count as missing. */
export function readTokens(document: JsonDocument | undefined): OAuthTokens | undefined {
  const { access_token: accessToken, token_type: tokenType } = document ?? {};
  if (document === undefined || typeof accessToken !== 'string' || accessToken === '') return undefined;
  if (typeof tokenType !== 'string') return undefined;
  return {
    access_token: accessToken,
    token_type: tokenType,
    ...optionalText(document, 'id_token'),
    ...lifetime(document),
    ...optionalText(document, 'scope'),
    ...optionalText(document, 'refresh_token'),
  };
}
