'use client';
import { finishCallback, oauthFetchOf } from '@portico/connections/manager';
import type { Environment } from '@portico/connections/manager';
import { createBrowserEnvironment } from '../environment/browser-environment.ts';

/** How {@link onMcpAuthorization} reaches the world. */
export interface OnMcpAuthorizationOptions {
  /** Replaces the browser's fetch, clock, storage and so on. */
  readonly environment?: Environment | undefined;
}

/**
 * Ends the sign-in that this page was come back to, for the page at `callbackUrl`. However often it is
 * called, the code is used once. What became of it stands on the page as plain text, a window that was
 * opened for it is closed, and a page that was left is shown again.
 *
 * @throws what the storage throws
 */
export async function onMcpAuthorization(options: OnMcpAuthorizationOptions = {}): Promise<void> {
  const { environment = createBrowserEnvironment() } = options;
  const { outcome, text, leaves } = await finishCallback({
    environment,
    oauthFetch: oauthFetchOf(environment.fetch),
  });
  if (outcome === 'nothing' || leaves || typeof document === 'undefined') return;
  const told = document.createElement('p');
  told.setAttribute('role', 'status');
  // Words of a server may be in it.
  told.textContent = text;
  document.body.append(told);
  // Whoever opened it may have lost it, and cannot close it.
  if (outcome === 'signed_in') environment.page?.close();
}
