import { isProtocolError } from '@portico/rpc';
import type { Codec, InitializeResult } from '@portico/spec';
import { sharedCodec } from './codecs.ts';
import type { SpokenVersions } from './codecs.ts';
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

/** What a handshake is made with. */
export interface HandshakeSetting {
  readonly versions: SpokenVersions;
  readonly offer: HandshakeOffer;
  readonly options: RequestOptions;
}

function noSharedVersion(requested: string, answered: unknown, { names }: SpokenVersions): SdkError {
  return new SdkError('UNSUPPORTED_PROTOCOL_VERSION', {
    message: `the server speaks ${String(answered)}, this client offered ${requested}`,
    data: { requested, supported: [...names], answered },
  });
}

/** Versions that an error answer to the handshake lists, newest of ours first. */
function listedCodec(error: unknown, { handshake }: SpokenVersions): Codec | undefined {
  if (!isProtocolError(error) || typeof error.data !== 'object' || error.data === null) return undefined;
  const listed: unknown = 'supported' in error.data ? error.data.supported : undefined;
  return Array.isArray(listed) ? sharedCodec(handshake, listed) : undefined;
}

async function initialize(wire: Wire, codec: Codec, setting: HandshakeSetting): Promise<InitializeResult> {
  wire.use(codec);
  const { clientInfo, capabilities } = setting.offer;
  const { signal, timeout } = setting.options;
  const answer = await wire.request(
    'initialize',
    { protocolVersion: codec.version, capabilities, clientInfo },
    { signal, timeout, cancelMode: 'none' },
  );
  return describeInitialized(answer);
}

/** One more try when the server refuses the offer but names versions of which one is ours. */
async function initializeOrRetry(
  wire: Wire,
  codec: Codec,
  setting: HandshakeSetting,
): Promise<InitializeResult> {
  try {
    return await initialize(wire, codec, setting);
  } catch (error) {
    const listed = listedCodec(error, setting.versions);
    if (listed === undefined || listed === codec) throw error;
    return initialize(wire, listed, setting);
  }
}

/**
 * The handshake of the revisions up to 2025-11-25: offer the newest, take what the server answers when
 * it is spoken here, then say so once.
 *
 * @throws SdkError `UNSUPPORTED_PROTOCOL_VERSION`, `INVALID_RESULT` and what `request` throws
 */
export async function shakeHands(wire: Wire, setting: HandshakeSetting): Promise<ServerDescription> {
  const { versions } = setting;
  const [first] = versions.handshake;
  if (first === undefined) throw noSharedVersion('none', 'nothing yet', versions);
  const result = await initializeOrRetry(wire, first, setting);
  const agreed = sharedCodec(versions.handshake, [result.protocolVersion]);
  if (agreed === undefined) throw noSharedVersion(wire.codec.version, result.protocolVersion, versions);
  wire.use(agreed);
  wire.transport.setProtocolVersion?.(agreed.version);
  await wire.notify('notifications/initialized');
  return {
    capabilities: result.capabilities,
    serverInfo: result.serverInfo,
    ...(result.instructions === undefined ? {} : { instructions: result.instructions }),
  };
}
