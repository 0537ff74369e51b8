import { SIGN_IN_PAGES } from '@portico/api';
import type { SignInMode } from '@portico/api';
import { NARROW } from '../ui/use-media-query.ts';

/** The part of the window that a sign-in uses. */
export interface SignInWindow {
  open(url: string, target: string, features: string): unknown;
  matchMedia(query: string): { readonly matches: boolean };
  readonly location: {
    readonly pathname: string;
    readonly search: string;
    assign(url: string): void;
  };
}

/** Where a sign-in begins: a page of the host, which goes on to the other site. */
function signInAddress(connectorId: string, parameters: { mode: SignInMode; back?: string }): string {
  const path = SIGN_IN_PAGES.begin.replace(':connectorId', encodeURIComponent(connectorId));
  return `${path}?${new URLSearchParams(parameters).toString()}`;
}

/** Goes away for the sign-in with the page itself, and comes back to the same screen. */
export function signInHere(connectorId: string, { location }: SignInWindow): void {
  const back = location.pathname + location.search;
  location.assign(signInAddress(connectorId, { mode: 'page', back }));
}

/**
 * Opens a window of its own for the sign-in; where that is blocked, or there is no room for two, the
 * page itself goes there and comes back (K41). To be called while the press of a button is handled.
 */
export function openSignIn(connectorId: string, window: SignInWindow): void {
  const isNarrow = window.matchMedia(NARROW).matches;
  // The other site may cut every tie to its opener, so that this is only about whether it was blocked.
  const opened = isNarrow
    ? null
    : window.open(signInAddress(connectorId, { mode: 'window' }), '_blank', 'popup,width=520,height=760');
  if (opened === null) signInHere(connectorId, window);
}
