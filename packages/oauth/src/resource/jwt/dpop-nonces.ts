import type { Clock } from '@portico/rpc';
import { base64url } from '../base64url.ts';

/** Values that proofs must hold, so that none can be made long beforehand. */
export interface DpopNonces {
  /** The one to use now. */
  current(): string;
  /** Whether it is the current one or the one before. */
  accepts(nonce: unknown): boolean;
}

const NONCE_BYTES = 18;

/** @param lifetimeMs milliseconds that a value is the current one */
export function createDpopNonces(clock: Clock, lifetimeMs: number): DpopNonces {
  let previous: string | undefined;
  let latest = { value: randomNonce(), madeAtMs: clock.now() };
  const turn = (): void => {
    const ageMs = clock.now() - latest.madeAtMs;
    if (ageMs < lifetimeMs) return;
    previous = ageMs < 2 * lifetimeMs ? latest.value : undefined;
    latest = { value: randomNonce(), madeAtMs: clock.now() };
  };
  return {
    current() {
      turn();
      return latest.value;
    },
    accepts(nonce) {
      turn();
      return typeof nonce === 'string' && (nonce === latest.value || nonce === previous);
    },
  };
}

function randomNonce(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
}
