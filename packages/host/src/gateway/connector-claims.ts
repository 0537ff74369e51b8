import { ApiRefusal } from '../api-refusal.ts';
import type { ConnectorRecord } from '../ports/stores.ts';
import type { ConnectorRegistry } from './connector-registry.ts';

/** What a connector, or an account of one, wants to be called. */
export type Claim = Pick<ConnectorRecord, 'id' | 'groupId' | 'name' | 'label'>;

/** Who may be called what, also while changes are under way. */
export interface ConnectorClaims {
  /**
   * Keeps name and label for a change until it is stored, so that two changes at once cannot take the
   * same. Throws ApiRefusal `conflict` for a name that another connector has or gets, and for a label
   * that another account of the same connector has or gets.
   */
  hold<T>(claim: Claim, change: () => Promise<T>): Promise<T>;
}

export function createConnectorClaims(registry: Pick<ConnectorRegistry, 'records'>): ConnectorClaims {
  /** What changes under way will have taken. */
  const held = new Set<Claim>();
  return {
    async hold(claim, change) {
      const others = [...registry.records(), ...held].filter(({ id }) => id !== claim.id);
      if (others.some((other) => other.name === claim.name && other.groupId !== claim.groupId)) {
        throw new ApiRefusal(
          'conflict',
          `A connector called "${claim.name}" exists already; choose another name.`,
        );
      }
      if (others.some((other) => other.label === claim.label && other.groupId === claim.groupId)) {
        throw new ApiRefusal(
          'conflict',
          `There is an account "${claim.label}" already; choose another label.`,
        );
      }
      held.add(claim);
      try {
        return await change();
      } finally {
        held.delete(claim);
      }
    },
  };
}
