import { type JSONRPCMessage, isJSONRPCNotification } from '@portico/rpc';
import type { Instance } from './handler-target.ts';

/**
 * Hands notifications to a server and lets it go once their handlers are done. Nobody waits for that:
 * what becomes of a notification is no matter of its sender, and a handler may never end.
 */
export async function notifyAndRelease(
  instance: Instance,
  messages: readonly JSONRPCMessage[],
  report: (error: Error) => void,
): Promise<void> {
  const handled = messages
    .filter(isJSONRPCNotification)
    .map(async (message) => instance.server.notified(message));
  for (const outcome of await Promise.allSettled(handled)) {
    if (outcome.status === 'rejected') report(asError(outcome.reason));
  }
  try {
    await instance.release();
  } catch (error) {
    report(asError(error));
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new TypeError(String(thrown));
}
