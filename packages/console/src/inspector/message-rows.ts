import type { UseRpcLogResult } from '@portico/react';

type Entry = UseRpcLogResult['entries'][number];

/** One message as a row shows it. */
export interface MessageRow {
  readonly entry: Entry;
  readonly kind: 'request' | 'notification' | 'result' | 'error';
  /** Of the request that it is or answers; unknown when that is no longer in the log. */
  readonly method?: string;
  readonly id?: string;
  /** Time between a request and its answer, milliseconds. */
  readonly tookMs?: number;
  /** What it is about, in a few words of the message itself. */
  readonly gist: string;
  /** How grave a log message is, in the server's word. */
  readonly level?: string;
}

/** What may be looked for. */
export interface MessageFilter {
  readonly text: string;
  readonly direction: 'all' | Entry['direction'];
}

type Body = Readonly<Record<string, unknown>>;

/** Longest gist, in UTF-16 units. */
const MAX_GIST = 200;

/** The messages with what is to be known from others: an answer tells neither its method nor how long it took. */
export function toMessageRows(entries: readonly Entry[]): readonly MessageRow[] {
  const asked = new Map<string, { readonly method: string; readonly atMs: number }>();
  return entries.map((entry) => {
    const body = entry.message as unknown as Body;
    const { id, method } = body;
    const idText = typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
    if (typeof method === 'string') {
      if (idText === undefined) return notification(entry, method, body);
      asked.set(`${entry.direction} ${idText}`, { method, atMs: Date.parse(entry.time) });
      return { entry, kind: 'request', method, id: idText, gist: gistOfRequest(record(body['params'])) };
    }
    const request = asked.get(`${entry.direction === 'sent' ? 'received' : 'sent'} ${idText}`);
    return {
      entry,
      kind: 'error' in body ? 'error' : 'result',
      ...(idText === undefined ? {} : { id: idText }),
      ...(request === undefined
        ? {}
        : { method: request.method, tookMs: Math.max(0, Date.parse(entry.time) - request.atMs) }),
      gist: 'error' in body ? gistOfError(record(body['error'])) : gistOfResult(record(body['result'])),
    };
  });
}

function notification(entry: Entry, method: string, body: Body): MessageRow {
  const params = record(body['params']);
  const { level, data, logger, progress, total, message } = params;
  if (method === 'notifications/message') {
    const text = typeof data === 'string' ? data : JSON.stringify(data ?? null);
    const gist = cut(typeof logger === 'string' ? `${logger}: ${text}` : text);
    return { entry, kind: 'notification', method, gist, ...(typeof level === 'string' ? { level } : {}) };
  }
  const gist =
    method === 'notifications/progress'
      ? `${[progress, total].filter((part) => typeof part === 'number').join(' / ')} ${text(message)}`.trim()
      : gistOfRequest(params);
  return { entry, kind: 'notification', method, gist: cut(gist) };
}

function gistOfRequest({ name, uri, ref, requestId, reason }: Body): string {
  const { name: refName, uri: refUri } = record(ref);
  const about = [name, uri, refName, refUri, requestId, reason].map(text).find((part) => part !== '');
  return cut(about ?? '');
}

function gistOfError({ code, message }: Body): string {
  return cut(`${text(code)} ${text(message)}`);
}

/** How many of what a list has, and whether a tool calls its answer an error. */
function gistOfResult(result: Body): string {
  const { isError } = result;
  const counted = Object.entries(result).flatMap(([name, value]) =>
    Array.isArray(value) && name !== 'content' ? [`${name}: ${value.length}`] : [],
  );
  return cut([...(isError === true ? ['isError'] : []), ...counted].join(', '));
}

/** Rows that a filter lets through. */
export function filterRows(
  rows: readonly MessageRow[],
  { text: wanted, direction }: MessageFilter,
): readonly MessageRow[] {
  const words = wanted.trim().toLowerCase();
  return rows.filter(({ entry, method = '' }) => {
    if (direction !== 'all' && entry.direction !== direction) return false;
    if (words === '') return true;
    return (
      method.toLowerCase().includes(words) || JSON.stringify(entry.message).toLowerCase().includes(words)
    );
  });
}

/** One JSON object a line, as other programs read it. */
export function toNdjson(entries: readonly Entry[]): string {
  return entries
    .map(({ time, direction, message }) => `${JSON.stringify({ time, direction, message })}\n`)
    .join('');
}

function record(value: unknown): Body {
  return typeof value === 'object' && value !== null ? (value as Body) : {};
}

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const cut = (value: string): string => (value.length > MAX_GIST ? `${value.slice(0, MAX_GIST)}…` : value);
