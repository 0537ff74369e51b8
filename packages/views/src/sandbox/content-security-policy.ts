import type { McpUiResourceCsp } from '@portico/spec';
import type { Refusal } from '../errors.ts';
import { PROFILES } from '../profiles.ts';
import type { Profile } from '../profiles.ts';
import { grantOrigins } from './declared-origins.ts';
import type { GrantedOrigins } from './declared-origins.ts';

/** `declared`: what the view's resource declares and no more; `permissive`: any place in the network. */
export type CspMode = 'declared' | 'permissive';

export interface ViewPolicy {
  /** Value of the `content-security-policy` header. */
  readonly header: string;
  /** The same for a `<meta>` element, where browsers know no `frame-ancestors`. */
  readonly meta: string;
  readonly granted: GrantedOrigins;
  readonly refusals: readonly Refusal[];
}

export interface ViewPolicyOptions {
  readonly shellOrigin: string;
  /** Default `open`. */
  readonly profile?: Profile;
  /** Default `declared`. */
  readonly mode?: CspMode;
}

const ANYWHERE: readonly string[] = ['https:', 'http:'];

/** Every list open; what cannot be reached by address stays closed. */
const PERMISSIVE: GrantedOrigins = {
  connectDomains: [...ANYWHERE, 'wss:', 'ws:'],
  resourceDomains: [...ANYWHERE],
  frameDomains: [...ANYWHERE],
  baseUriDomains: [...ANYWHERE],
};

/**
 * The policy of a view's document (P8): everything it brings along may run, `unsafe-eval` and blob
 * workers included because common libraries need them, and only declared origins can be reached.
 *
 * @param declared `_meta.ui.csp` of the view's resource
 */
export function viewContentSecurityPolicy(
  declared: McpUiResourceCsp,
  options: ViewPolicyOptions,
): ViewPolicy {
  const { shellOrigin, profile = PROFILES.open, mode = 'declared' } = options;
  const { granted, refusals } =
    mode === 'permissive'
      ? { granted: PERMISSIVE, refusals: [] }
      : grantOrigins(declared, { shellOrigin, profile });
  const resources = granted.resourceDomains;
  const directive = (name: string, ...sources: readonly (string | readonly string[])[]): string =>
    `${name} ${sources.flat().join(' ')}`;
  const orNone = (sources: readonly string[]): readonly string[] =>
    sources.length === 0 ? ["'none'"] : sources;
  const meta = [
    "default-src 'none'",
    directive('script-src', "'unsafe-inline' 'unsafe-eval' blob: data:", resources),
    directive('style-src', "'unsafe-inline' blob: data:", resources),
    directive('img-src', 'data: blob:', resources),
    directive('font-src', 'data: blob:', resources),
    directive('media-src', 'data: blob:', resources),
    directive('worker-src', 'blob: data:', resources),
    directive('connect-src', 'data: blob:', granted.connectDomains),
    directive('frame-src', orNone(granted.frameDomains)),
    directive('base-uri', orNone(granted.baseUriDomains)),
    "form-action 'none'",
    "object-src 'none'",
  ].join('; ');
  return { header: `${meta}; frame-ancestors 'self' ${shellOrigin}`, meta, granted, refusals };
}
