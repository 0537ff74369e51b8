import { isLoopbackHost } from '@portico/oauth';
import type { AddressClass } from './address-class.ts';

/** Places inside a network that a person may choose by typing an address there. */
const INSIDE: ReadonlySet<AddressClass> = new Set(['private', 'link-local', 'shared']);

/**
 * Where an address that a person typed may lead besides the public internet: to the very host that they
 * typed, when that is inside their network, and within this machine when they typed this machine. A
 * server far away, or a name that somebody else can turn round, is no way into either.
 */
export function reachOf(typed: string): (kind: AddressClass, target: URL) => boolean {
  const { hostname } = new URL(typed);
  const isThisMachine = isLoopbackHost(hostname);
  return (kind, target) => {
    if (kind === 'loopback') return isThisMachine;
    return INSIDE.has(kind) && target.hostname === hostname;
  };
}
