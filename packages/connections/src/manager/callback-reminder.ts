import { isCallbackPage, resolveCallbackUrl } from './callback-place.ts';
import type { Environment } from './environment.ts';

/** How long a page may take to end a sign-in before it looks as if it did not mean to, milliseconds. */
const LATE_MS = 10_000;

/**
 * Says once that servers wait on the page that somebody came back to, since nobody ends the sign-in there;
 * only while the application is being made.
 *
 * @param callbackUrls as they are set, undefined for the default
 * @returns how to stop waiting
 */
export function remindOfCallback(
  environment: Environment,
  callbackUrls: () => readonly (string | undefined)[],
): () => void {
  const { clock, console, isDevelopment, page } = environment;
  if (isDevelopment !== true || page === undefined) return () => undefined;
  // Nobody comes back to a page later on: the address would be another page.
  if (!isCallbackPage(environment, page.href)) return () => undefined;
  const timer = clock.setTimer(LATE_MS, () => {
    const waits = callbackUrls().some((set) => isCallbackPage(environment, resolveCallbackUrl(page, set)));
    if (waits) console?.warn('somebody came back from a sign-in: this page has to call onMcpAuthorization()');
  });
  return () => timer.cancel();
}
