import {
  IssuerMismatchError,
  OAuthClientFlowError,
  OAuthError,
  RegistrationRejectedError,
} from '@portico/oauth';
import { describe, expect, it } from 'vitest';
import { HostError } from '../errors.ts';
import { signInCause } from './sign-in-causes.ts';

const withCode = (code: string): Error => Object.assign(new Error(code), { code });
const network = (cause: Error): OAuthClientFlowError<'network'> =>
  new OAuthClientFlowError('network', {
    data: { url: 'https://id.example/token' },
    // As fetch does it: the reason is one floor down.
    cause: new TypeError('fetch failed', { cause }),
  });
const rejected = (body: string): RegistrationRejectedError =>
  new RegistrationRejectedError({ status: 400, body, submittedMetadata: { redirect_uris: [] } });

describe('the cause of a failed sign-in', () => {
  it.each<[string, unknown, string]>([
    ['nothing found', new OAuthClientFlowError('no_server_metadata', { data: { tried: [] } }), 'no_metadata'],
    ['a registration refused', rejected('{"error":"invalid_client_metadata"}'), 'registration_refused'],
    ['a redirect refused at registration', rejected('{"error":"invalid_redirect_uri"}'), 'redirect_mismatch'],
    [
      'a redirect refused later',
      new OAuthError('invalid_request', 'redirect_uri does not match'),
      'redirect_mismatch',
    ],
    [
      'a redirect refused with the code',
      new OAuthError('invalid_grant', 'redirection URI does not match'),
      'redirect_mismatch',
    ],
    ['a request that is repeated', new OAuthError('invalid_grant', 'in redirect_uri=x&not'), 'invalid_grant'],
    ['a person who said no', new OAuthError('access_denied', 'no'), 'access_denied'],
    ['a foreign state', new OAuthClientFlowError('state_mismatch', { data: undefined }), 'unknown_state'],
    [
      'a foreign issuer',
      new IssuerMismatchError('authorization_response', 'https://a.example', 'https://b.example'),
      'issuer_mismatch',
    ],
    ['a code that is void', new OAuthError('invalid_grant', 'used'), 'invalid_grant'],
    ['a proof from the future', new OAuthError('invalid_dpop_proof', 'iat is in the future'), 'wrong_clock'],
    ['a certificate from the future', network(withCode('CERT_NOT_YET_VALID')), 'wrong_clock'],
    ['a scope that is too small', new OAuthError('invalid_scope', 'no'), 'scope_too_small'],
    ['a certificate of somebody else', network(withCode('ERR_TLS_CERT_ALTNAME_INVALID')), 'tls'],
    ['a self-signed certificate', network(withCode('DEPTH_ZERO_SELF_SIGNED_CERT')), 'tls'],
  ])('K43 is told: %s', (_name, error, cause) => {
    expect(signInCause(error)).toBe(cause);
  });

  it.each<[string, number, string]>([
    ['invalid_grant', 360_000, 'wrong_clock'],
    ['invalid_grant', -360_000, 'wrong_clock'],
    ['invalid_client', 360_000, 'wrong_clock'],
    ['invalid_grant', 240_000, 'invalid_grant'],
    ['access_denied', 360_000, 'access_denied'],
    ['invalid_scope', -360_000, 'scope_too_small'],
  ])('K43 of %s by a server whose clock is %i ms ahead is %s', (code, skewMs, cause) => {
    expect(signInCause(new OAuthError(code, 'no'), skewMs)).toBe(cause);
  });

  it.each<[string, unknown, string]>([
    [
      'a missing client id',
      new OAuthClientFlowError('client_id_needed', { data: { issuer: 'i' } }),
      'client_id_needed',
    ],
    ['a refused address', network(new HostError('address_refused')), 'address_refused'],
    [
      'a script for an address',
      new OAuthClientFlowError('url_refused', { data: { url: 'x', reason: 'y' } }),
      'address_refused',
    ],
    ['a dead server', network(withCode('ECONNREFUSED')), 'not_reached'],
    ['a server that is down', new OAuthError('temporarily_unavailable', 'later'), 'server_failed'],
    ['something else', new OAuthError('unknown_word', ''), 'other'],
    ['a text', 'text', 'other'],
  ])('is told, too: %s', (_name, error, cause) => {
    expect(signInCause(error)).toBe(cause);
  });
});
