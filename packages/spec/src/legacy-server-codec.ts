import type { Codec, ServerCodec } from './codec.ts';
import { copyMembers } from './copy-members.ts';
import { isRecord } from './guards.ts';
import { SERVER_INFO_META_KEY } from './meta-keys.ts';

/** Results that carry cache hints in the modern era, which no legacy wire may show. */
const CACHEABLE: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

function isModernMember(method: string, key: string): boolean {
  if (key === 'resultType') return true;
  return CACHEABLE.has(method) && (key === 'ttlMs' || key === 'cacheScope');
}

function hasModernMember(method: string, result: object): boolean {
  if ('resultType' in result) return true;
  return CACHEABLE.has(method) && ('ttlMs' in result || 'cacheScope' in result);
}

function hasModernMeta(result: object): boolean {
  const meta = (result as { _meta?: unknown })._meta;
  return isRecord(meta) && SERVER_INFO_META_KEY in meta;
}

function withoutModernMeta(meta: unknown): unknown {
  if (!isRecord(meta)) return meta;
  return copyMembers({}, meta, SERVER_INFO_META_KEY);
}

/** A codec of the era with a handshake, as servers need it. */
export function createLegacyServerCodec(codec: Codec): ServerCodec {
  return {
    ...codec,
    decodeRequest: (params) => ({
      ok: true,
      request: { params: params as { [key: string]: unknown } | undefined, envelope: undefined },
    }),
    encodeResult(method, result) {
      if (!hasModernMember(method, result) && !hasModernMeta(result)) {
        return result as { [key: string]: unknown };
      }
      const encoded = copyMembers({}, result, (key) => isModernMember(method, key));
      if ('_meta' in encoded) encoded['_meta'] = withoutModernMeta(encoded['_meta']);
      return encoded;
    },
    encodeNotification: (params) => params as { [key: string]: unknown } | undefined,
    checkHeaders: () => undefined,
  };
}
