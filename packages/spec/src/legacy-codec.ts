import type { Codec } from './codec.ts';
import { isImplementation, isRecord } from './guards.ts';
import { PROTOCOL_VERSION_HEADER } from './header-names.ts';
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
    decodeResult: (method, result) =>
      isRecord(result) ? { kind: 'complete', result: tolerateResult(method, result) } : { kind: 'invalid' },
    headersFor: (message) =>
      revision.hasVersionHeader === true && message.method !== 'initialize'
        ? { [PROTOCOL_VERSION_HEADER]: version }
        : {},
    serverInfoOf: (result) => {
      const info = result['serverInfo' as keyof typeof result] as unknown;
      return isImplementation(info) ? info : undefined;
    },
  };
}
