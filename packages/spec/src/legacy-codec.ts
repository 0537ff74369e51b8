import type { Codec } from './codec.ts';
import { copyMembers } from './copy-members.ts';
import { isImplementation, isRecord } from './guards.ts';
import { PROTOCOL_VERSION_HEADER } from './header-names.ts';
import { SERVER_INFO_META_KEY } from './meta-keys.ts';
import { type MethodTable, lookUp } from './methods.ts';
import { tolerateResult } from './tolerate-result.ts';

/** What sets one legacy revision apart from the others. */
export interface LegacyRevision {
  version: string;
  methods: MethodTable;
  acceptsBatches?: boolean;
  /** Whether HTTP requests after the handshake name the revision. */
  hasVersionHeader?: boolean;
  /** Whether clients read an event stream that begins with an event without a message. */
  takesEmptyEvents?: boolean;
}

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
  return copyMembers({}, meta, (key) => key === SERVER_INFO_META_KEY);
}

/** A codec of the era in which a handshake settles version, capabilities and identities. */
export function createLegacyCodec(revision: LegacyRevision): Codec {
  const { version, methods } = revision;
  return {
    version,
    era: 'legacy',
    acceptsBatches: revision.acceptsBatches === true,
    hasHandshake: true,
    serverMayRequest: true,
    httpCancel: 'notice',
    takesEmptyEvents: revision.takesEmptyEvents === true,
    method: (name) => lookUp(methods, name),
    encodeParams: (params) => params as { [key: string]: unknown } | undefined,
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
    decodeResult: (method, result) =>
      isRecord(result) ? { kind: 'complete', result: tolerateResult(method, result) } : { kind: 'invalid' },
    encodeNotification: (params) => params as { [key: string]: unknown } | undefined,
    headersFor: (message) =>
      revision.hasVersionHeader === true && message.method !== 'initialize'
        ? { [PROTOCOL_VERSION_HEADER]: version }
        : {},
    checkHeaders: () => undefined,
    serverInfoOf: (result) => {
      const info = result['serverInfo' as keyof typeof result] as unknown;
      return isImplementation(info) ? info : undefined;
    },
  };
}
