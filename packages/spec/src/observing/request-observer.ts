import { type Clock, runGuarded } from '@portico/rpc';
import { isRecord } from '../guards.ts';
import { hasEnvelope } from '../read-protocol-version.ts';
import type { SdkErrorCode } from '../sdk-errors.ts';
import type { ProtocolEra } from '../versions.ts';

/**
 * How a request ended. `ok`, a tool that failed (`tool_error`), an interim result, the number of an error
 * answer, or the code of the local error that stands for no answer at all: `REQUEST_TIMEOUT`,
 * `REQUEST_ABORTED`, `CONNECTION_CLOSED` and the transport's.
 */
export type RequestOutcome = 'ok' | 'tool_error' | 'input_required' | 'task' | SdkErrorCode | number;

/** One request that is over. What it said and what it was answered is never in here. */
export interface RequestObservation {
  readonly direction: 'outgoing' | 'incoming';
  readonly method: string;
  /** The tool, prompt or task by its name, the resource by its URI, where the request names one. */
  readonly target?: string;
  readonly era: ProtocolEra;
  /** Epoch milliseconds, by the clock of the client or server. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** Bytes of the message as compact JSON in UTF-8. Missing where objects are handed over. */
  readonly requestBytes?: number;
  /** As `requestBytes`; missing, too, where no answer came. */
  readonly responseBytes?: number;
  readonly outcome: RequestOutcome;
}

/**
 * Hears of each request once, when it is over, after its answer went on its way. Nothing waits for it or
 * looks at what it returns; a throw or a rejection is reported to `onerror` and changes nothing.
 */
export type RequestObserver = (observation: RequestObservation) => unknown;

/** What observing needs. */
export interface ObserverPort {
  readonly observer: RequestObserver;
  readonly clock: Clock;
  readonly report: (error: Error) => void;
}

/** A request that begins. */
export interface SeenRequest {
  readonly direction: RequestObservation['direction'];
  readonly method: string;
  /** With the envelope, where there is one. */
  readonly params: unknown;
  readonly bytes: number | undefined;
}

/** Tells how a request ended; only the first call counts. */
export type EndObservation = (outcome: RequestOutcome, bytes?: number) => void;

/** Longest method or target that is told, in UTF-16 units: the other side writes them. */
const MAX_NAME = 1024;

/** Begins to observe one request. */
export function beginObservation(port: ObserverPort, seen: SeenRequest): EndObservation {
  const { observer, clock, report } = port;
  const { direction, params, bytes: requestBytes } = seen;
  const method = seen.method.slice(0, MAX_NAME);
  const target = targetOf(method, params)?.slice(0, MAX_NAME);
  const era: ProtocolEra = hasEnvelope(params) ? 'modern' : 'legacy';
  const startedAtMs = clock.now();
  let ended = false;
  return (outcome, responseBytes) => {
    if (ended) return;
    ended = true;
    const observation: RequestObservation = {
      direction,
      method,
      ...(target === undefined ? {} : { target }),
      era,
      startedAtMs,
      durationMs: clock.now() - startedAtMs,
      ...(requestBytes === undefined ? {} : { requestBytes }),
      ...(responseBytes === undefined ? {} : { responseBytes }),
      outcome,
    };
    // What this turn has yet to do goes first.
    queueMicrotask(() => runGuarded('observer', () => observer(observation), report));
  };
}

/** What an answer, or its result alone, came to. */
export function outcomeOf(result: unknown): RequestOutcome {
  if (!isRecord(result)) return 'ok';
  const { resultType, isError } = result;
  if (resultType === 'input_required' || resultType === 'task') return resultType;
  return isError === true ? 'tool_error' : 'ok';
}

/** How many bytes a message takes on a wire; undefined for what JSON cannot hold. */
export function bytesOf(message: object): number | undefined {
  try {
    return new TextEncoder().encode(JSON.stringify(message)).byteLength;
  } catch {
    return undefined;
  }
}

/** The member that names what a request is about; other methods may hold anything there. */
const TARGETS: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'resources/subscribe': 'uri',
  'resources/unsubscribe': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

function targetOf(method: string, params: unknown): string | undefined {
  if (!isRecord(params)) return undefined;
  const { ref } = params;
  const target =
    method === 'completion/complete' && isRecord(ref)
      ? (ref['name'] ?? ref['uri'])
      : Object.hasOwn(TARGETS, method) && params[TARGETS[method] ?? ''];
  return typeof target === 'string' ? target : undefined;
}
