import { ofTheResource } from './scopes.ts';

/** What a challenge tells the client. */
export interface Challenge {
  readonly error: string;
  /** Untrusted text is fine: it cannot leave its quotes. */
  readonly description: string;
  readonly scopes: readonly string[];
  readonly resourceMetadataUrl: string | undefined;
}

/** Longest text of one parameter, in characters: whole headers are limited by servers to about 8 KiB. */
const MAX_PARAMETER_LENGTH = 1024;

/**
 * The value of `WWW-Authenticate` for a refused token. Source: RFC 6750, section 3, and RFC 9728,
 * section 5.1; W229, W230, W232.
 */
export function bearerChallenge(challenge: Challenge): string {
  return `Bearer ${parametersOf(challenge)}`;
}

/** The same for the scheme of RFC 9449, with the algorithms that proofs may use. */
export function dpopChallenge(challenge: Challenge, algorithms: readonly string[]): string {
  return `DPoP ${parametersOf(challenge)}, algs=${quoted(algorithms.join(' '))}`;
}

function parametersOf({ error, description, scopes, resourceMetadataUrl }: Challenge): string {
  const needed = ofTheResource(scopes);
  return [
    `error=${quoted(error)}`,
    `error_description=${quoted(description)}`,
    ...(needed.length === 0 ? [] : [`scope=${quoted(needed.join(' '))}`]),
    ...(resourceMetadataUrl === undefined ? [] : [`resource_metadata=${quoted(resourceMetadataUrl)}`]),
  ].join(', ');
}

/** A quoted string. Characters that a header cannot hold become question marks. */
function quoted(text: string): string {
  const short = text.slice(0, MAX_PARAMETER_LENGTH);
  const printable = short.replaceAll(/[^\u0020-\u007E]/gu, '?');
  return `"${printable.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
