import { ErrorCode, ProtocolError } from '@portico/rpc';
import { type Codec, codecFor, readProtocolVersion, unsupportedProtocolVersionError } from '@portico/spec';
import { versionsOf } from './built-in-methods.ts';
import { type Caller, modernCaller } from './caller.ts';
import { protocolError } from './wire-error.ts';

/** A modern request, taken apart. */
export interface ModernRequest {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, unknown>>;
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
  const [newest] = versionsOf('modern', supported);
  const requested = readProtocolVersion(params);
  const codec = requested === undefined ? undefined : codecFor(requested);
  if (requested !== undefined && (codec?.era !== 'modern' || !supported.includes(requested))) {
    throw protocolError(unsupportedProtocolVersionError(requested, supported));
  }
  const decoder: Codec | undefined = codec ?? (newest === undefined ? undefined : codecFor(newest));
  if (decoder === undefined) {
    throw new ProtocolError(ErrorCode.InvalidParams, 'This server serves no modern revision.');
  }
  const outcome = decoder.decodeRequest(params);
  if (!outcome.ok) throw protocolError(outcome.error);
  const { envelope, params: bare } = outcome.request;
  if (envelope === undefined) {
    throw new ProtocolError(ErrorCode.InvalidParams, 'The request has no envelope.');
  }
  return { caller: modernCaller(decoder, envelope), params: bare ?? {} };
}
