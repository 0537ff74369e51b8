import { LATEST_PROTOCOL_VERSION } from '@portico/spec';
import { OAuthClientFlowError } from '../flow-errors.ts';
import type { AuthorizationStep } from '../steps.ts';
import { failureDetail } from './failure-steps.ts';
import { parseDocument } from './json-document.ts';
import type { JsonDocument } from './json-document.ts';
import { observe, send, shownUrl } from './requests.ts';
import type { AuthorizationAnswer, AuthorizationHttp } from './requests.ts';

/** One address that was asked in vain. */
export interface TriedAddress {
  readonly url: string;
  readonly status?: number;
  readonly reason: string;
}

/** Where a document may be, and why it counts if it is there. */
export interface MetadataPlace {
  readonly url: URL;
  readonly reason: string;
}

/** What a search looks for and how. */
export interface MetadataSearch<T> {
  readonly http: AuthorizationHttp;
  readonly step: AuthorizationStep;
  /** In the order in which they are asked. */
  readonly places: readonly MetadataPlace[];
  /** Told to the server; the newest version by default. */
  readonly protocolVersion?: string | undefined;
  readonly trustedOrigin?: string | undefined;
  /** Statuses besides 4xx that mean that there is no document. */
  readonly missing?: ReadonlySet<number>;
  /** Makes of a JSON object the document that is looked for, or says what is wrong with it. May throw to end the search. */
  readonly read: (document: JsonDocument, url: URL) => T | string;
  /** Is told every address that was asked in vain. */
  readonly tried: TriedAddress[];
}

/** A document and where it was found. */
export interface FoundMetadata<T> {
  readonly document: T;
  readonly url: URL;
}

/** Pages and their workers have one. */
function isPage(): boolean {
  return 'location' in globalThis && globalThis.location !== undefined;
}

function headersFor(protocolVersion: string | undefined): Headers {
  const headers = new Headers({ accept: 'application/json' });
  // A page would have to ask first whether it may send a header of its own, which many servers refuse.
  if (!isPage()) headers.set('mcp-protocol-version', protocolVersion ?? LATEST_PROTOCOL_VERSION);
  return headers;
}

/** Pages are not told why a request failed; a server that simply lets no page read looks just like that. */
function isHiddenFromPages(error: unknown): boolean {
  return (
    error instanceof OAuthClientFlowError &&
    error.code === 'network' &&
    error.cause instanceof TypeError &&
    isPage()
  );
}

function refusedBy(answer: AuthorizationAnswer, step: AuthorizationStep): OAuthClientFlowError {
  const { status } = answer;
  const data = { url: shownUrl(answer.url), status, reason: `the server failed with ${status}` };
  return new OAuthClientFlowError('answer_unusable', { data, step });
}

/** @returns the document, or why there is none here */
function judge<T>(answer: AuthorizationAnswer, search: MetadataSearch<T>): { readonly found: T } | string {
  const { status, url } = answer;
  if (status >= 500 && search.missing?.has(status) !== true) throw refusedBy(answer, search.step);
  if (status !== 200) return 'no document there';
  const document = parseDocument(answer.text);
  if (document === undefined) return 'no JSON object';
  const result = search.read(document, url);
  return typeof result === 'string' ? result : { found: result };
}

/**
 * Asks one address after the other until one has a usable document. What is no document is a miss and
 * is told; servers that fail and networks that break end the search.
 *
 * @throws OAuthClientFlowError `network`, `answer_timeout`, `answer_too_large`, `url_refused`, `answer_unusable`
 */
export async function searchMetadata<T extends object>(
  search: MetadataSearch<T>,
): Promise<FoundMetadata<T> | undefined> {
  const { http, step, trustedOrigin, tried } = search;
  for (const { url, reason: why } of search.places) {
    const request = { method: 'GET', url: shownUrl(url) };
    const miss = (reason: string, status?: number): void => {
      const seen = status === undefined ? {} : { status };
      tried.push({ url: request.url, ...seen, reason });
      observe(http, { step, request, ...seen, outcome: 'missed', detail: { reason } });
    };
    const fail = (error: unknown, status?: number): unknown => {
      const seen = status === undefined ? {} : { status };
      observe(http, { step, request, ...seen, outcome: 'failed', detail: failureDetail(error) });
      return error;
    };
    let answer: AuthorizationAnswer;
    try {
      const headers = headersFor(search.protocolVersion);
      answer = await send(http, { step, url, headers, trustedOrigin });
    } catch (error) {
      if (!isHiddenFromPages(error)) throw fail(error);
      miss('the browser may not read it, or it was not reached');
      continue;
    }
    const { status } = answer;
    let verdict: { readonly found: T } | string;
    try {
      verdict = judge(answer, search);
    } catch (error) {
      throw fail(error, status);
    }
    if (typeof verdict === 'object') {
      observe(http, { step, request, status, outcome: 'used', detail: { reason: why } });
      return { document: verdict.found, url: answer.url };
    }
    miss(verdict, status);
  }
  return undefined;
}
