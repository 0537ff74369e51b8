/** Names under which the console is served; everything else on this port is a sandbox or refused. */
const CONSOLE_NAMES = ['portico.localhost', 'localhost', '127.0.0.1', '[::1]'];

/** The sandbox host that a page tries to reach, to learn whether it can reach any. */
const PROBE_LABEL = 'probe'.padEnd(32, 'e');

/** A sandbox host: one label of 32 base32 characters below `localhost`. */
const SANDBOX_HOST = /^([a-z2-7]{32})\.localhost$/;

export type HostVerdict =
  | { readonly kind: 'console' }
  | { readonly kind: 'sandbox'; readonly label: string }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Decides by the Host header what a request may reach (K9, K197). A name that was made to point at
 * loopback from outside never passes.
 * @param rawHeaders names and values in turn, as node:http gives them, so that a doubled header shows
 * @param port the port this host listens on
 */
export function judgeHost(rawHeaders: readonly string[], port: number): HostVerdict {
  const hosts: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') hosts.push(rawHeaders[index + 1] ?? '');
  }
  const [host] = hosts;
  if (host === undefined) return refused('The request names no host.', port);
  if (hosts.length > 1) return refused('The request names more than one host.', port);
  const name = nameOnPort(host, port);
  if (name === undefined) return refused(`The host ${quoted(host)} is not served here.`, port);
  if (CONSOLE_NAMES.includes(name)) return { kind: 'console' };
  const label = SANDBOX_HOST.exec(name)?.[1];
  if (label !== undefined) return { kind: 'sandbox', label };
  return refused(`The host ${quoted(host)} is not served here.`, port);
}

/** Every origin a page of the console can have. */
export function consoleOrigins(port: number): readonly string[] {
  return CONSOLE_NAMES.map((name) => `http://${name}${portSuffix(port)}`);
}

/** Origin under which people reach the console. */
export function mainOrigin(port: number): string {
  return `http://portico.localhost${portSuffix(port)}`;
}

/** Address that answers every page which can reach sandbox hosts. */
export function isolationProbe(port: number): string {
  return `${sandboxOrigin(PROBE_LABEL, port)}/probe`;
}

/** Origin of one sandbox host. */
export function sandboxOrigin(label: string, port: number): string {
  return `http://${label}.localhost${portSuffix(port)}`;
}

function portSuffix(port: number): string {
  return port === 80 ? '' : `:${port}`;
}

function nameOnPort(host: string, port: number): string | undefined {
  const lower = host.toLowerCase();
  const suffix = `:${port}`;
  if (lower.endsWith(suffix)) return lower.slice(0, -suffix.length);
  return port === 80 ? lower : undefined;
}

/** The name as plain printable text, cut to a readable length. */
function quoted(host: string): string {
  return `"${host.replace(/[^\x21-\x7e]/g, '?').slice(0, 100)}"`;
}

function refused(reason: string, port: number): HostVerdict {
  return {
    kind: 'refused',
    message: `${reason} Open Portico at ${mainOrigin(port)}; with a tunnel or proxy, let it send "Host: localhost:${port}".`,
  };
}
