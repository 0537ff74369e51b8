import type { HeaderReader, HeaderSource } from '../codec.ts';
import { METHOD_HEADER, NAME_HEADER, PROTOCOL_VERSION_HEADER } from '../header-names.ts';
import { readProtocolVersion } from '../read-protocol-version.ts';
import { lookUp } from '../methods.ts';
import { type WireError, headerMismatchError } from '../protocol-errors.ts';
import { decodeHeaderValue, encodeHeaderValue } from './header-values.ts';
import { METHODS_2026_07_28 } from './methods.ts';

/** The value that `Mcp-Name` repeats; undefined for methods without one. */
function nameOf({ method, params }: HeaderSource): string | undefined {
  const nameParam = lookUp(METHODS_2026_07_28, method)?.nameParam;
  if (nameParam === undefined || params === undefined) return undefined;
  const value = Object.hasOwn(params, nameParam) ? params[nameParam] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The headers every modern POST carries. */
export function standardHeaders(version: string, message: HeaderSource): Record<string, string> {
  const headers: Record<string, string> = {
    [PROTOCOL_VERSION_HEADER]: version,
    [METHOD_HEADER]: encodeHeaderValue(message.method),
  };
  const name = nameOf(message);
  if (name !== undefined) headers[NAME_HEADER] = encodeHeaderValue(name);
  return headers;
}

/** One header that must repeat one value of the body. */
interface Expectation {
  header: string;
  body: string | undefined;
  decode: (value: string) => string | undefined;
}

function asIs(value: string): string {
  return value;
}

/** Only requests must have the headers; those that a notification has must fit all the same. */
function mismatch(read: HeaderReader, expected: Expectation, required: boolean): string | undefined {
  const { header, body, decode } = expected;
  if (body === undefined) return undefined;
  const sent = read(header);
  if (sent === null || sent === undefined) {
    return required ? `the ${header} header is missing` : undefined;
  }
  const value = decode(sent);
  if (value === undefined) return `the ${header} header is malformed`;
  return value === body ? undefined : `the ${header} header does not match the body`;
}

/** Compares the standard headers with the body. Undefined when they fit. */
export function checkStandardHeaders(read: HeaderReader, message: HeaderSource): WireError | undefined {
  const required = message.id !== undefined;
  const version = readProtocolVersion(message.params);
  const expectations: Expectation[] = [
    { header: PROTOCOL_VERSION_HEADER, body: version, decode: asIs },
    { header: METHOD_HEADER, body: message.method, decode: asIs },
    { header: NAME_HEADER, body: nameOf(message), decode: decodeHeaderValue },
  ];
  for (const expected of expectations) {
    const fault = mismatch(read, expected, required);
    if (fault !== undefined) return headerMismatchError(fault);
  }
  return undefined;
}
