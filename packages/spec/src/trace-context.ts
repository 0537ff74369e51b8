import { BAGGAGE_META_KEY, TRACEPARENT_META_KEY, TRACESTATE_META_KEY } from './meta-keys.ts';

/** Where a request stands in a trace, as https://www.w3.org/TR/trace-context/ and /baggage/ have it. */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** 16 of them, not all zero: the span that this request is part of. */
  readonly spanId: string;
  /** Whether the trace is recorded; false by default. */
  readonly sampled?: boolean;
  /** What tracing systems add, newest first; 32 at most. */
  readonly state?: Readonly<Record<string, string>>;
  /** What applications hand on; any text, 64 entries and 8,192 bytes at most. */
  readonly baggage?: Readonly<Record<string, string>>;
}

/** The members of `_meta` that carry a trace. */
export interface TraceMeta {
  readonly [TRACEPARENT_META_KEY]: string;
  readonly [TRACESTATE_META_KEY]?: string;
  readonly [BAGGAGE_META_KEY]?: string;
}

const MAX_STATES = 32;
const MAX_BAGGAGE_ENTRIES = 64;
const MAX_BAGGAGE_BYTES = 8192;

const STATE_KEY = /^(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})$/;
/** Printable ASCII but comma and equals sign, with no blank at its end. */
const STATE_VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const BAGGAGE_KEY = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * The `_meta` members for a trace, to be spread into the `_meta` of any request, result or notification.
 * Whoever passes a trace on unchanged needs no writer: received members may be handed on as they are.
 *
 * @throws RangeError for parts that the W3C formats cannot hold
 */
export function traceMeta({ traceId, spanId, sampled, state, baggage }: TraceContext): TraceMeta {
  requireFit(isHex(traceId, 32), 'the id of the trace');
  requireFit(isHex(spanId, 16), 'the id of the span');
  const states = Object.entries(state ?? {});
  const entries = Object.entries(baggage ?? {});
  return {
    [TRACEPARENT_META_KEY]: `00-${traceId}-${spanId}-${sampled === true ? '01' : '00'}`,
    ...(states.length === 0 ? {} : { [TRACESTATE_META_KEY]: stateText(states) }),
    ...(entries.length === 0 ? {} : { [BAGGAGE_META_KEY]: baggageText(entries) }),
  };
}

function isHex(id: string, digits: number): boolean {
  return id.length === digits && /^[0-9a-f]+$/.test(id) && !/^0+$/.test(id);
}

function stateText(states: readonly (readonly [string, string])[]): string {
  requireFit(states.length <= MAX_STATES, 'the number of states');
  for (const [key, value] of states) {
    requireFit(STATE_KEY.test(key) && STATE_VALUE.test(value), `the state ${JSON.stringify(key)}`);
  }
  return states.map(([key, value]) => `${key}=${value}`).join(',');
}

function baggageText(entries: readonly (readonly [string, string])[]): string {
  const text = entries.map(([key, value]) => `${key}=${percentEncoded(key, value)}`).join(',');
  requireFit(
    entries.length <= MAX_BAGGAGE_ENTRIES && text.length <= MAX_BAGGAGE_BYTES,
    'the size of baggage',
  );
  return text;
}

/** Leaves nothing but ASCII, so that characters are bytes. */
function percentEncoded(key: string, value: string): string {
  requireFit(BAGGAGE_KEY.test(key), `the baggage ${JSON.stringify(key)}`);
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new RangeError(`the baggage ${JSON.stringify(key)} is no text`, { cause });
  }
}

function requireFit(fits: boolean, what: string): void {
  if (!fits) throw new RangeError(`${what} does not fit the W3C format`);
}
