import { isProtocolError } from '@portico/rpc';
import { codecFor } from '@portico/spec';
import type { Codec, DiscoverResult } from '@portico/spec';
import { sharedCodec } from './codecs.ts';
import type { SpokenVersions } from './codecs.ts';
import type { PriorDiscovery } from './era-store.ts';
import { SdkError } from './errors.ts';
import { shakeHands } from './handshake.ts';
import type { HandshakeOffer } from './handshake.ts';
import { judgeProbe } from './probe.ts';
import type { ProbeOutcome, ProbeVerdict } from './probe.ts';
import { DEFAULT_REQUEST_TIMEOUT_MSEC } from '@portico/rpc';
import type { RequestOptions } from './request-options.ts';
import { describeDiscovered, readDescription } from './server-description.ts';
import type { ServerDescription } from './server-description.ts';
import type { Wire } from './wire.ts';

/** legacy: the handshake only; auto: find out; pin: this modern version or nothing. */
export type VersionNegotiationMode = 'legacy' | 'auto' | { readonly pin: string };

/** How the question that finds out the era is asked. */
export interface VersionNegotiationProbeOptions {
  /** Milliseconds; the time limit of `connect`, else 60,000 by default. */
  readonly timeoutMs?: number;
  /** How often it is asked again after a timeout; 0 by default. */
  readonly maxRetries?: number;
}

/** How the era of a server is found out. */
export interface VersionNegotiationOptions {
  /** `legacy` by default, as in the official SDK. */
  readonly mode?: VersionNegotiationMode;
  readonly probe?: VersionNegotiationProbeOptions;
}

/** A connection whose revision is settled. */
export interface OpenedConnection {
  readonly wire: Wire;
  readonly description: ServerDescription;
}

/** What opening needs beside the choice of mode. */
export interface OpeningContext {
  /** A wire on the same transport; the second one goes on with the ids of the first. */
  createWire(firstRequestId?: number): Wire;
  /** Whether this side itself closes what is being opened. */
  isLeaving(): boolean;
  readonly versions: SpokenVersions;
  readonly offer: HandshakeOffer;
  readonly options: RequestOptions;
  readonly probe: VersionNegotiationProbeOptions;
}

/** How a connection is to be opened. */
export type OpeningPlan =
  | { readonly type: 'handshake' }
  | { readonly type: 'probe'; readonly codec: Codec; readonly legacyAllowed: boolean }
  | { readonly type: 'known'; readonly codec: Codec; readonly discover: DiscoverResult }
  /** A session that exists already. */
  | { readonly type: 'session'; readonly codec: Codec };

function planHandshake({ handshake, names }: SpokenVersions): OpeningPlan {
  if (handshake.length > 0) return { type: 'handshake' };
  throw new SdkError('ERA_NEGOTIATION_FAILED', {
    message: `no version with a handshake is among those this client speaks: ${names.join(', ')}`,
  });
}

/** @throws SdkError `ERA_NEGOTIATION_FAILED`: the revision asked for is not spoken here */
export function planOpening(mode: VersionNegotiationMode, versions: SpokenVersions): OpeningPlan {
  if (mode === 'legacy') return planHandshake(versions);
  if (mode === 'auto') {
    const [codec] = versions.stateless;
    return codec === undefined ? planHandshake(versions) : { type: 'probe', codec, legacyAllowed: true };
  }
  const codec = sharedCodec(versions.stateless, [mode.pin]);
  if (codec !== undefined) return { type: 'probe', codec, legacyAllowed: false };
  throw new SdkError('ERA_NEGOTIATION_FAILED', { message: `${mode.pin} is no modern version spoken here` });
}

/** @throws SdkError `ERA_NEGOTIATION_FAILED`: the description shares no modern revision with this side */
export function planKnown(prior: PriorDiscovery, versions: SpokenVersions): OpeningPlan {
  if (prior.kind === 'legacy') return planHandshake(versions);
  const discover = readDescription(prior.discover);
  const codec = sharedCodec(versions.stateless, discover?.supportedVersions ?? []);
  if (discover !== undefined && codec !== undefined) return { type: 'known', codec, discover };
  throw new SdkError('ERA_NEGOTIATION_FAILED', {
    message: 'what is known of the server names no modern version spoken here',
    data: { requested: [...versions.names], supported: discover?.supportedVersions ?? [] },
  });
}

