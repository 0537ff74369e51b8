import { IssuerMismatchError } from '../flow-errors.ts';

/**
 * Compares the issuer that a callback names with the one recorded before the redirect, as plain text:
 * equal goes on, different stops, none stops where the server promised one. Source: Authorization
 * Response Validation; RFC 9207, section 2.4; W218.
 *
 * @throws IssuerMismatchError of kind `authorization_response`
 */
export function validateAuthorizationResponseIssuer(options: {
  /** After form-decoding, as `URLSearchParams` has it. */
  readonly iss: string | undefined;
  /** From metadata that was checked; undefined leaves nothing to compare with. */
  readonly expectedIssuer: string | undefined;
  readonly issParameterSupported: boolean;
}): void {
  const { iss, expectedIssuer, issParameterSupported } = options;
  if (expectedIssuer === undefined) return;
  const acceptable = iss === undefined ? !issParameterSupported : iss === expectedIssuer;
  if (!acceptable) throw new IssuerMismatchError('authorization_response', expectedIssuer, iss);
}
