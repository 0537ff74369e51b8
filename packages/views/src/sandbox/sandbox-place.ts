import { ViewsError } from '../errors.ts';
import type { ViewResource } from '../view-resource.ts';

/** An address, or what answers one for the resource that is to be shown. */
export type SandboxUrl = string | ((resource: ViewResource) => string);

/** Where the outer document of a view comes from. */
export type SandboxPlace = { readonly origin: 'opaque' } | { readonly origin: string; readonly url: string };

/**
 * The place of a view's sandbox: the address given, or a document without an origin of its own.
 *
 * @param pageOrigin of the page around, which no view may share
 * @throws ViewsError `unsafe_sandbox`
 */
export function sandboxPlace(
  sandboxUrl: SandboxUrl | undefined,
  resource: ViewResource,
  pageOrigin: string,
): SandboxPlace {
  if (sandboxUrl === undefined) return { origin: 'opaque' };
  const url = typeof sandboxUrl === 'string' ? sandboxUrl : sandboxUrl(resource);
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  const ofTheWeb = parsed?.protocol === 'https:' || parsed?.protocol === 'http:';
  // A relative address is one of the page's own.
  if (parsed === undefined || !ofTheWeb || parsed.origin === pageOrigin) {
    throw new ViewsError('unsafe_sandbox', { url: String(url).slice(0, 500) });
  }
  return { origin: parsed.origin, url };
}
