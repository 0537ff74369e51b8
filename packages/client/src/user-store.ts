import type { Clock, Timer } from '@portico/rpc';
import { SdkError } from './errors.ts';

/** How long a store may take, milliseconds. */
const MAX_STORE_MS = 1_000;

/** What using a store of the user's needs. */
export interface StorePort {
  readonly clock: Clock;
  readonly report: (error: Error) => void;
}

/**
 * Asks a store that is not ours. One that throws, rejects or takes longer than a second is reported, and
 * the client goes on as if it had nothing to say: a store only ever saves work.
 */
export async function askStore<T>(
  { clock, report }: StorePort,
  work: () => T | Promise<T>,
): Promise<T | undefined> {
  let timer: Timer | undefined;
  try {
    const answer = work();
    if (!(answer instanceof Object && 'then' in answer)) return answer;
    const late = new Promise<never>((_, reject) => {
      const timeout = { data: { timeout: MAX_STORE_MS }, message: 'a store did not answer in time' };
      timer = clock.setTimer(MAX_STORE_MS, () => reject(new SdkError('REQUEST_TIMEOUT', timeout)));
    });
    return await Promise.race([answer, late]);
  } catch (error) {
    report(error instanceof Error ? error : new TypeError('a store failed', { cause: error }));
    return undefined;
  } finally {
    timer?.cancel();
  }
}
