import type { LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { HostError } from '../errors.ts';
import type { AddressClass } from './address-class.ts';
import { createAddressClassifier } from './address-class.ts';

/** All addresses of a name. */
export type ResolveName = (name: string) => Promise<readonly { address: string; family: number }[]>;

export interface AddressGuardOptions {
  /**
   * Whether a place that is not the public internet may be talked to. Metadata services of clouds
   * never may, whatever this says.
   */
  mayReach(kind: AddressClass, target: URL): boolean;
  /** The system's resolver unless given. */
  readonly resolve?: ResolveName;
}

/** Decides where connections may go: by what stands in an address, and by what its name leads to. */
export interface AddressGuard {
  /** @throws HostError address_refused; data has the host and the reason */
  check(target: URL): void;
  /**
   * Resolves for connections to the target's host, looks at every address and hands on exactly those:
   * a name that changes its mind between look-up and connection gains nothing.
   */
  lookup(target: URL): LookupFunction;
}

export function createAddressGuard(options: AddressGuardOptions): AddressGuard {
  const classify = createAddressClassifier();
  const resolve = options.resolve ?? ((name) => systemLookup(name, { all: true }));
  const checkAddress = (address: string, target: URL): void => {
    const kind = classify(address);
    if (kind === 'public') return;
    if (kind !== 'metadata' && options.mayReach(kind, target)) return;
    throw addressRefused(target, `a ${kind} address`);
  };
  return {
    check(target) {
      if (target.protocol !== 'https:' && target.protocol !== 'http:') {
        throw addressRefused(target, `the scheme ${target.protocol}`);
      }
      if (target.username !== '' || target.password !== '') {
        throw addressRefused(target, 'a password in the address');
      }
      const literal = target.hostname.replace(/^\[|\]$/g, '');
      // Connections to literal addresses ask no resolver.
      if (isIP(literal) !== 0) checkAddress(literal, target);
    },
    lookup: (target) => pinnedLookup(resolve, (address) => checkAddress(address, target)),
  };
}

/** The refusal of an address. */
export function addressRefused(target: URL, reason: string): HostError {
  const { host } = target;
  return new HostError('address_refused', {
    message: `${host} is refused: ${reason}`,
    data: { host, reason },
  });
}

/** Connections that choose among address families, as ours are told to, take the whole list. */
function pinnedLookup(resolve: ResolveName, check: (address: string) => void): LookupFunction {
  return callbackify(async (name: string, _options: LookupOptions) => {
    const found = await resolve(name);
    for (const { address } of found) check(address);
    if (found.length === 0) throw Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' });
    return found.map(({ address, family }) => ({ address, family }));
  });
}
