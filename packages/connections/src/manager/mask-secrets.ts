const MASK = '***';

/** Shorter ones would take words apart that have nothing to do with them. */
const MIN_SECRET_LENGTH = 4;

/** User info of an address. */
const USER_INFO = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"<>]*@/gi;
/** Values in queries and fragments. */
const QUERY_VALUE = /([?&#][^\s=&#?"<>]{1,100}=)[^\s&#"<>]+/g;
/** Credentials after the name of their scheme. */
const CREDENTIALS = /\b(bearer|basic|dpop|negotiate)\s+[\w.~+/=-]{4,}/gi;
/** Members and fields of OAuth, in JSON, forms and headers. */
const NAMED_VALUE =
  /\b((?:access|refresh|id)_token|client_(?:secret|assertion)|code_verifier|code_challenge|device_code|subject_token|password|authorization|x-api-key|api[_-]?key)(["']?\s*[:=]\s*["']?)(?!\*{3})[^\s"',;&]+/gi;
/** The code of a flow; numbers of errors go by the same name. */
const CODE = /\b(code)(=|["']\s*:\s*["'])[^\s"',;&]+/gi;
const JSON_WEB_TOKEN = /\beyJ[\w-]{4,}(?:\.[\w-]*){1,4}/g;

/** Whole secrets and their words, longest first so that none leaves a part of another. */
function partsOf(secrets: Iterable<string>): string[] {
  const parts = new Set<string>();
  for (const secret of secrets) {
    for (const part of [secret, ...secret.split(/\s+/)]) {
      if (part.length >= MIN_SECRET_LENGTH) parts.add(part);
    }
  }
  return [...parts].sort((a, b) => b.length - a.length);
}

/**
 * Text for a log, without what must not stand there: user info and query values of addresses,
 * credentials that look like some, and the given secrets wherever they are. Source: R125.
 *
 * @param secrets values of headers and tokens in use now
 */
export function maskSecrets(text: string, secrets: Iterable<string> = []): string {
  let masked = text;
  for (const part of partsOf(secrets)) masked = masked.replaceAll(part, MASK);
  return masked
    .replace(USER_INFO, `$1${MASK}@`)
    .replace(QUERY_VALUE, `$1${MASK}`)
    .replace(CREDENTIALS, `$1 ${MASK}`)
    .replace(JSON_WEB_TOKEN, MASK)
    .replace(NAMED_VALUE, `$1$2${MASK}`)
    .replace(CODE, `$1$2${MASK}`);
}
