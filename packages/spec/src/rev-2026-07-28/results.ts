import type { Implementation, Result } from '../base.ts';
import type { DecodedResult, ResultStamp } from '../codec.ts';
import { type Building, copyMembers } from '../copy-members.ts';
import { isImplementation, isRecord } from '../guards.ts';
import { SERVER_INFO_META_KEY, SUBSCRIPTION_ID_META_KEY } from '../meta-keys.ts';
import { lookUp } from '../methods.ts';
import { isInputRequiredResult } from '../result-guards.ts';
import { tolerateResult } from '../tolerate-result.ts';
import { isTaskHandleResult } from '../task-guards.ts';
import { METHODS_2026_07_28 } from './methods.ts';

const COMPLETE = 'complete';
const INPUT_REQUIRED = 'input_required';
const TASK = 'task';

function stampedMeta(own: unknown, stamp: ResultStamp): Building | undefined {
  const { serverInfo, subscriptionId } = stamp;
  if (serverInfo === undefined && subscriptionId === undefined) return undefined;
  const meta: Building = {};
  if (serverInfo !== undefined) meta[SERVER_INFO_META_KEY] = serverInfo;
  if (isRecord(own)) copyMembers(meta, own);
  if (subscriptionId !== undefined) meta[SUBSCRIPTION_ID_META_KEY] = subscriptionId;
  return meta;
}

const NO_STAMP: ResultStamp = {};

/** The handler's result with its type, the server's identity and, where due, cache hints. */
export function encodeModernResult(method: string, result: object, stamp: ResultStamp = NO_STAMP): Result {
  const encoded: Building = { resultType: COMPLETE };
  copyMembers(encoded, result);
  if (typeof encoded['resultType'] !== 'string') encoded['resultType'] = COMPLETE;
  const meta = stampedMeta(encoded['_meta'], stamp);
  if (meta !== undefined) encoded['_meta'] = meta;
  const cacheable = lookUp(METHODS_2026_07_28, method)?.cacheable === true;
  if (cacheable && encoded['resultType'] === COMPLETE) addCacheHints(encoded, stamp);
  return encoded;
}

function addCacheHints(encoded: Building, stamp: ResultStamp): void {
  const ttlMs = encoded['ttlMs'];
  if (typeof ttlMs !== 'number' || !(ttlMs >= 0)) encoded['ttlMs'] = stamp.ttlMs ?? 0;
  const scope = encoded['cacheScope'];
  if (scope !== 'public' && scope !== 'private') {
    encoded['cacheScope'] = stamp.cacheScope ?? 'private';
  }
}

/** Looks at `resultType` before anything else, so that no interim answer passes as a success. */
export function decodeModernResult(method: string, result: unknown): DecodedResult {
  if (!isRecord(result)) return { kind: 'invalid' };
  const resultType = result['resultType'];
  // Servers of earlier revisions leave it out, which means complete.
  if (resultType === undefined) return { kind: 'complete', result: tolerateResult(method, result) };
  if (resultType === COMPLETE) {
    const bare = copyMembers({}, result, 'resultType');
    return { kind: 'complete', result: tolerateResult(method, bare) };
  }
  if (resultType === TASK) {
    const allowed = lookUp(METHODS_2026_07_28, method)?.mayBecomeTask === true;
    return allowed && isTaskHandleResult(result) ? { kind: TASK, result } : { kind: 'invalid', resultType };
  }
  if (resultType !== INPUT_REQUIRED) return { kind: 'unsupported', resultType };
  const allowed = lookUp(METHODS_2026_07_28, method)?.mayRequireInput === true;
  if (!allowed || !isInputRequiredResult(result)) return { kind: 'invalid' };
  return { kind: INPUT_REQUIRED, result };
}

/** The identity a result carries; a malformed one counts as absent. */
export function modernServerInfo(result: object): Implementation | undefined {
  const meta = (result as { _meta?: unknown })._meta;
  const info = isRecord(meta) ? meta[SERVER_INFO_META_KEY] : undefined;
  return isImplementation(info) ? info : undefined;
}
