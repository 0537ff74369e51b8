/** The address that names a server as a resource (RFC 8707): its URL without a fragment. */
export function resourceUrlFromServerUrl(url: URL | string): URL {
  const resource = new URL(url);
  resource.hash = '';
  return resource;
}

/**
 * Whether a requested resource lies within a configured one: same origin, and a path that is equal
 * or below it. `/api` holds `/api/users` but not `/api123`.
 */
export function checkResourceAllowed({
  requestedResource,
  configuredResource,
}: {
  readonly requestedResource: URL | string;
  readonly configuredResource: URL | string;
}): boolean {
  const requested = new URL(requestedResource);
  const configured = new URL(configuredResource);
  if (requested.origin !== configured.origin) return false;
  // Asking for `/foo` is not yet asking for what lies within `/foo/`.
  if (requested.pathname.length < configured.pathname.length) return false;
  return asFolder(requested.pathname).startsWith(asFolder(configured.pathname));
}

function asFolder(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}
