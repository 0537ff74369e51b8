import type { RequestId } from '../base.ts';
import type { ServerCodec } from '../codec.ts';
import { type Building, copyMembers } from '../copy-members.ts';
import { isRecord } from '../guards.ts';
import { SUBSCRIPTION_ID_META_KEY } from '../meta-keys.ts';
import { codec20260728 } from './codec.ts';
import { readEnvelope } from './envelope.ts';
import { encodeModernResult } from './results.ts';
import { checkStandardHeaders } from './standard-headers.ts';

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
  if (params !== undefined) copyMembers(encoded, params, '_meta');
  return encoded;
}

/** Revision 2026-07-28 as servers need it. */
export const serverCodec20260728: ServerCodec = {
  ...codec20260728,
  decodeRequest: readEnvelope,
  encodeResult: encodeModernResult,
  encodeNotification: withSubscription,
  checkHeaders: checkStandardHeaders,
};
