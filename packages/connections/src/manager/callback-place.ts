import type { Environment, Page } from './environment.ts';
import { openTabMessages } from './sign-in/tab-messages.ts';

/** Where sign-ins come back to unless it is set. */
const DEFAULT_PATH = '/oauth/callback';

/**
 * Where sign-ins come back to: what is set as it is, if it is a whole address. Source: R60.
 *
 * @returns undefined when there is no page, and no whole address is set
 */
export function resolveCallbackUrl(
  page: Page | undefined,
  configured: string = DEFAULT_PATH,
): string | undefined {
  if (URL.canParse(configured)) return configured;
  if (page === undefined || !URL.canParse(configured, page.href)) return undefined;
  return new URL(configured, page.href).href;
}

/** Whether somebody comes back to this page now: it is the one that is set, with a code or an error. Source: R71. */
export function isCallbackPage({ page }: Environment, callbackUrl: string | undefined): boolean {
  if (page === undefined || callbackUrl === undefined || !URL.canParse(callbackUrl)) return false;
  const here = new URL(page.href);
  const place = new URL(callbackUrl);
  if (here.origin !== place.origin || here.pathname !== place.pathname) return false;
  const isThere = [...place.searchParams].every(([name, value]) =>
    here.searchParams.getAll(name).includes(value),
  );
  return isThere && (here.searchParams.has('code') || here.searchParams.has('error'));
}

/**
 * Runs when nobody comes back to this page, or when that is dealt with: at once, or after
 * `finishCallback` has settled. Source: R71.
 *
 * @param callbackUrl as `resolveCallbackUrl` gives it
 * @param run must not throw
 * @returns how to stop waiting
 */
export function afterCallback(
  environment: Environment,
  callbackUrl: string | undefined,
  run: () => void,
): () => void {
  if (!isCallbackPage(environment, callbackUrl)) {
    run();
    return () => undefined;
  }
  const messages = openTabMessages(environment, ({ type }) => {
    if (type !== 'callback-done' || isCallbackPage(environment, callbackUrl)) return;
    messages.close();
    run();
  });
  return () => messages.close();
}
