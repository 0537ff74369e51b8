/** Seals secret values before they are stored (K34). Owns the key; nobody else sees it. */
export interface SecretBox {
  /** AES-256-GCM with a fresh nonce; the answer names the key's id. `context` binds it to its place. */
  seal(plain: string, context: string): string;
  /** Throws HostError `secret_unreadable` when key, place or text do not fit. */
  open(sealed: string, context: string): string;
}
