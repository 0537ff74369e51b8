import { ExchangeScope } from '@portico/rpc';
import { SdkHttpError } from '../errors.ts';
import { exchange } from './channel.ts';
import type { HttpChannel } from './channel.ts';

/** How long ending a session may hold up a close, milliseconds. */
const END_LIMIT_MS = 2_000;
/** How long a server may take to name the session that it began for somebody who is gone, milliseconds. */
const LATE_LIMIT_MS = 2_000;

/**
 * Tells a server that a session is over.
 *
 * @param headers name the session
 * @throws SdkHttpError `CLIENT_HTTP_FAILED_TO_TERMINATE_SESSION`
 * @throws SdkError `CLIENT_HTTP_NETWORK`
 */
export async function endSession(channel: HttpChannel, headers: Record<string, string>): Promise<void> {
  const { url, clock } = channel;
  const scope = new ExchangeScope();
  const timer = clock.setTimer(END_LIMIT_MS, () => scope.abort());
  try {
    const answer = await exchange(channel, { url, method: 'DELETE', headers, scope, urgent: true });
    const { status, statusText } = answer;
    answer.discard();
    // Servers may keep sessions to themselves, and a session that is gone is ended.
    if ((status >= 200 && status < 300) || status === 405 || status === 404) return;
    throw new SdkHttpError('CLIENT_HTTP_FAILED_TO_TERMINATE_SESSION', { status, statusText });
  } finally {
    timer.cancel();
  }
}

/** A session that was given up while it was being begun. */
export interface LateSession {
  /** Settles when the server has named it, or will not. */
  readonly named: Promise<unknown>;
  /** Ends the exchange that began it. */
  readonly scope: ExchangeScope;
}

/**
 * Waits a little for a server that is still to answer, since a session whose name nobody knows cannot be
 * ended; then gives the connections back. Never rejects, and holds nobody up.
 */
export async function endLateSession(
  transport: { terminateSession(): Promise<void> },
  { named, scope }: LateSession,
  { clock, http }: HttpChannel,
): Promise<void> {
  const timer = clock.setTimer(LATE_LIMIT_MS, () => scope.abort());
  try {
    await named;
    await transport.terminateSession();
  } catch {
    // There is none, or the server ends it by itself.
  }
  timer.cancel();
  scope.abort();
  await http.close();
}
