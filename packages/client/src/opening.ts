import type { Codec } from '@portico/spec';
import type { SpokenVersions } from './codecs.ts';
import type { HandshakeOffer } from './handshake.ts';
import type { RequestOptions } from './request-options.ts';
import type { ServerDescription } from './server-description.ts';
import type { Wire } from './wire.ts';

/** How the question that finds out the era is asked. */
export interface VersionNegotiationProbeOptions {
  /** Milliseconds; the time limit of `connect`, else 60,000 by default. */
  readonly timeoutMs?: number;
  /** How often it is asked again after a timeout; 0 by default. */
  readonly maxRetries?: number;
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

/** Goes on at the revision that was settled without a handshake. */
export function adopt(wire: Wire, codec: Codec, description: ServerDescription): OpenedConnection {
  wire.use(codec);
  wire.transport.setProtocolVersion?.(codec.version);
  return { wire, description };
}
