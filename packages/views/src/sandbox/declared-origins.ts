import type { McpUiResourceCsp } from '@portico/spec';
import type { Refusal } from '../errors.ts';
import type { Profile } from '../profiles.ts';

/** The four lists, with only the entries that may be used. */
export type GrantedOrigins = Required<McpUiResourceCsp>;

export interface OriginRules {
  /** Origin of the trusted page: its own addresses are never granted. `null` has none. */
  readonly shellOrigin: string;
  readonly profile: Profile;
}

const ENTRY = /^([a-z]+):\/\/(\*\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)*)(?::(\d{1,5}|\*))?$/i;
const LIST_SCHEMES: Readonly<Record<keyof McpUiResourceCsp, readonly string[]>> = {
  connectDomains: ['https', 'wss', 'http', 'ws'],
  resourceDomains: ['https', 'http'],
  frameDomains: ['https', 'http'],
  baseUriDomains: ['https', 'http'],
};
/** Longest list; more entries are refused one by one. */
const MAX_ENTRIES = 64;
/** Schemes that name no place in the network and are allowed anyway. */
const LOCAL_SCHEMES = new Set(['data:', 'blob:']);

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function isOwnAddress(host: string, port: string | undefined, shellOrigin: string): boolean {
  if (!URL.canParse(shellOrigin)) return false;
  const shell = new URL(shellOrigin);
  if (host === shell.hostname) return true;
  return isLoopback(host) && isLoopback(shell.hostname) && (port === shell.port || port === '*');
}

function problem(entry: string, schemes: readonly string[], rules: OriginRules): string | undefined {
  const match = ENTRY.exec(entry);
  if (match === null) return 'is no origin: a scheme, a host and at most a port are allowed';
  const [, scheme = '', wildcard, host = '', port] = match;
  if (!schemes.includes(scheme.toLowerCase())) return 'has a scheme that is not allowed in this list';
  const plain = scheme.toLowerCase() === 'http' || scheme.toLowerCase() === 'ws';
  if (plain && !rules.profile.plainHttpOrigins) return 'is not encrypted';
  if (wildcard !== undefined && !host.includes('.')) return 'covers a whole top-level domain';
  if (isOwnAddress(host.toLowerCase(), port, rules.shellOrigin)) return 'is an address of this host';
  return undefined;
}

/**
 * Keeps the declared origins that can stand in a policy. One bad entry does not disturb the others;
 * each comes back as a refusal. What is kept cannot end a directive or a header.
 */
export function grantOrigins(
  declared: McpUiResourceCsp,
  rules: OriginRules,
): { readonly granted: GrantedOrigins; readonly refusals: readonly Refusal[] } {
  const refusals: Refusal[] = [];
  const take = (list: keyof McpUiResourceCsp): string[] =>
    (declared[list] ?? []).filter((entry, index) => {
      if (LOCAL_SCHEMES.has(entry)) return false;
      const reason =
        index >= MAX_ENTRIES
          ? `is beyond the ${MAX_ENTRIES} entries of a list`
          : problem(entry, LIST_SCHEMES[list], rules);
      if (reason === undefined) return true;
      const subject = entry.slice(0, 200);
      refusals.push({
        ruleId: 'apps-P8',
        reason: `The ${list} entry ${JSON.stringify(subject)} ${reason}.`,
        subject,
      });
      return false;
    });
  const granted: GrantedOrigins = {
    connectDomains: take('connectDomains'),
    resourceDomains: take('resourceDomains'),
    frameDomains: take('frameDomains'),
    baseUriDomains: take('baseUriDomains'),
  };
  return { granted, refusals };
}
