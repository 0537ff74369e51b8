import type { Transport } from '@portico/rpc';
import { ObservedTransport } from '@portico/spec';
import type { ObserverPort } from '@portico/spec';

/** Puts an observer around the transport of a connection; `origin` is what the user gave. */
export type Observe = (guarded: Transport, origin: Transport) => ObservedTransport;

/** How connections are observed: loaded only by clients that have an observer. */
export function observingWith(port: ObserverPort): Observe {
  return (guarded, origin) => new ObservedTransport(guarded, port, origin.handsOverObjects !== true);
}
