/** What a verifier found out about the access token of a request; handlers see it as `ctx.http.authInfo`. */
export interface AuthInfo {
  readonly token: string;
  readonly clientId: string;
  readonly scopes: string[];
  /** Seconds since 1970. A token without an end is refused. */
  readonly expiresAt?: number;
  /** The resource that the token is for, from its audience. */
  readonly resource?: URL;
  /** The whole audience, where a token is for more than one resource or names them otherwise than by URL. */
  readonly audience?: string | readonly string[];
  /** Whatever else the verifier wants to hand on; `sub` of it tells principals apart. */
  readonly extra?: Record<string, unknown>;
  /** Where the resource describes itself, for challenges that are built later. */
  readonly resourceMetadataUrl?: string;
}
