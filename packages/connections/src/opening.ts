import { SdkError, failureOf } from '@portico/client';
import type { VersionNegotiationOptions } from '@portico/client';
import type { Transport } from '@portico/rpc';
import type { ConnectionsOptions } from './options.ts';
import { linkFailure } from './link-failure.ts';
import type { ServerLink } from './server-link.ts';
import type { ConnectionFailure } from './state.ts';

/** What an opening works on. */
export interface Opening {
  readonly id: string;
  readonly definition: unknown;
  readonly link: ServerLink;
  readonly options: ConnectionsOptions;
  /** Time for all of it, milliseconds. */
  readonly timeoutMs: number;
  /** Fires when the opening is no longer wanted. */
  readonly signal: AbortSignal;
}

/** Closes a channel that was made after it was given up. */
async function discard(making: Promise<Transport>): Promise<void> {
  try {
    const transport = await making;
    await transport.close();
  } catch {
    // It never came to be, which is just as well.
  }
}

/** The channel, or a rejection as soon as the signal fires: making one may hang. */
async function makeTransport(opening: Opening, signal: AbortSignal): Promise<Transport> {
  const { options, id, definition } = opening;
  const making = (async () => options.createTransport(id, definition))();
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      void discard(making);
      reject(new SdkError('REQUEST_ABORTED'));
    };
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    making.then(
      (transport) => {
        signal.removeEventListener('abort', abort);
        if (!signal.aborted) resolve(transport);
      },
      (error: unknown) => {
        signal.removeEventListener('abort', abort);
        reject(error);
      },
    );
  });
}

/** The server was there, but not ready in time. */
export function timedOut(timeoutMs: number): ConnectionFailure {
  return {
    code: 'REQUEST_TIMEOUT',
    message: `the server was not ready within ${Math.round(timeoutMs / 1_000)} s`,
    step: 'timeout',
    retryable: true,
  };
}

/** What was thrown while the channel was made: the maker's own errors keep their code. */
function setupFailure(error: unknown): ConnectionFailure {
  if (error instanceof SdkError) return failureOf(error);
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return {
    code: typeof code === 'string' ? code : 'setup_failed',
    message: error instanceof Error ? error.message : 'the connection could not be set up',
    step: 'setup',
    // Settings do not get better by themselves.
    retryable: false,
  };
}

/** Channels over a child know its last words, which often say why nothing came. */
function withLastWords(failure: ConnectionFailure, transport: Transport): ConnectionFailure {
  if (failure.stderrTail !== undefined || !('stderrTail' in transport)) return failure;
  const { stderrTail } = transport;
  if (typeof stderrTail !== 'function') return failure;
  const lines: unknown = stderrTail.call(transport);
  return Array.isArray(lines) && lines.length > 0 ? { ...failure, stderrTail: lines } : failure;
}

/** How long the question about the era may stay unanswered, milliseconds: silence on a pipe says "legacy". */
const PIPE_PROBE_MS = 3_000;
const HTTP_PROBE_MS = 10_000;

function negotiation(
  transport: Transport,
  { versionNegotiation }: ConnectionsOptions,
): VersionNegotiationOptions {
  const timeoutMs = transport.hasPerRequestStream === true ? HTTP_PROBE_MS : PIPE_PROBE_MS;
  return { mode: 'auto', ...versionNegotiation, probe: { timeoutMs, ...versionNegotiation?.probe } };
}

/** Shakes hands over a channel, and over another one in its place for as long as there is one. */
async function connectOver(
  first: Transport,
  opening: Opening,
  signal: AbortSignal,
): Promise<{ readonly failure?: ConnectionFailure; readonly transport: Transport }> {
  const { options, timeoutMs, link, id, definition } = opening;
  let transport = first;
  for (let tried = 1; ; tried += 1) {
    try {
      link.client.setVersionNegotiation(negotiation(transport, options));
      await link.client.connect(transport, { signal, timeout: timeoutMs });
      return { transport };
    } catch (error) {
      const next = signal.aborted ? undefined : await options.alternative?.(id, definition, { error, tried });
      // Nobody may want it any more by now.
      if (signal.aborted) await next?.close();
      if (next === undefined || signal.aborted) return { failure: linkFailure(error), transport };
      transport = next;
    }
  }
}

/**
 * Makes the channel and shakes hands, all within one time.
 *
 * @returns why it failed; nothing when the link is open, or when nobody wants it any more
 */
export async function openLink(opening: Opening): Promise<ConnectionFailure | undefined> {
  const { options, timeoutMs } = opening;
  const inner = new AbortController();
  const abort = (): void => inner.abort();
  opening.signal.addEventListener('abort', abort, { once: true });
  const timer = options.clock.setTimer(timeoutMs, abort);
  const ended = (failure: ConnectionFailure | undefined): ConnectionFailure | undefined => {
    if (failure === undefined || opening.signal.aborted) return undefined;
    return inner.signal.aborted ? timedOut(timeoutMs) : failure;
  };
  try {
    const made = await makeTransport(opening, inner.signal);
    const { failure, transport } = await connectOver(made, opening, inner.signal);
    const shown = ended(failure);
    return shown === undefined ? undefined : withLastWords(shown, transport);
  } catch (error) {
    return ended(setupFailure(error));
  } finally {
    timer.cancel();
    opening.signal.removeEventListener('abort', abort);
  }
}
