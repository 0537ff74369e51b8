import { OAuthClientFlowError } from '../flow-errors.ts';
import type { AuthorizationStep } from '../steps.ts';

/**
 * Looks at an address before it is asked, such as for where its name leads. Throws, or rejects, to
 * refuse it; what it throws becomes the cause of `url_refused`.
 */
export type UrlCheck = (url: URL) => void | Promise<void>;

const LOOPBACK_V4 = /^127(?:\.\d{1,3}){3}$/;

/** Whether a host, as a URL has it, is this machine itself. Source: RFC 8252, section 7.3. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    LOOPBACK_V4.test(hostname)
  );
}

/** Whether what goes there cannot be read on the way: https, or http within this machine. */
export function isConfidential(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
}

function refuse(data: { url: string; reason: string }, step: AuthorizationStep, cause?: unknown): never {
  throw new OAuthClientFlowError('url_refused', {
    data,
    step,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** What an address is checked for. */
export interface UrlFilter {
  readonly step: AuthorizationStep;
  readonly checkUrl?: UrlCheck | undefined;
  /** An origin that the person chose: it is as safe as they wanted it. */
  readonly trustedOrigin?: string | undefined;
}

/**
 * Takes an address out of a document: https, or http on loopback, without a name and a password in it.
 * Source: W217, W226.
 *
 * @throws OAuthClientFlowError `url_refused`
 */
export function parseConfidential(text: string, { step, trustedOrigin }: UrlFilter): URL {
  if (!URL.canParse(text)) return refuse({ url: text.slice(0, 200), reason: 'it is no address' }, step);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    return refuse({ url: url.origin, reason: 'it holds a name or a password' }, step);
  }
  if (url.origin === trustedOrigin || isConfidential(url)) return url;
  return refuse({ url: url.href, reason: 'it is neither https nor on this machine' }, step);
}

/** As {@link parseConfidential}, and asks the caller's own check. @throws OAuthClientFlowError `url_refused` */
export async function filterUrl(text: string, filter: UrlFilter): Promise<URL> {
  const url = parseConfidential(text, filter);
  try {
    await filter.checkUrl?.(url);
  } catch (error) {
    return refuse({ url: url.href, reason: 'the check of addresses refuses it' }, filter.step, error);
  }
  return url;
}
