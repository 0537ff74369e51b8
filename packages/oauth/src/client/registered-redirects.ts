import type { OAuthClientInformationMixed } from '../documents.ts';
import { isLoopbackHost } from './url-filter.ts';

/**
 * Whether a browser may be sent back to an address as far as a registration says where to. One that says
 * nothing was made by hand, or is a document of our own. A loopback address without a port stands for
 * every port, as servers have to take it. Source: RFC 7591 section 3.2.1, RFC 8252 section 7.3.
 */
export function mayComeBackTo(client: OAuthClientInformationMixed, redirectUrl: string | URL): boolean {
  const registered = 'redirect_uris' in client ? client.redirect_uris : undefined;
  if (!Array.isArray(registered)) return true;
  const wanted = String(redirectUrl);
  return registered.some((each: unknown) => each === wanted || each === withoutLoopbackPort(wanted));
}

function withoutLoopbackPort(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== 'http:' || !isLoopbackHost(url.hostname)) return undefined;
  url.port = '';
  return url.href;
}
