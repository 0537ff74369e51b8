import type { Codec } from '../codec.ts';
import { createLegacyCodec } from '../legacy-codec.ts';
import { METHODS_2025_11_25 } from './methods.ts';

/** Revision 2025-11-25, the newest with a handshake. */
export const codec20251125: Codec = createLegacyCodec({
  version: '2025-11-25',
  methods: METHODS_2025_11_25,
  hasVersionHeader: true,
  takesEmptyEvents: true,
});
