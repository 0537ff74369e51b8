/** A media type token and its parameters (RFC 9110); a comma would join two headers into one. */
const JSON_TYPE = /^[ \t]*application\/json[ \t]*(?:$|;[^,]*$|;(?:[^,"]|"(?:[^"\\]|\\.)*")*$)/i;

/**
 * Whether a `Content-Type` header says JSON, whatever its parameters. A header that was sent twice
 * says nothing for certain, and neither does a missing one.
 */
export function isJsonContentType(header: string | null | undefined): boolean {
  if (header === 'application/json') return true;
  return typeof header === 'string' && header.length <= 1_000 && JSON_TYPE.test(header);
}
