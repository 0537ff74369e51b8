/** Seals secret values before they are stored (K34). Owns the keys; nobody else sees them. */
export interface SecretBox {
  /** AES-256-GCM with a fresh nonce; the answer names the key's id. `context` binds it to its place. */
  seal(plain: string, context: string): string;
  /** Throws HostError `secret_unreadable` when key, place or text do not fit. */
  open(sealed: string, context: string): string;
  /** Whether the text was sealed with the key that `seal` uses now. */
  isCurrent(sealed: string): boolean;
}

/** Keys of 32 bytes each. */
export interface KeyRing {
  /** The one that seals. */
  readonly current: Uint8Array;
  /** Those that only open, while what they sealed is sealed anew. */
  readonly previous: readonly Uint8Array[];
}

/** A box whose keys can be exchanged while it is in use. */
export interface TurnableSecretBox extends SecretBox {
  /** From now on these keys count, and no others. */
  turnTo(ring: KeyRing): void;
}

/** Where keys are kept. */
export interface KeyHolder {
  readonly ring: KeyRing;
  /**
   * Makes a new current key, the old one stays to open with; safely stored when it resolves.
   * Throws HostError `bad_configuration` where the operator gives the keys and gave no other one.
   */
  add(): Promise<KeyRing>;
  /** Forgets all keys but the current one. */
  dropPrevious(): Promise<KeyRing>;
}

/** What a pass over stored secrets did, in numbers of secrets. */
export interface ResealReport {
  readonly renewed: number;
  /** Sealed with a key that is not there; left as they are. */
  readonly unreadable: number;
}
