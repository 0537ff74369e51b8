import { CODECS } from '@portico/spec';
import type { Codec } from '@portico/spec';

/** Codecs with a handshake, newest first. */
export function handshakeCodecs(): readonly Codec[] {
  return CODECS.filter((codec) => codec.hasHandshake);
}

/** Codecs whose requests stand for themselves, newest first. */
export function statelessCodecs(): readonly Codec[] {
  return CODECS.filter((codec) => !codec.hasHandshake);
}
