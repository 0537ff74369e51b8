import type { Codec } from './codec.ts';
import { codec20250618 } from './rev-2025-06-18/codec.ts';
import { codec20241007, codec20241105, codec20250326 } from './rev-2025-06-18/earlier.ts';
import { codec20251125 } from './rev-2025-11-25/codec.ts';
import { codec20260728 } from './rev-2026-07-28/codec.ts';

/** Every revision spoken here, newest first. */
export const CODECS: readonly Codec[] = [
  codec20260728,
  codec20251125,
  codec20250618,
  codec20250326,
  codec20241105,
  codec20241007,
];

/** The codec of a revision; undefined when it is not spoken here. */
export function codecFor(version: string): Codec | undefined {
  return CODECS.find((codec) => codec.version === version);
}

/** Names of the spec methods of any revision, so that the rest are vendor methods. */
export function isSpecMethod(name: string): boolean {
  return CODECS.some((codec) => codec.method(name) !== undefined);
}
