'use client';

/** The browser's locks among tabs; undefined where it has none, or withholds them. */
export function webLocks(): LockManager | undefined {
  if (typeof navigator === 'undefined') return undefined;
  const { locks } = navigator as { readonly locks?: LockManager | null };
  return locks ?? undefined;
}
