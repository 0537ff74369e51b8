import { codecFor } from '@portico/spec';
import type { Codec, DiscoverResult } from '@portico/spec';
import { sharedCodec } from './codecs.ts';
import type { SpokenVersions } from './codecs.ts';
import type { PriorDiscovery } from './era-store.ts';
import { SdkError } from './errors.ts';
import { shakeHands } from './handshake.ts';
import { adopt } from './opening.ts';
import type { OpenedConnection, OpeningContext, VersionNegotiationProbeOptions } from './opening.ts';
import { describeDiscovered, readDescription } from './server-description.ts';

/** legacy: the handshake only; auto: find out; pin: this modern version or nothing. */
export type VersionNegotiationMode = 'legacy' | 'auto' | { readonly pin: string };

/** How the era of a server is found out. */
export interface VersionNegotiationOptions {
  /** `legacy` by default, as in the official SDK. */
  readonly mode?: VersionNegotiationMode;
  readonly probe?: VersionNegotiationProbeOptions;
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

/**
 * What is known comes from storage, so it may be anything.
 * @throws SdkError `ERA_NEGOTIATION_FAILED`: it is no description, or shares no modern revision with this side
 */
export function planKnown(prior: PriorDiscovery, versions: SpokenVersions): OpeningPlan {
  const {
    kind,
    discover: told,
    supportedVersions,
  } = Object(prior) as Partial<DiscoverResult> & {
    readonly kind?: unknown;
    readonly discover?: unknown;
  };
  if (kind === 'legacy' && supportedVersions === undefined) return planHandshake(versions);
  const discover = kind === 'modern' ? readDescription(told) : undefined;
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
      return (await import('./probing.ts')).openProbed(wire, context, plan);
    case 'known':
      return adopt(wire, plan.codec, describeDiscovered(plan.discover, plan.codec));
    case 'session': {
      const opened = adopt(wire, plan.codec, {});
      wire.transport.resumeSession?.();
      return opened;
    }
  }
}
