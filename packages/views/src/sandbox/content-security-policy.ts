import type { McpUiResourceCsp } from '@portico/spec';
import type { Refusal } from '../errors.ts';
import { PROFILES } from '../profiles.ts';
import type { Profile } from '../profiles.ts';
import { grantOrigins } from './declared-origins.ts';
import type { GrantedOrigins } from './declared-origins.ts';

export interface ViewPolicy {
  /** Value of the `content-security-policy` header. */
  readonly header: string;
  readonly granted: GrantedOrigins;
  readonly refusals: readonly Refusal[];
}

export interface ViewPolicyOptions {
  readonly shellOrigin: string;
  /** Default `open`. */
  readonly profile?: Profile;
}

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
  const { shellOrigin, profile = PROFILES.open } = options;
  const { granted, refusals } = grantOrigins(declared, { shellOrigin, profile });
  const resources = granted.resourceDomains;
  const directive = (name: string, ...sources: readonly (string | readonly string[])[]): string =>
    `${name} ${sources.flat().join(' ')}`;
  const orNone = (sources: readonly string[]): readonly string[] =>
    sources.length === 0 ? ["'none'"] : sources;
  const header = [
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
    `frame-ancestors 'self' ${shellOrigin}`,
  ].join('; ');
  return { header, granted, refusals };
}
