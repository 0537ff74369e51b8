import { validateOriginHeader } from './header-validation.ts';

/** Which hosts and pages may talk to an HTTP endpoint. */
export interface HostGuardOptions {
  /**
   * Host names (without port) that requests may be addressed to. Default: loopback names only.
   * The single entry `*` lifts the check for servers behind a proxy that checks it.
   */
  readonly allowedHosts?: readonly string[];
  /**
   * Origins (`https://app.example`) or host names whose pages may call beside pages of the request's
   * own host. Default: loopback pages, where the request is to a loopback name.
   */
  readonly allowedOrigins?: readonly string[];
}

/** The checks of transports that are wired by hand. */
export interface HandWiredGuardOptions {
  /**
   * Whether `Host` is checked, against `allowedHosts` or else loopback names. Default false: such
   * transports stand behind something that does it. Pages of foreign origins are refused always.
   */
  readonly enableDnsRebindingProtection?: boolean;
  /** Host names that requests may be addressed to; ports do not matter. */
  readonly allowedHosts?: readonly string[];
  /** Origins or host names whose pages may call beside pages of the request's own host. */
  readonly allowedOrigins?: readonly string[];
}

/** The guard of a transport that is wired by hand. */
export function handWiredGuard(options: HandWiredGuardOptions): HostGuardOptions {
  const { enableDnsRebindingProtection, allowedHosts, allowedOrigins } = options;
  const origins = allowedOrigins === undefined ? {} : { allowedOrigins };
  if (enableDnsRebindingProtection !== true) return { allowedHosts: ['*'], ...origins };
  if (allowedHosts === undefined) return origins;
  return { allowedHosts: allowedHosts.map((host) => host.replace(/:\d+$/, '')), ...origins };
}

/** The names under which a machine reaches itself. */
const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Why a request is refused, as one sentence for the body of the 403; nothing when it may pass. */
export function refuseForeignHost(
  headers: { readonly host: string | undefined; readonly origin: string | undefined },
  options: HostGuardOptions,
): string | undefined {
  const hosts = options.allowedHosts ?? LOOPBACK_HOSTS;
  const anyHost = hosts.includes('*');
  const hostname = headers.host === undefined ? undefined : hostnameOfHeader(headers.host);
  if (!anyHost && (hostname === undefined || !hosts.includes(hostname))) {
    return `Host ${shown(headers.host)} is not allowed here.`;
  }
  if (headers.origin === undefined) return undefined;
  const originHostname = hostnameOf(headers.origin);
  if (originHostname === undefined) return `Origin ${shown(headers.origin)} is not allowed here.`;
  // Browser extensions are allowed by their scheme, as by the helpers for adapters.
  if (validateOriginHeader(headers.origin, options.allowedOrigins ?? []).ok) return undefined;
  const isLoopback = (name: string | undefined): boolean =>
    name !== undefined && LOOPBACK_HOSTS.includes(name);
  const listed =
    options.allowedOrigins?.some((entry) => entry === headers.origin || entry === originHostname) ??
    (isLoopback(originHostname) && isLoopback(hostname));
  const allowed = listed || isOwnPage(headers.origin, headers.host);
  return allowed ? undefined : `Origin ${shown(headers.origin)} is not allowed here.`;
}

function isOwnPage(origin: string, host: string | undefined): boolean {
  return host !== undefined && new URL(origin).host === host.toLowerCase();
}

/** Nearly every host is written plainly, and parsing a URL costs as much as reading a small body. */
const PLAIN_HOST = /^([a-z\d][a-z\d.-]*)(?::[1-5]?\d{1,4})?$/;

function hostnameOfHeader(host: string): string | undefined {
  return PLAIN_HOST.exec(host)?.[1] ?? hostnameOf(`http://${host}`);
}

function hostnameOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  const bare = ['', '/'].includes(parsed.pathname) && parsed.search === '' && parsed.username === '';
  return bare && parsed.hostname !== '' ? parsed.hostname : undefined;
}

/** Header texts in messages: quoted, printable and short. */
function shown(value: string | undefined): string {
  return value === undefined ? '(none)' : JSON.stringify(value.slice(0, 100));
}
