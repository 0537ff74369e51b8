const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether codes may be sent there at all: https, or http to this machine, without fragment and
 * credentials.
 * @see W233
 */
export function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (text.includes('#') || username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.has(hostname));
}

/**
 * Whether an address is the registered one: letter for letter. On loopback the port may differ, since
 * native apps take whichever is free (RFC 8252, section 7.3).
 */
export function redirectUriMatches(requested: string, registered: string): boolean {
  if (requested === registered) return true;
  if (!URL.canParse(requested) || !URL.canParse(registered)) return false;
  const [one, two] = [new URL(requested), new URL(registered)];
  if (!LOOPBACK_HOSTS.has(one.hostname) || one.username !== '' || one.password !== '') return false;
  one.port = '';
  two.port = '';
  return one.href === two.href;
}
