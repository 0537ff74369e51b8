import { CODECS, SUPPORTED_PROTOCOL_VERSIONS, codecFor } from '@portico/spec';
import type { Codec } from '@portico/spec';

/** The revisions one client speaks, in the order it prefers them. */
export interface SpokenVersions {
  readonly names: readonly string[];
  /** Those with a handshake; the first is what it offers. */
  readonly handshake: readonly Codec[];
  /** Those whose requests stand for themselves. */
  readonly stateless: readonly Codec[];
}

/** @param names restricts and orders the revisions; names of unknown ones are left out */
export function spokenVersions(names: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS): SpokenVersions {
  const codecs = [...new Set(names)].flatMap((name) => codecFor(name) ?? []);
  return {
    names,
    handshake: codecs.filter((codec) => codec.hasHandshake),
    stateless: codecs.filter((codec) => !codec.hasHandshake),
  };
}

/** What a wire speaks before anything is agreed on. */
export function firstCodec({ handshake, stateless }: SpokenVersions): Codec {
  const [codec] = [...handshake, ...stateless, ...CODECS] as const;
  return codec as Codec;
}

/** The first of our revisions that the other side names. */
export function sharedCodec(codecs: readonly Codec[], versions: readonly unknown[]): Codec | undefined {
  return codecs.find((codec) => versions.includes(codec.version));
}
