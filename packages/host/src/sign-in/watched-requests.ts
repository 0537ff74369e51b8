import type { FetchLike } from '@portico/spec';
import { secretHider } from '../gateway/secret-hider.ts';
import type { GuardedHttp } from './account-http.ts';

/** Members of requests whose values nobody may see. */
const SENT: ReadonlySet<string> = new Set([
  'assertion',
  'client_assertion',
  'client_secret',
  'code',
  'code_verifier',
  'refresh_token',
  'state',
  'subject_token',
  'token',
]);
/** The same of answers, where a `code` is the name of an error as a rule. */
const ANSWERED: ReadonlySet<string> = new Set([
  'access_token',
  'client_secret',
  'id_token',
  'refresh_token',
  'registration_access_token',
]);
/** Bytes of an answer that are looked through; a sign-in reads no more itself. */
const MAX_LOOKED_AT = 262_144;
/** Most secrets that are remembered of one attempt. */
const MAX_SECRETS = 100;

type Secret = readonly [name: string, value: string];

/** The requests of one attempt, with what may not be told of them. */
export interface WatchedRequests {
  readonly http: GuardedHttp;
  /** Puts the name of a secret in the place of each that went over the wire. */
  readonly hide: (text: string) => string;
  /** How far the clock of the server that answered last is ahead of ours, milliseconds; undefined when none told its time. */
  readonly skewMs: () => number | undefined;
}

/**
 * Remembers every secret that the requests of a sign-in carry either way: servers like to repeat in an
 * error what they were sent, and people post the log of an attempt (K42).
 *
 * @param known secrets that came another way, by name
 */
export function watchRequests(
  http: GuardedHttp,
  known: Readonly<Record<string, string>> = {},
): WatchedRequests {
  const { clock, fetchFn } = http;
  /** Value → name. */
  const secrets = new Map<string, string>();
  const remember = (name: string, value: string): void => {
    if (secrets.size >= MAX_SECRETS) return;
    secrets.set(value, name);
    secrets.set(encodeURIComponent(value), name);
  };
  for (const [name, value] of Object.entries(known)) remember(name, value);
  let skewMs: number | undefined;
  const watched: FetchLike = async (url, init) => {
    for (const [name, value] of sentSecrets(init)) remember(name, value);
    const response = await fetchFn(url, init);
    const serverMs = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(serverMs)) skewMs = serverMs - clock.now();
    return lookThrough(response, (text) => {
      for (const [name, value] of secretsIn(text, ANSWERED)) remember(name, value);
    });
  };
  return {
    http: { ...http, fetchFn: watched },
    hide: (text) => secretHider([...secrets].map(([value, name]) => [name, value]))(text),
    skewMs: () => skewMs,
  };
}

function* sentSecrets(init: RequestInit | undefined): Iterable<Secret> {
  const { body } = init ?? {};
  if (body instanceof URLSearchParams) yield* named([...body], SENT);
  else if (typeof body === 'string') yield* secretsIn(body, SENT);
  const [scheme = '', credentials = ''] = (new Headers(init?.headers).get('authorization') ?? '').split(' ');
  if (credentials === '') return;
  yield ['authorization', credentials];
  if (scheme.toLowerCase() !== 'basic') return;
  const [, secret = ''] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
  yield ['client_secret', secret];
  yield ['client_secret', new URLSearchParams(`x=${secret}`).get('x') ?? ''];
}

/** Secrets in a JSON object or a form. */
function secretsIn(text: string, members: ReadonlySet<string>): readonly Secret[] {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === 'object' && document !== null ? named(Object.entries(document), members) : [];
  } catch {
    return named([...new URLSearchParams(text)], members);
  }
}

function named(
  entries: readonly (readonly [string, unknown])[],
  members: ReadonlySet<string>,
): readonly Secret[] {
  return entries.flatMap(([name, value]) =>
    members.has(name) && typeof value === 'string' ? [[name, value] as const] : [],
  );
}

/** The same answer, which is looked through while it is read. */
function lookThrough(response: Response, look: (text: string) => void): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const decoder = new TextDecoder();
  let text = '';
  const reading = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (text.length < MAX_LOOKED_AT) text += decoder.decode(chunk, { stream: true });
      controller.enqueue(chunk);
    },
    flush: () => look(text),
  });
  return new Response(body.pipeThrough(reading), { status, statusText, headers });
}
