import { hasCapability, isSpecMethod, malformedExtensionId } from '@portico/spec';
import type { ClientCapabilities, Codec, MethodRule, ServerCapabilities } from '@portico/spec';
import { SdkError } from './errors.ts';

/** Whether the server declared what the method needs; what it declared may be unknown. */
export function isOffered(
  method: string,
  codec: Codec,
  capabilities: ServerCapabilities | undefined,
): boolean {
  const needed = codec.method(method)?.serverCapability;
  return needed === undefined || capabilities === undefined || hasCapability(capabilities, needed);
}

/** @throws SdkError `CAPABILITY_NOT_SUPPORTED` */
export function requireOffered(
  method: string,
  codec: Codec,
  capabilities: ServerCapabilities | undefined,
): void {
  if (isOffered(method, codec, capabilities)) return;
  const capability = codec.method(method)?.serverCapability;
  throw new SdkError('CAPABILITY_NOT_SUPPORTED', {
    message: `the server does not declare ${String(capability)}, which ${method} needs`,
    data: { capability, method },
  });
}

/** @throws SdkError `CAPABILITY_NOT_SUPPORTED` naming an extension that the server does not declare */
export function requireExtension(
  extension: string,
  method: string,
  capabilities: ServerCapabilities | undefined,
): void {
  if (capabilities === undefined || Object.hasOwn(capabilities.extensions ?? {}, extension)) return;
  throw new SdkError('CAPABILITY_NOT_SUPPORTED', {
    message: `the server does not declare the extension ${extension}, which ${method} needs`,
    data: { capability: `extensions.${extension}`, method },
  });
}

/** What to use in place of a method that the other era does not have. */
const INSTEAD: Readonly<Record<string, string>> = {
  ping: 'nothing: requests stand for themselves',
  initialize: 'server/discover',
  'server/discover': 'what the handshake told',
  'logging/setLevel': 'the log level in the _meta of each request',
  'resources/subscribe': 'listen()',
  'resources/unsubscribe': 'close() of the subscription',
  'subscriptions/listen': 'subscribeResource() and the listChanged option',
  'notifications/roots/list_changed': 'nothing: roots are asked for',
};

/**
 * Methods of other revisions, and those of the other side, fail before anything is sent; a vendor's pass.
 *
 * @returns the method's rule, when it is one of this revision
 * @throws SdkError `METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION`
 */
export function requireMethod(method: string, codec: Codec): MethodRule | undefined {
  const rule = codec.method(method);
  if (rule === undefined ? !isSpecMethod(method) : rule.sender !== 'server') return rule;
  const instead = Object.hasOwn(INSTEAD, method) ? `; use ${String(INSTEAD[method])}` : '';
  const message =
    rule === undefined
      ? `${method} does not exist in ${codec.version}${instead}`
      : `${method} is sent by servers only`;
  throw new SdkError('METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION', {
    message,
    data: { method, protocolVersion: codec.version },
  });
}

/** @throws SdkError `CAPABILITY_NOT_SUPPORTED` for a notification that this side did not announce */
export function requireDeclared(method: string, codec: Codec, capabilities: ClientCapabilities): void {
  const needed = codec.method(method)?.clientCapability;
  if (needed === undefined || hasCapability(capabilities, needed)) return;
  throw new SdkError('CAPABILITY_NOT_SUPPORTED', {
    message: `${method} is sent only by clients that declare ${needed}`,
    data: { capability: needed, method },
  });
}

/** @throws TypeError when an extension is declared under an id without a vendor's prefix */
export function requireExtensionIds(capabilities: ClientCapabilities): ClientCapabilities {
  const malformed = malformedExtensionId(capabilities);
  if (malformed === undefined) return capabilities;
  throw new TypeError(`"${malformed}" is no id of an extension: it needs a prefix such as com.example/`);
}
