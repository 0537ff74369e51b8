import { isRecord } from './guards.ts';
import { CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY } from './meta-keys.ts';

function metaOf(params: unknown): { readonly [key: string]: unknown } | undefined {
  const meta = isRecord(params) ? params['_meta'] : undefined;
  return isRecord(meta) ? meta : undefined;
}

/** The revision a modern request names; undefined for legacy requests and malformed values. */
export function readProtocolVersion(params: unknown): string | undefined {
  const version = metaOf(params)?.[PROTOCOL_VERSION_META_KEY];
  return typeof version === 'string' ? version : undefined;
}

/** Whether the params carry any part of a modern envelope, be it malformed. */
export function hasEnvelope(params: unknown): boolean {
  const meta = metaOf(params);
  return meta !== undefined && (PROTOCOL_VERSION_META_KEY in meta || CLIENT_CAPABILITIES_META_KEY in meta);
}
