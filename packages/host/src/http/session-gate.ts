import { createHash } from 'node:crypto';
import { SIGN_IN_PAGES } from '@portico/api';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { ApiRefusal } from '../api-refusal.ts';
import type { BrowserSessions } from '../sessions/browser-sessions.ts';
import type { LaunchLinks } from '../sessions/launch-links.ts';
import { foreignSignInPage, launchedPage, needsLinkPage, staleLinkPage } from './plain-page.ts';

/** How long a browser keeps the cookie, in seconds; the session itself may end sooner. */
const COOKIE_MAX_AGE_S = 30 * 24 * 60 * 60;

export interface SessionGateOptions {
  readonly sessions: BrowserSessions;
  readonly launchLinks: LaunchLinks;
  readonly port: () => number;
}

/** Where a launch ends before the console opens; shows nothing that needs a session. */
export const LAUNCHED_PATH = '/launched';

/**
 * Addresses of the way to a session, and the one that other sites send the browser to: it carries no
 * cookie then, and goes on to a page that does need one.
 */
const OPEN_PATHS: ReadonlySet<string> = new Set(['/launch', LAUNCHED_PATH, SIGN_IN_PAGES.callback]);

/** Lets nobody pass without a session but on the way to one (K112). */
export function sessionGate(options: SessionGateOptions): MiddlewareHandler {
  return async (context, next) => {
    const token = getCookie(context, cookieName(options.port()));
    if (OPEN_PATHS.has(context.req.path) || (token !== undefined && (await options.sessions.verify(token)))) {
      await next();
      return;
    }
    if (context.req.path.startsWith('/api/')) {
      throw new ApiRefusal('no_session', 'This browser has no session. Open a new launch link.');
    }
    const isWayBack = context.req.path === SIGN_IN_PAGES.finish;
    context.res = context.html(isWayBack ? foreignSignInPage() : needsLinkPage(), 401);
  };
}

/**
 * Answers `GET /launch?token=…`: a good token becomes a cookie and is then worth nothing.
 *
 * The browser comes from somewhere else, and on a redirect it would keep the cookie back as it does for
 * every visit that another site began. So it goes to a page of ours, which takes it to the console.
 */
export async function launch(context: Context, options: SessionGateOptions): Promise<Response> {
  const token = context.req.query('token');
  if (token === undefined || !options.launchLinks.redeem(token)) return context.html(staleLinkPage(), 401);
  setCookie(context, cookieName(options.port()), await options.sessions.create(), {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge: COOKIE_MAX_AGE_S,
  });
  return context.redirect(LAUNCHED_PATH, 303);
}

/** Answers `GET /launched`. */
export function launched(context: Context): Response {
  context.header('refresh', '0; url=/');
  return context.html(launchedPage());
}

/** Names the session of a request that passed the gate, without its token. */
export function sessionKey(context: Context, port: number): string {
  const token = getCookie(context, cookieName(port)) ?? '';
  return createHash('sha256').update(token).digest('base64url');
}

/** Named with the port, since cookies are shared between the ports of a host. */
function cookieName(port: number): string {
  return `portico_session_${port}`;
}
