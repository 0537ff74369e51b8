import type { ClientCapabilities } from '../capabilities.ts';
import type { DecodeRequestOutcome, RequestEnvelope } from '../codec.ts';
import { type Building, copyMembers } from '../copy-members.ts';
import { type UnknownRecord, isImplementation, isLoggingLevel, isRecord, isString } from '../guards.ts';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '../meta-keys.ts';
import { ProtocolErrorCode } from '../protocol-errors.ts';
import { isCapabilities } from '../result-guards.ts';

function isEnvelopeKey(key: string): boolean {
  return (
    key === PROTOCOL_VERSION_META_KEY ||
    key === CLIENT_CAPABILITIES_META_KEY ||
    key === CLIENT_INFO_META_KEY ||
    key === LOG_LEVEL_META_KEY
  );
}

/** Params with the envelope in their `_meta`, beside the caller's own keys. */
export function withEnvelope(params: object | undefined, envelope: RequestEnvelope): Building {
  const meta: Building = {
    [PROTOCOL_VERSION_META_KEY]: envelope.protocolVersion,
    [CLIENT_CAPABILITIES_META_KEY]: envelope.clientCapabilities,
  };
  if (envelope.clientInfo !== undefined) meta[CLIENT_INFO_META_KEY] = envelope.clientInfo;
  if (envelope.logLevel !== undefined) meta[LOG_LEVEL_META_KEY] = envelope.logLevel;
  const encoded: Building = { _meta: meta };
  if (params === undefined) return encoded;
  copyMembers(encoded, params, '_meta');
  const own = (params as Building)['_meta'];
  if (isRecord(own)) copyMembers(meta, own, (key) => Object.hasOwn(meta, key));
  return encoded;
}

/** Names of the envelope keys that are missing or malformed. */
function faults(meta: UnknownRecord): string[] {
  const found: string[] = [];
  if (!isString(meta[PROTOCOL_VERSION_META_KEY])) found.push(PROTOCOL_VERSION_META_KEY);
  if (!isCapabilities(meta[CLIENT_CAPABILITIES_META_KEY])) found.push(CLIENT_CAPABILITIES_META_KEY);
  const info = meta[CLIENT_INFO_META_KEY];
  if (info !== undefined && !isImplementation(info)) found.push(CLIENT_INFO_META_KEY);
  const level = meta[LOG_LEVEL_META_KEY];
  if (level !== undefined && !isLoggingLevel(level)) found.push(LOG_LEVEL_META_KEY);
  return found;
}

const NO_META: UnknownRecord = {};

/** Lifts the envelope out of the params; anything else in `_meta` stays. */
export function readEnvelope(params: object | undefined): DecodeRequestOutcome {
  const given = (params as Building | undefined)?.['_meta'];
  const meta = isRecord(given) ? given : NO_META;
  const found = faults(meta);
  if (found.length > 0) {
    const message = `Missing or malformed in _meta: ${found.join(', ')}`;
    return { ok: false, error: { code: ProtocolErrorCode.InvalidParams, message } };
  }
  const envelope: RequestEnvelope = {
    protocolVersion: meta[PROTOCOL_VERSION_META_KEY] as string,
    clientCapabilities: meta[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities,
  };
  const info = meta[CLIENT_INFO_META_KEY];
  if (isImplementation(info)) envelope.clientInfo = info;
  const level = meta[LOG_LEVEL_META_KEY];
  if (isLoggingLevel(level)) envelope.logLevel = level;
  return { ok: true, request: { params: withoutEnvelope(params, meta), envelope } };
}

function withoutEnvelope(params: object | undefined, meta: UnknownRecord): Building | undefined {
  if (params === undefined) return undefined;
  const bare = copyMembers({}, params, '_meta');
  let rest: Building | undefined;
  for (const key in meta) {
    if (isEnvelopeKey(key)) continue;
    rest = copyMembers({}, meta, isEnvelopeKey);
    break;
  }
  if (rest !== undefined) bare['_meta'] = rest;
  return bare;
}
