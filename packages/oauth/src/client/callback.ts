import { systemClock } from '@portico/rpc';
import { OAuthError } from '../errors.ts';
import { OAuthClientFlowError, UnauthorizedError } from '../flow-errors.ts';
import { auth } from './auth.ts';
import type { AuthOptions } from './auth.ts';
import { validateAuthorizationResponseIssuer } from './callback-issuer.ts';
import { watchFailures } from './failure-steps.ts';
import type { OAuthClientProvider } from './provider.ts';
import { observe } from './requests.ts';

/** What the callback says, when it was not handed over as a whole. */
export interface CallbackCode {
  readonly code: string;
  readonly iss?: string | undefined;
}

/** What is known of the sign-in by who finishes it. */
export type FinishOptions = Omit<AuthOptions, 'authorizationCode' | 'iss'>;

/**
 * A callback without a code brings an error, whose texts are shown only if it came from the server that
 * the browser was sent to. Source: Authorization Response Validation; W218.
 */
async function refusalOf(provider: OAuthClientProvider, params: URLSearchParams): Promise<Error> {
  const known = (await provider.discoveryState?.())?.authorizationServerMetadata;
  if (known === undefined) {
    return new UnauthorizedError('The sign-in failed, and nobody knows whether its server says so.');
  }
  validateAuthorizationResponseIssuer({
    iss: params.get('iss') ?? undefined,
    expectedIssuer: known.issuer,
    issParameterSupported: known.authorization_response_iss_parameter_supported === true,
  });
  const error = params.get('error');
  if (error === null)
    return new OAuthClientFlowError('callback_incomplete', { data: undefined, step: 'callback' });
  return new OAuthError(
    error,
    params.get('error_description') ?? error,
    params.get('error_uri') ?? undefined,
  );
}

/**
 * Ends a sign-in with what the browser came back with: the callback's whole query, or its code and issuer.
 * A provider that keeps attempts finds its own by `state`; what belongs to the attempt is gone afterwards.
 *
 * @throws IssuerMismatchError, AuthorizationServerMismatchError before the code is sent anywhere
 * @throws OAuthClientFlowError `state_mismatch`, `callback_incomplete` and as `auth`
 * @throws OAuthError what the server said, in the callback or to the exchange
 */
export async function finishAuthorization(
  provider: OAuthClientProvider,
  callback: URLSearchParams | CallbackCode,
  options: FinishOptions,
): Promise<void> {
  const watched = watchFailures(options);
  try {
    await finish(provider, callback, watched.options);
  } catch (error) {
    watched.tellFailure(error);
    throw error;
  }
}

async function finish(
  provider: OAuthClientProvider,
  callback: URLSearchParams | CallbackCode,
  options: FinishOptions,
): Promise<void> {
  const whole = callback instanceof URLSearchParams ? callback : undefined;
  const state = whole?.get('state') ?? undefined;
  const bound = (await provider.resumeAttempt?.(state)) ?? provider;
  const authorizationCode = callback instanceof URLSearchParams ? callback.get('code') : callback.code;
  if (authorizationCode === null || authorizationCode === '') {
    try {
      const refusal = await refusalOf(bound, whole ?? new URLSearchParams());
      if (refusal instanceof OAuthError)
        observe(options, { step: 'callback', outcome: 'refused', detail: { code: refusal.code } });
      throw refusal;
    } finally {
      await bound.invalidateCredentials?.('verifier');
    }
  }
  const iss = callback instanceof URLSearchParams ? (callback.get('iss') ?? undefined) : callback.iss;
  await auth(bound, { clock: systemClock, ...options, authorizationCode, iss });
}
