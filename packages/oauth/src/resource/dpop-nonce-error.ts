import { OAuthError, OAuthErrorCode } from '../errors.ts';

/** A proof without the nonce that this resource gives out; answered with the one to use. Source: RFC 9449, section 9. */
export class DpopNonceError extends OAuthError {
  static override readonly brand: string = 'DpopNonceError';
  readonly nonce: string;

  constructor(nonce: string) {
    super(OAuthErrorCode.UseDpopNonce, 'The proof must hold the nonce of this resource.');
    this.name = 'DpopNonceError';
    this.nonce = nonce;
  }
}
