import type { Codec } from '../codec.ts';
import { createLegacyCodec } from '../legacy-codec.ts';
import type { MethodTable } from '../methods.ts';
import { SHARED_LEGACY_METHODS } from './methods.ts';

/** Before there was a capability for it, completion could be asked of every server. */
const METHODS_2024: MethodTable = {
  ...SHARED_LEGACY_METHODS,
  'completion/complete': { kind: 'request', sender: 'client' },
};

/** Revision 2025-03-26, the only one with JSON-RPC arrays. It has no version header yet. */
export const codec20250326: Codec = createLegacyCodec({
  version: '2025-03-26',
  methods: SHARED_LEGACY_METHODS,
  acceptsBatches: true,
});

/** Revision 2024-11-05. */
export const codec20241105: Codec = createLegacyCodec({
  version: '2024-11-05',
  methods: METHODS_2024,
});

/** A draft that old clients still name; the same wire as 2024-11-05. */
export const codec20241007: Codec = createLegacyCodec({
  version: '2024-10-07',
  methods: METHODS_2024,
});
