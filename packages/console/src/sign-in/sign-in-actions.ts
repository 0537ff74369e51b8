import type { SignInCause } from '@portico/api';

/** What a person can do about a sign-in that failed. */
export type SignInAction = 'sign-in' | 'identity' | 'edit' | 'steps';

/** Those of each cause; the first is what its text asks for, and the button of it has a label of its own (K43). */
export const SIGN_IN_ACTIONS: Readonly<Record<SignInCause, readonly [SignInAction, ...SignInAction[]]>> = {
  no_metadata: ['edit', 'sign-in', 'steps'],
  registration_refused: ['identity', 'sign-in', 'steps'],
  redirect_mismatch: ['identity', 'sign-in', 'steps'],
  access_denied: ['sign-in', 'steps'],
  unknown_state: ['sign-in', 'steps'],
  issuer_mismatch: ['steps', 'sign-in'],
  invalid_grant: ['sign-in', 'steps'],
  wrong_clock: ['sign-in', 'steps'],
  scope_too_small: ['sign-in', 'steps'],
  tls: ['sign-in', 'steps'],
  client_id_needed: ['identity', 'sign-in', 'steps'],
  address_refused: ['edit', 'sign-in', 'steps'],
  not_reached: ['sign-in', 'steps'],
  server_failed: ['sign-in', 'steps'],
  expired: ['sign-in', 'steps'],
  cancelled: ['sign-in', 'steps'],
  still_refused: ['sign-in', 'steps'],
  other: ['steps', 'sign-in'],
};
