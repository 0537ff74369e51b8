import type { ServerCodec } from './codec.ts';
import { CODECS } from './codecs.ts';
import { createLegacyServerCodec } from './legacy-server-codec.ts';
import { serverCodec20260728 } from './rev-2026-07-28/server-codec.ts';

/** Every revision as servers need it, newest first; clients do without what only servers do. */
const SERVER_CODECS: readonly ServerCodec[] = [
  serverCodec20260728,
  ...CODECS.filter(({ era }) => era === 'legacy').map(createLegacyServerCodec),
];

/** The codec of a revision as servers need it; undefined when it is not spoken here. */
export function serverCodecFor(version: string): ServerCodec | undefined {
  return SERVER_CODECS.find((codec) => codec.version === version);
}
