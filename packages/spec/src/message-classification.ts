import type { ProtocolEra } from './versions.ts';

/** What the form of a message says of its era, and of its revision where it names one. */
export interface MessageClassification {
  readonly era: ProtocolEra;
  readonly revision?: string;
}
