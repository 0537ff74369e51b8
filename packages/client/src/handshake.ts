import { isProtocolError } from '@portico/rpc';
import { SUPPORTED_PROTOCOL_VERSIONS, codecFor } from '@portico/spec';
import type { Codec, InitializeResult } from '@portico/spec';
import { handshakeCodecs } from './codecs.ts';
import { SdkError } from './errors.ts';
import type { ServerDescription } from './server-description.ts';
import { describeInitialized } from './server-description.ts';
import type { RequestOptions } from './request-options.ts';
import type { Wire } from './wire.ts';

/** Who offers what in the handshake. */
export interface HandshakeOffer {
  readonly clientInfo: object;
  readonly capabilities: object;
}

function noSharedVersion(requested: string, answered: unknown): SdkError {
  return new SdkError('UNSUPPORTED_PROTOCOL_VERSION', {
    message: `the server speaks ${String(answered)}, this client offered ${requested}`,
    data: { requested, supported: [...SUPPORTED_PROTOCOL_VERSIONS], answered },
  });
}

/** Versions that an error answer to the handshake lists, newest of ours first. */
function listedCodec(error: unknown): Codec | undefined {
  if (!isProtocolError(error) || typeof error.data !== 'object' || error.data === null) return undefined;
  const listed: unknown = 'supported' in error.data ? error.data.supported : undefined;
  if (!Array.isArray(listed)) return undefined;
  return handshakeCodecs().find((codec) => listed.includes(codec.version));
}

async function initialize(
  wire: Wire,
  offer: HandshakeOffer,
  options: RequestOptions & { readonly codec: Codec },
): Promise<InitializeResult> {
  const { codec, ...rest } = options;
  wire.use(codec);
  const { clientInfo, capabilities } = offer;
  const answer = await wire.request(
    'initialize',
    { protocolVersion: codec.version, capabilities, clientInfo },
    { ...rest, cancelMode: 'none' },
  );
  return describeInitialized(answer);
}

/** One more try when the server refuses the offer but names versions of which one is ours. */
async function initializeOrRetry(
  wire: Wire,
  offer: HandshakeOffer,
  options: RequestOptions & { readonly codec: Codec },
): Promise<InitializeResult> {
  try {
    return await initialize(wire, offer, options);
  } catch (error) {
    const listed = listedCodec(error);
    if (listed === undefined || listed === options.codec) throw error;
    return initialize(wire, offer, { ...options, codec: listed });
  }
}

/**
 * The handshake of the revisions up to 2025-11-25: offer the newest, take what the server answers when
 * it is spoken here, then say so once.
 *
 * @throws SdkError `UNSUPPORTED_PROTOCOL_VERSION`, `INVALID_RESULT` and what `request` throws
 */
export async function shakeHands(
  wire: Wire,
  offer: HandshakeOffer,
  options: RequestOptions = {},
): Promise<ServerDescription> {
  const [newest] = handshakeCodecs();
  if (newest === undefined) throw noSharedVersion('nothing', 'a handshake');
  const result = await initializeOrRetry(wire, offer, { ...options, codec: newest });
  const agreed = codecFor(result.protocolVersion);
  if (agreed === undefined || !agreed.hasHandshake) {
    throw noSharedVersion(wire.codec.version, result.protocolVersion);
  }
  wire.use(agreed);
  wire.transport.setProtocolVersion?.(agreed.version);
  await wire.notify('notifications/initialized');
  return {
    capabilities: result.capabilities,
    serverInfo: result.serverInfo,
    ...(result.instructions === undefined ? {} : { instructions: result.instructions }),
  };
}
