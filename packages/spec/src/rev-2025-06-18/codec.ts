import type { Codec } from '../codec.ts';
import { createLegacyCodec } from '../legacy-codec.ts';
import { METHODS_2025_06_18 } from './methods.ts';

/** Revision 2025-06-18. */
export const codec20250618: Codec = createLegacyCodec({
  version: '2025-06-18',
  methods: METHODS_2025_06_18,
  hasVersionHeader: true,
});
