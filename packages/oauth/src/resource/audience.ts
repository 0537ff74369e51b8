import type { AuthInfo } from '../auth-info.ts';

/**
 * Whether a token is for this resource; undefined when it does not say whom it is for. Addresses are
 * compared as texts, but for their fragment and one slash at the end. Source: W231.
 */
export function isMeantFor({ resource, audience }: AuthInfo, expected: URL): boolean | undefined {
  const stated = [
    ...(resource === undefined ? [] : [resource.href]),
    ...(audience === undefined ? [] : [audience].flat()),
  ];
  if (stated.length === 0) return undefined;
  const wanted = comparable(expected.href);
  return stated.some((each) => comparable(each) === wanted);
}

/** Scheme and host in the canonical spelling, without fragment and without one last slash. */
function comparable(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.hash = '';
  return url.href.replace(/\/$/, '');
}
