import type { AuthInfo } from '@portico/oauth/resource';
import { ServerError } from '../errors.ts';
import type { EventStream } from './event-stream.ts';

/** Default limit of a request body, in bytes. */
export const DEFAULT_MAX_REQUEST_BODY_SIZE: number = 4 * 1024 * 1024;

/**
 * What the protocol needs to know of one HTTP request, whichever server took it. The two faces of
 * the handler (fetch and node:http) make one each, so that neither pays for the other's objects.
 */
export interface HttpRequest {
  readonly method: string;
  /** One header by lower-case name; repeated ones joined by a comma. */
  header(name: string): string | undefined;
  /**
   * The body as text, read once.
   * @throws ServerError `BODY_TOO_LARGE` beyond `maxBytes`
   */
  text(maxBytes: number): Promise<string>;
  /** A body that somebody ahead has parsed already. */
  readonly parsedBody?: unknown;
  /** Whatever the authentication gate in front attached. */
  readonly authInfo?: AuthInfo | undefined;
  /** The request as a web `Request`, made when a handler looks at it. */
  readonly web: Request;
  /** Calls back once when the peer goes away before the answer is complete. */
  onDisconnect(listener: () => void): void;
}

/** A complete answer, or an event stream to be carried. */
export type HttpAnswer =
  | {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | undefined;
    }
  | {
      readonly status: 200;
      readonly headers: Readonly<Record<string, string>>;
      readonly stream: EventStream;
    };

export const JSON_HEADERS: Readonly<Record<string, string>> = { 'content-type': 'application/json' };

/** A JSON answer. */
export function jsonAnswer(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer {
  return { status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body) };
}

/** An answer without content. */
export function emptyAnswer(status: number, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { status, headers, body: undefined };
}

/** Thrown by body readers that have counted past their limit. */
export function bodyTooLarge(maxBytes: number): ServerError {
  return new ServerError('BODY_TOO_LARGE', { data: { maxBytes } });
}

/** The media type of a content-type header, without parameters and in lower case. */
export function mediaType(header: string | undefined): string {
  if (header === 'application/json') return header;
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

const BOTH_FORMS = { json: true, events: true } as const;

/** Which of the two answer forms an `Accept` header lets through. An absent header lets both. */
export function acceptedForms(header: string | undefined): { json: boolean; events: boolean } {
  // What nearly every client sends.
  if (header === undefined || header === 'application/json, text/event-stream') return BOTH_FORMS;
  const ranges = header.split(',').map((range) => mediaType(range));
  const allows = (type: string, group: string): boolean =>
    ranges.some((range) => range === type || range === group || range === '*/*');
  return {
    json: allows('application/json', 'application/*'),
    events: allows('text/event-stream', 'text/*'),
  };
}
