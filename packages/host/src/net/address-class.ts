import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** What kind of place an IP address is. `public` is the internet; everything else is somebody's inside. */
export type AddressClass =
  | 'public'
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'metadata'
  | 'shared'
  | 'multicast'
  | 'unspecified'
  | 'reserved';

type Range = readonly [address: string, prefix: number, kind: Exclude<AddressClass, 'public'>];

/** First match wins, so exact places stand above the ranges that hold them. Source: the IANA special-purpose registries. */
const RANGES: readonly Range[] = [
  ['169.254.169.254', 32, 'metadata'],
  ['169.254.170.2', 32, 'metadata'],
  ['100.100.100.200', 32, 'metadata'],
  ['fd00:ec2::254', 128, 'metadata'],
  ['fd20:ce::254', 128, 'metadata'],
  ['0.0.0.0', 8, 'unspecified'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'reserved'],
  ['192.88.99.0', 24, 'reserved'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'reserved'],
  ['198.51.100.0', 24, 'reserved'],
  ['203.0.113.0', 24, 'reserved'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
  ['::', 128, 'unspecified'],
  ['::1', 128, 'loopback'],
  ['64:ff9b:1::', 48, 'reserved'],
  ['100::', 64, 'reserved'],
  ['2001::', 23, 'reserved'],
  ['2001:db8::', 32, 'reserved'],
  ['3fff::', 20, 'reserved'],
  ['5f00::', 16, 'reserved'],
  ['fc00::', 7, 'private'],
  ['fe80::', 10, 'link-local'],
  ['fec0::', 10, 'reserved'],
  ['ff00::', 8, 'multicast'],
];

/** IPv6 ranges whose addresses carry an IPv4 address, with the byte it begins at. */
const CARRIERS: readonly (readonly [address: string, prefix: number, at: number])[] = [
  ['::ffff:0:0', 96, 12],
  ['::ffff:0:0:0', 96, 12],
  ['64:ff9b::', 96, 12],
  ['2002::', 16, 2],
  ['::', 96, 12],
];

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

function blockOf(address: string, prefix: number): BlockList {
  const block = new BlockList();
  block.addSubnet(address, prefix, familyOf(address));
  return block;
}

/** Tells what kind of place an address is; made once, since the ranges are compiled. */
export type AddressClassifier = (address: string) => AddressClass;

/**
 * @returns a classifier of IPv4 and IPv6 addresses in their usual spelling. IPv6 addresses that carry an
 *   IPv4 address (mapped, translated, 6to4) are what that one is; text that is no address is `reserved`.
 */
export function createAddressClassifier(): AddressClassifier {
  const ranges = RANGES.map(
    ([address, prefix, kind]) => [blockOf(address, prefix), familyOf(address), kind] as const,
  );
  const carriers = CARRIERS.map(([address, prefix, at]) => [blockOf(address, prefix), at] as const);
  const plainClass = (address: string, family: 'ipv4' | 'ipv6'): AddressClass => {
    // A BlockList also finds mapped addresses in IPv4 ranges, so each is asked for its own family only.
    const range = ranges.find(([block, kind]) => kind === family && block.check(address, family));
    return range?.[2] ?? 'public';
  };
  return (address) => {
    const bare = address.replace(/%.*$/s, '');
    if (isIPv4(bare)) return plainClass(bare, 'ipv4');
    if (!isIPv6(bare)) return 'reserved';
    const own = plainClass(bare, 'ipv6');
    if (own !== 'public') return own;
    const carrier = carriers.find(([block]) => block.check(bare, 'ipv6'));
    if (carrier !== undefined) return plainClass(carriedAddress(bare, carrier[1]), 'ipv4');
    // Outside 2000::/3 nothing is given out.
    return /^[23]/.test(bare) ? 'public' : 'reserved';
  };
}

/** The IPv4 address that begins at a byte of an IPv6 address. */
function carriedAddress(address: string, at: number): string {
  return bytesOf(address)
    .slice(at, at + 4)
    .join('.');
}

/** The 16 bytes of a valid IPv6 address. */
function bytesOf(address: string): number[] {
  // The URL parser writes the last part as hexadecimal groups, whatever it was given as.
  const hex = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = hex.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const before = groups(head);
  const after = groups(tail ?? '');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
