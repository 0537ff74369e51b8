import { isProtocolError } from '@portico/rpc';
import { ProtocolErrorCode } from '@portico/spec';
import type { Codec } from '@portico/spec';
import { sharedCodec } from './codecs.ts';
import type { SpokenVersions } from './codecs.ts';
import { SdkError } from './errors.ts';
import type { Wire } from './wire.ts';

/** Requests that change nothing, so that sending them twice does no harm. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
]);

/** The modern revision in which a refused request may be sent once more. */
function otherVersion(error: unknown, { stateless }: SpokenVersions): Codec | undefined {
  if (!isProtocolError(error) || error.code !== ProtocolErrorCode.UnsupportedProtocolVersion)
    return undefined;
  const data = error.data as { readonly supported?: unknown } | null | undefined;
  return Array.isArray(data?.supported) ? sharedCodec(stateless, data.supported) : undefined;
}

/** Whether only the stream of this one answer was cut. */
function isCut(error: unknown, wire: Wire): boolean {
  return wire.isPerRequest && !wire.closed && error instanceof SdkError && error.code === 'CONNECTION_CLOSED';
}

/**
 * Whether a modern request that failed may be sent once more by itself: in another version that the
 * server offers, which the wire then speaks, or because its answer was cut and it changes nothing.
 */
export function maySendAgain(
  error: unknown,
  wire: Wire,
  request: { readonly method: string; readonly versions: SpokenVersions },
): boolean {
  if (wire.codec.era !== 'modern') return false;
  const codec = otherVersion(error, request.versions);
  if (codec === undefined) return REPEATABLE.has(request.method) && isCut(error, wire);
  if (codec !== wire.codec) wire.use(codec);
  return true;
}
