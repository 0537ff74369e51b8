/** One challenge of a `WWW-Authenticate` header. Names are in lower case, values as the server wrote them. */
export interface Challenge {
  readonly scheme: string;
  readonly params: Readonly<Record<string, string>>;
}

/** What a resource says when it asks for (other) authorization. Texts are the server's. */
export interface ChallengeParams {
  resourceMetadataUrl?: URL;
  scope?: string;
  error?: string;
  errorDescription?: string;
}

/** Characters of a header that are looked at; a longer one is cut. */
const MAX_HEADER_LENGTH = 16_384;
const TOKEN = /[!#$%&'*+\-.^_`|~\w]+/y;
const SPACE = /[ \t]*/y;
const TOKEN_68 = /[\w\-.~+/]+=*(?=[ \t]*(?:,|$))/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"/y;
/** What servers write without quotes although it has no form of a token, such as an address. */
const BARE = /[^\s,"]+/y;

/** Walks through a header from left to right. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** What matches here, and moves behind it. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at = pattern.lastIndex;
    return match;
  }

  /** Whether this character comes next, which is then behind. */
  skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  /** Goes on after something that has no place in the grammar. */
  step(): void {
    this.#at += 1;
  }

  back(length: number): void {
    this.#at -= length;
  }
}

function readValue(scanner: Scanner): string | undefined {
  scanner.take(SPACE);
  const quoted = scanner.take(QUOTED);
  if (quoted !== undefined) return quoted[1]?.replaceAll(/\\(.)/g, '$1');
  return scanner.take(BARE)?.[0];
}

/** Reads `name = value`; leaves the place where it was when what comes next is none. */
function readParam(scanner: Scanner): readonly [string, string] | undefined {
  const name = scanner.take(TOKEN)?.[0];
  if (name === undefined) return undefined;
  const space = scanner.take(SPACE)?.[0] ?? '';
  if (!scanner.skip('=')) {
    scanner.back(name.length + space.length);
    return undefined;
  }
  return [name.toLowerCase(), readValue(scanner) ?? ''];
}

function readParams(scanner: Scanner): Record<string, string> {
  // Names are a peer's: none of them may reach a prototype.
  const params = Object.create(null) as Record<string, string>;
  for (;;) {
    scanner.take(SPACE);
    while (scanner.skip(',')) scanner.take(SPACE);
    const param = readParam(scanner);
    if (param === undefined) return params;
    // A name is said once; what a later one would change is not taken.
    params[param[0]] ??= param[1];
  }
}

/**
 * Reads a `WWW-Authenticate` header, in which several headers may have been joined by commas. Whatever
 * is no challenge is passed over. Source: RFC 9110, section 11.6.1; W207.
 */
export function parseChallenges(header: string): readonly Challenge[] {
  const scanner = new Scanner(header.slice(0, MAX_HEADER_LENGTH));
  const challenges: Challenge[] = [];
  while (!scanner.atEnd) {
    scanner.take(SPACE);
    if (scanner.skip(',')) continue;
    const scheme = scanner.take(TOKEN)?.[0];
    if (scheme === undefined) {
      scanner.step();
      continue;
    }
    scanner.take(SPACE);
    if (scanner.take(TOKEN_68) === undefined) {
      challenges.push({ scheme: scheme.toLowerCase(), params: readParams(scanner) });
    } else {
      challenges.push({ scheme: scheme.toLowerCase(), params: {} });
    }
  }
  return challenges;
}

/** The challenge of a scheme, if there is one. */
function challengeOf(header: string | null | undefined, scheme: string): Challenge | undefined {
  return parseChallenges(header ?? '').find((challenge) => challenge.scheme === scheme);
}

/** Whether a resource asks for a proof of possession with a nonce. Source: RFC 9449, section 9. */
export function wantsNonce(header: string | null | undefined): boolean {
  return challengeOf(header, 'dpop')?.params['error'] === 'use_dpop_nonce';
}

/**
 * Takes out of a header what a sign-in needs. The challenge of the scheme Bearer counts, else that of
 * DPoP, which says the same of bound tokens; other schemes say nothing of OAuth.
 */
export function readChallenge(header: string | null | undefined): ChallengeParams {
  const params: Challenge['params'] =
    (challengeOf(header, 'bearer') ?? challengeOf(header, 'dpop'))?.params ?? {};
  const { resource_metadata: address, scope, error, error_description: errorDescription } = params;
  return {
    ...(address !== undefined && URL.canParse(address) ? { resourceMetadataUrl: new URL(address) } : {}),
    ...(scope === undefined || scope === '' ? {} : { scope }),
    ...(error === undefined || error === '' ? {} : { error }),
    ...(errorDescription === undefined || errorDescription === '' ? {} : { errorDescription }),
  };
}

/** What an answer's `WWW-Authenticate` says of OAuth. */
export function extractWWWAuthenticateParams(res: Response): ChallengeParams {
  return readChallenge(res.headers.get('www-authenticate'));
}

/**
 * Where an answer says that its resource describes itself.
 *
 * @deprecated {@link extractWWWAuthenticateParams} says all of it
 */
export function extractResourceMetadataUrl(res: Response): URL | undefined {
  return extractWWWAuthenticateParams(res).resourceMetadataUrl;
}
