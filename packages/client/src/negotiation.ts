import { codecFor } from '@portico/spec';
import type { Codec } from '@portico/spec';
import { statelessCodecs } from './codecs.ts';
import { SdkError } from './errors.ts';
import { shakeHands } from './handshake.ts';
import type { HandshakeOffer } from './handshake.ts';
import { judgeProbe } from './probe.ts';
import type { ProbeOutcome, ProbeVerdict } from './probe.ts';
import type { RequestOptions } from './request-options.ts';
import { describeDiscovered } from './server-description.ts';
import type { ServerDescription } from './server-description.ts';
import type { Wire } from './wire.ts';

/** legacy: the handshake only; auto: find out; pin: this modern version or nothing. */
export type VersionNegotiationMode = 'legacy' | 'auto' | { readonly pin: string };

/** How the era of a server is found out. */
export interface VersionNegotiationOptions {
  /** `legacy` by default, as in the official SDK. */
  readonly mode?: VersionNegotiationMode;
  readonly probe?: {
    /** Milliseconds; 3,000 by default on pipes, 10,000 over HTTP. */
    readonly timeoutMs?: number;
  };
}

const PIPE_PROBE_MS = 3_000;
const HTTP_PROBE_MS = 10_000;

/** A connection whose revision is settled. */
export interface OpenedConnection {
  readonly wire: Wire;
  readonly description: ServerDescription;
}

/** What opening needs beside the choice of mode. */
export interface OpeningContext {
  /** A wire on the same transport; the second one goes on with the ids of the first. */
  createWire(firstRequestId?: number): Wire;
  readonly offer: HandshakeOffer;
  readonly options: RequestOptions;
  readonly probeTimeoutMs?: number | undefined;
}

async function probe(wire: Wire, codec: Codec, context: OpeningContext): Promise<ProbeOutcome> {
  wire.use(codec);
  const standardMs = wire.isPerRequest ? HTTP_PROBE_MS : PIPE_PROBE_MS;
  try {
    const answer = await wire.request('server/discover', undefined, {
      signal: context.options.signal,
      timeout: context.probeTimeoutMs ?? standardMs,
      // A server that does not know the question would not know its withdrawal either.
      cancelMode: wire.isPerRequest ? 'signal' : 'none',
    });
    return { type: 'answered', answer };
  } catch (error) {
    return { type: 'failed', error };
  }
}

async function judge(
  wire: Wire,
  context: OpeningContext,
  choice: { readonly codec: Codec; readonly legacyAllowed: boolean },
): Promise<ProbeVerdict> {
  const outcome = await probe(wire, choice.codec, context);
  return judgeProbe(outcome, { ...choice, overHttp: wire.isPerRequest });
}

/** A process that ended on a question it did not know is started once more. */
async function wireForHandshake(wire: Wire, context: OpeningContext): Promise<Wire> {
  if (!wire.closed) return wire;
  const restartable = 'restartable' in wire.transport && wire.transport.restartable === true;
  if (!restartable) {
    throw new SdkError('ERA_NEGOTIATION_FAILED', {
      message: 'the connection was closed while it was found out what the server speaks',
      cause: wire.endedBy,
    });
  }
  const again = context.createWire(wire.nextRequestId);
  await again.start();
  return again;
}

/** The codec a pin names; any other modern revision is not what was asked for. */
function pinnedCodec(pin: string): Codec {
  const codec = codecFor(pin);
  if (codec !== undefined && !codec.hasHandshake) return codec;
  throw new SdkError('ERA_NEGOTIATION_FAILED', { message: `${pin} is no modern version spoken here` });
}

function firstCodec(mode: 'auto' | { readonly pin: string }): Codec {
  if (mode !== 'auto') return pinnedCodec(mode.pin);
  const [newest] = statelessCodecs();
  if (newest === undefined) throw new SdkError('ERA_NEGOTIATION_FAILED');
  return newest;
}

async function openProbed(
  wire: Wire,
  context: OpeningContext,
  mode: 'auto' | { readonly pin: string },
): Promise<OpenedConnection> {
  const codec = firstCodec(mode);
  const legacyAllowed = mode === 'auto';
  let verdict = await judge(wire, context, { codec, legacyAllowed });
  if (verdict.type === 'ask_again') {
    verdict = await judge(wire, context, { codec: verdict.codec, legacyAllowed });
  }
  switch (verdict.type) {
    case 'failed':
      throw verdict.error;
    case 'ask_again':
      throw new SdkError('UNSUPPORTED_PROTOCOL_VERSION', {
        message: 'the server refuses a version that it lists itself',
        data: { requested: verdict.codec.version },
      });
    case 'legacy': {
      const shaken = await wireForHandshake(wire, context);
      return { wire: shaken, description: await shakeHands(shaken, context.offer, context.options) };
    }
    case 'modern':
      wire.use(verdict.codec);
      wire.transport.setProtocolVersion?.(verdict.codec.version);
      return { wire, description: describeDiscovered(verdict.discover, verdict.codec) };
  }
}

/**
 * Opens a transport and settles the revision.
 *
 * @throws SdkError `ERA_NEGOTIATION_FAILED`, `UNSUPPORTED_PROTOCOL_VERSION`, `INVALID_RESULT` and what
 *   transport and requests throw
 */
export async function openConnection(
  context: OpeningContext,
  mode: VersionNegotiationMode,
): Promise<OpenedConnection> {
  const wire = context.createWire();
  await wire.start();
  if (mode === 'legacy') {
    return { wire, description: await shakeHands(wire, context.offer, context.options) };
  }
  return openProbed(wire, context, mode);
}
