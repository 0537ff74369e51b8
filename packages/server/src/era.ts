import { ErrorCode, ProtocolError } from '@portico/rpc';
import {
  MODERN_PROTOCOL_VERSION,
  type ServerCodec,
  serverCodecFor,
  readProtocolVersion,
  unsupportedProtocolVersionError,
} from '@portico/spec';
import { versionsOf } from './built-in-methods.ts';
import { type Caller, modernCaller } from './caller.ts';
import { protocolError } from './wire-error.ts';

/** A modern request, taken apart. */
export interface ModernRequest {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, unknown>>;
}

function newestCodec(supported: readonly string[]): ServerCodec | undefined {
  const [newest] = versionsOf('modern', supported);
  return serverCodecFor(newest ?? MODERN_PROTOCOL_VERSION);
}

/**
 * Reads the envelope of a modern request.
 *
 * @param supported every revision this server serves, newest first
 * @throws ProtocolError -32602 for a missing or malformed envelope, -32022 for another revision
 */
export function readModernRequest(
  params: Readonly<Record<string, unknown>> | undefined,
  supported: readonly string[],
): ModernRequest {
  const requested = readProtocolVersion(params);
  const codec = requested === undefined ? undefined : serverCodecFor(requested);
  const decoder = codec?.era === 'modern' ? codec : newestCodec(supported);
  const outcome = decoder?.decodeRequest(params);
  // The form is looked at first: what it says of other revisions is known only to those.
  if (outcome?.ok === false) throw protocolError(outcome.error);
  if (requested !== undefined && (codec?.era !== 'modern' || !supported.includes(requested))) {
    throw protocolError(unsupportedProtocolVersionError(requested, supported));
  }
  if (decoder === undefined || outcome?.request.envelope === undefined) {
    throw new ProtocolError(ErrorCode.InvalidParams, 'The request has no envelope.');
  }
  const { envelope, params: bare } = outcome.request;
  return { caller: modernCaller(decoder, envelope), params: bare ?? {} };
}
