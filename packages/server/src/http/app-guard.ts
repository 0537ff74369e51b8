import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  refusalBody,
  validateHostHeader,
  validateOriginHeader,
} from './header-validation.ts';

/** Options that the app factories share. */
export interface AppGuardOptions {
  /** The address the app listens on. Default 127.0.0.1. */
  host?: string;
  /**
   * Host names (without port, IPv6 in brackets) that requests may be addressed to. Default: loopback
   * names, when `host` is one; none are checked otherwise.
   */
  allowedHosts?: string[];
  /**
   * Host names of the pages that may call; `<scheme>://*` allows the extensions of one browser.
   * Default: loopback names, when `host` is one. Opaque origins are refused always.
   */
  allowedOrigins?: string[];
  /** Told when the app listens to all networks without a list of hosts. Default: `console.warn`. */
  onwarning?: (message: string) => void;
}

/** Looks at two headers: the body of a 403, or nothing when the request may pass. */
export type AppGuard = (headers: {
  readonly host: string | undefined;
  readonly origin: string | undefined;
}) => object | undefined;

const LOOPBACK_BINDS: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1', '[::1]']);
const OPEN_BINDS: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]']);

/** The address an app listens on when its options name none. */
export const DEFAULT_APP_HOST = '127.0.0.1';

/** What the app factories check before anything of a request is read. */
export function createAppGuard(options: AppGuardOptions): AppGuard {
  const { host = DEFAULT_APP_HOST } = options;
  const loopback = LOOPBACK_BINDS.has(host);
  const hosts = options.allowedHosts ?? (loopback ? localhostAllowedHostnames() : undefined);
  const origins = options.allowedOrigins ?? (loopback ? localhostAllowedOrigins() : undefined);
  if (hosts === undefined && OPEN_BINDS.has(host)) warn(host, options);
  return (headers) => {
    if (hosts !== undefined) {
      const result = validateHostHeader(headers.host, hosts);
      if (!result.ok) return refusalBody(result.message);
    }
    const result = validateOriginHeader(headers.origin, origins ?? []);
    if (result.ok) return undefined;
    // Without a list only the origins are refused that no list could name.
    if (origins === undefined && result.errorCode === 'invalid_origin') return undefined;
    return refusalBody(result.message);
  };
}

function warn(host: string, { onwarning }: AppGuardOptions): void {
  const message = `This server listens on ${host} and answers to any host name: name yours in allowedHosts.`;
  if (onwarning !== undefined) onwarning(message);
  // oxlint-disable-next-line no-console -- an unsafe set-up must be seen without any option
  else console.warn(message);
}
