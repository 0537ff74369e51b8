import type { RequestId } from '../base.ts';
import type { Codec } from '../codec.ts';
import { type Building, copyMembers } from '../copy-members.ts';
import { isRecord } from '../guards.ts';
import { SUBSCRIPTION_ID_META_KEY } from '../meta-keys.ts';
import { lookUp } from '../methods.ts';
import { readEnvelope, withEnvelope } from './envelope.ts';
import { METHODS_2026_07_28 } from './methods.ts';
import { decodeModernResult, encodeModernResult, modernServerInfo } from './results.ts';
import { checkStandardHeaders, standardHeaders } from './standard-headers.ts';

const VERSION = '2026-07-28';

function withSubscription(
  params: object | undefined,
  subscriptionId: RequestId | undefined,
): Building | undefined {
  if (subscriptionId === undefined) return params as Building | undefined;
  const meta: Building = {};
  const own = (params as Building | undefined)?.['_meta'];
  if (isRecord(own)) copyMembers(meta, own);
  meta[SUBSCRIPTION_ID_META_KEY] = subscriptionId;
  const encoded: Building = { _meta: meta };
  if (params !== undefined) copyMembers(encoded, params, (key) => key === '_meta');
  return encoded;
}

/** Revision 2026-07-28: stateless, each request with its own envelope. */
export const codec20260728: Codec = {
  version: VERSION,
  era: 'modern',
  acceptsBatches: false,
  hasHandshake: false,
  serverMayRequest: false,
  httpCancel: 'signal',
  takesEmptyEvents: false,
  method: (name) => lookUp(METHODS_2026_07_28, name),
  encodeParams: withEnvelope,
  decodeRequest: readEnvelope,
  encodeResult: encodeModernResult,
  decodeResult: decodeModernResult,
  encodeNotification: withSubscription,
  headersFor: (message) => standardHeaders(VERSION, message),
  checkHeaders: checkStandardHeaders,
  serverInfoOf: modernServerInfo,
};
