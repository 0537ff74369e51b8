import { isSpecMethod } from '@portico/spec';
import type { Codec, ServerCapabilities } from '@portico/spec';

import { SdkError } from './errors.ts';

/** Whether a dotted path such as `resources.subscribe` is declared. */
function isDeclared(capabilities: ServerCapabilities, path: string): boolean {
  let current: unknown = capabilities;
  for (const key of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return false;
    current = (current as Record<string, unknown>)[key];
  }
  return current !== undefined && current !== null && current !== false;
}

/** Whether the server declared what the method needs. */
export function isOffered(method: string, codec: Codec, capabilities: ServerCapabilities): boolean {
  const needed = codec.method(method)?.serverCapability;
  return needed === undefined || isDeclared(capabilities, needed);
}

/** @throws SdkError `CAPABILITY_NOT_SUPPORTED` */
export function requireOffered(method: string, codec: Codec, capabilities: ServerCapabilities): void {
  if (isOffered(method, codec, capabilities)) return;
  const capability = codec.method(method)?.serverCapability;
  throw new SdkError('CAPABILITY_NOT_SUPPORTED', {
    message: `the server does not declare ${String(capability)}, which ${method} needs`,
    data: { capability, method },
  });
}

/**
 * Methods of other revisions fail before anything is sent; a vendor's pass.
 *
 * @throws SdkError `METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION`
 */
export function requireMethod(method: string, codec: Codec): void {
  if (codec.method(method) !== undefined || !isSpecMethod(method)) return;
  throw new SdkError('METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION', {
    message: `${method} does not exist in ${codec.version}`,
    data: { method, protocolVersion: codec.version },
  });
}
