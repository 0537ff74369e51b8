/** Where in a sign-in something happens. */
export type AuthorizationStep =
  | 'challenge'
  | 'resource-metadata'
  | 'server-metadata'
  | 'client-identity'
  | 'registration'
  | 'authorization'
  | 'callback'
  | 'token'
  | 'refresh'
  | 'revocation';

/** One thing that happened, fit to be shown and kept: secrets are never in it. */
export interface AuthorizationEvent {
  readonly step: AuthorizationStep;
  /** The request that was made, if one was; its query is left out, since callbacks and codes live there. */
  readonly request?: { readonly method: string; readonly url: string };
  /** What came back. */
  readonly status?: number;
  /** What was made of it, as a word of the table of outcomes. */
  readonly outcome: AuthorizationOutcome;
  /** Names and values that explain the outcome: scopes, reasons, issuer. Texts of servers are untrusted. */
  readonly detail?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

/** What was concluded at a step. */
export type AuthorizationOutcome = 'used' | 'missed' | 'chosen' | 'asked' | 'granted' | 'refused' | 'failed';

/** Is told every step as it happens. What it throws is ignored: watching changes nothing. */
export type AuthorizationObserver = (event: AuthorizationEvent) => void;
