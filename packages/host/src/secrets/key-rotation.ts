import type { KeyHolder, KeyRing, ResealReport, TurnableSecretBox } from '../ports/secrets.ts';

/** A store of sealed texts. */
export interface SealedPlace {
  /**
   * Seals everything anew that is not sealed with the current key, item by item, so that an end in
   * the middle leaves each item sealed with the one key or the other. What cannot be opened stays.
   */
  reseal(): Promise<ResealReport>;
}

export interface KeyRotationOptions {
  readonly keys: KeyHolder;
  readonly box: TurnableSecretBox;
  readonly places: readonly SealedPlace[];
}

/** Exchanges the key that secrets are sealed with, while the host runs (K35). */
export interface KeyRotation {
  /** Makes a new key and seals everything anew with it. A second call during the first joins it. */
  rotate(): Promise<ResealReport>;
  /** Ends a rotation that was interrupted; undefined where there was none. */
  resume(): Promise<ResealReport | undefined>;
}

/**
 * The new key is stored beside the old one before anything is sealed with it, and the old one goes
 * last: at every moment each secret opens with a key that is stored.
 */
export function createKeyRotation({ keys, box, places }: KeyRotationOptions): KeyRotation {
  let running: Promise<ResealReport> | undefined;
  const turn = async (ring: KeyRing): Promise<ResealReport> => {
    box.turnTo(ring);
    let renewed = 0;
    let unreadable = 0;
    for (const place of places) {
      const report = await place.reseal();
      renewed += report.renewed;
      unreadable += report.unreadable;
    }
    box.turnTo(await keys.dropPrevious());
    return { renewed, unreadable };
  };
  return {
    rotate() {
      running ??= keys
        .add()
        .then(turn)
        .finally(() => (running = undefined));
      return running;
    },
    async resume() {
      return keys.ring.previous.length === 0 ? undefined : await turn(keys.ring);
    },
  };
}
