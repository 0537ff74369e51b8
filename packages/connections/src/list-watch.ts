import type { Clock } from '@portico/rpc';
import { backOffMs } from './policy.ts';
import type { ReconnectPolicy } from './policy.ts';
import type { ServerLink } from './server-link.ts';
import type { Timers } from './timers.ts';

/** What listening for notices needs of its connection. */
export interface WatchPort {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly link: ServerLink;
  random(): number;
  policy(): ReconnectPolicy;
  /** Whether this is still the connection there is. */
  isCurrent(): boolean;
  /** Takes a place for listening; nothing when there is none. */
  hold(): Promise<(() => void) | undefined>;
  /** A stream broke, and notices may have been missed. */
  missed(): void;
}

/**
 * Listens for notices for as long as the connection lives; a stream that broke is opened anew.
 *
 * @param drops streams that broke in a row, this one included
 */
export async function watchLists(port: WatchPort, drops = 1): Promise<void> {
  const startedMs = port.clock.now();
  const ending = await port.link.watchLists(() => port.hold());
  if (!port.isCurrent() || ending === 'none' || ending === 'local') return;
  const policy = port.policy();
  const steady = port.clock.now() - startedMs >= policy.steadyAfterMs;
  const delayMs = backOffMs(policy, steady ? 1 : drops, port.random());
  port.timers.arm('watch', delayMs, () => {
    port.missed();
    void watchLists(port, steady ? 1 : drops + 1);
  });
}