/** Goes on with a session, at its version where that is known. */
export function planSession(version: string | undefined, versions: SpokenVersions): OpeningPlan {
  const known = version === undefined ? undefined : codecFor(version);
  const codec = known?.hasHandshake === true ? known : versions.handshake[0];
  return codec === undefined ? planHandshake(versions) : { type: 'session', codec };
}

function isTimeout(outcome: ProbeOutcome): boolean {
  return (
    outcome.type === 'failed' && outcome.error instanceof SdkError && outcome.error.code === 'REQUEST_TIMEOUT'
  );
}

async function probe(wire: Wire, codec: Codec, context: OpeningContext): Promise<ProbeOutcome> {
  wire.use(codec);
  const { options, probe: setting } = context;
  try {
    const answer = await wire.request('server/discover', undefined, {
      signal: options.signal,
      timeout: setting.timeoutMs ?? options.timeout ?? DEFAULT_REQUEST_TIMEOUT_MSEC,
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
  let outcome = await probe(wire, choice.codec, context);
  for (let left = context.probe.maxRetries ?? 0; left > 0 && isTimeout(outcome); left--) {
    outcome = await probe(wire, choice.codec, context);
  }
  if (context.isLeaving()) throw closedMeanwhile(wire);
  return judgeProbe(outcome, { ...choice, overHttp: wire.isPerRequest, versions: context.versions });
}

function closedMeanwhile(wire: Wire): SdkError {
  return new SdkError('ERA_NEGOTIATION_FAILED', {
    message: 'the connection was closed while it was found out what the server speaks',
    cause: wire.endedBy,
  });
}

/** A process that ended on a question it did not know is started once more. */
async function wireForHandshake(wire: Wire, context: OpeningContext): Promise<Wire> {
  if (!wire.closed) return wire;
  const restartable = 'restartable' in wire.transport && wire.transport.restartable === true;
  if (!restartable) throw closedMeanwhile(wire);
  const again = context.createWire(wire.nextRequestId);
  await again.start();
  return again;
}

/** Whoever insists on a version is told the same whichever way the server says that it has another. */
function failure(error: Error, legacyAllowed: boolean): Error {
  const versionsDiffer =
    isProtocolError(error) || (error instanceof SdkError && error.code === 'UNSUPPORTED_PROTOCOL_VERSION');
  if (legacyAllowed || !versionsDiffer) return error;
  const { message, data } = error as SdkError;
  return new SdkError('ERA_NEGOTIATION_FAILED', { message, data, cause: error });
}

async function openProbed(
  wire: Wire,
  context: OpeningContext,
  choice: { readonly codec: Codec; readonly legacyAllowed: boolean },
): Promise<OpenedConnection> {
  const { legacyAllowed } = choice;
  let verdict = await judge(wire, context, choice);
  if (verdict.type === 'ask_again') {
    verdict = await judge(wire, context, { codec: verdict.codec, legacyAllowed });
  }
  switch (verdict.type) {
    case 'failed':
      throw failure(verdict.error, legacyAllowed);
    case 'ask_again':
      throw failure(verdict.error, legacyAllowed);
    case 'legacy': {
      const shaken = await wireForHandshake(wire, context);
      return { wire: shaken, description: await shakeHands(shaken, context) };
    }
    case 'modern':
      return adopt(wire, verdict.codec, describeDiscovered(verdict.discover, verdict.codec));
  }
}

function adopt(wire: Wire, codec: Codec, description: ServerDescription): OpenedConnection {
  wire.use(codec);
  wire.transport.setProtocolVersion?.(codec.version);
  return { wire, description };
}

/**
 * Opens a transport and settles the revision.
 *
 * @throws SdkError `ERA_NEGOTIATION_FAILED`, `UNSUPPORTED_PROTOCOL_VERSION`, `INVALID_RESULT` and what
 *   transport and requests throw
 */
export async function openConnection(context: OpeningContext, plan: OpeningPlan): Promise<OpenedConnection> {
  const wire = context.createWire();
  await wire.start();
  switch (plan.type) {
    case 'handshake':
      return { wire, description: await shakeHands(wire, context) };
    case 'probe':
      return openProbed(wire, context, plan);
    case 'known':
      return adopt(wire, plan.codec, describeDiscovered(plan.discover, plan.codec));
    case 'session': {
      const opened = adopt(wire, plan.codec, {});
      wire.transport.resumeSession?.();
      return opened;
    }
  }
}
