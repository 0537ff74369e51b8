import { BrandedError } from '@portico/rpc';
import type { OAuthClientMetadata } from './documents.ts';
import type { AuthorizationStep } from './steps.ts';

/** What `data` holds for each code. Texts that came from the other side are untrusted. */
export interface OAuthFlowErrorData {
  /** No document names an authorization server; every address that was tried is listed. */
  no_server_metadata: { tried: readonly { url: string; status?: number; reason: string }[] };
  /** A document was fetched, but it cannot be used; `reason` says what is wrong with it. */
  metadata_unusable: { url: string; reason: string };
  /** The resource document describes another resource than the server that was asked for. */
  resource_mismatch: { expected: string; received: string };
  /** An issuer is not the one that was asked for, see {@link IssuerMismatchError}. */
  issuer_mismatch: { kind: 'metadata' | 'authorization_response'; expected?: string; received?: string };
  /** Another authorization server is in charge than the one the browser was sent to. */
  authorization_server_mismatch: { recordedIssuer: string; currentIssuer: string };
  /** An address in a document is not one that secrets or people may be sent to. */
  url_refused: { url: string; reason: string };
  /** The token endpoint is neither https nor on loopback. */
  insecure_token_endpoint: { tokenEndpoint: string };
  /** The authorization server does not promise S256, without which no code is safe. */
  pkce_unsupported: { methods?: readonly string[] };
  /** The server takes neither our metadata document nor registrations, and no id was given. */
  client_id_needed: { issuer: string; redirectUrl?: string };
  /** The address of the client's metadata document is no https address with a path. */
  client_metadata_url_invalid: { url: string };
  /** The registration endpoint said no. */
  registration_rejected: { status: number; body: string; submittedMetadata: OAuthClientMetadata };
  /** Client and token endpoint have no way of authentication in common. */
  client_auth_unsupported: { supported: readonly string[] };
  /** The callback's `state` is not that of the open attempt, or there is no open attempt. */
  state_mismatch: undefined;
  /** The callback holds neither a code nor an error. */
  callback_incomplete: undefined;
  /** The server could not be reached, or broke off; the same request may work later. */
  network: { url: string };
  /** The answer is not the document that the step needs. */
  answer_unusable: { url: string; status: number; reason: string };
  /** The answer is larger than the limit. */
  answer_too_large: { url: string; limitBytes: number };
  /** No answer came in time. */
  answer_timeout: { url: string; timeoutMs: number };
  /** The token that the resource asked for more scopes than it grants. */
  insufficient_scope: { requiredScope?: string; resourceMetadataUrl?: string };
  /** A provider cannot do what the flow asks of it; `member` names what is missing. */
  provider_incomplete: { member: string };
  /** A hook of the provider or of a store threw; `cause` is what it threw. */
  provider_failed: { member: string };
  /** The server takes no proof of possession that is signed as this client's are. */
  dpop_unsupported: { alg: string; supported: readonly string[] };
  /** A key cannot be read, or not for that algorithm. */
  signing_key_unusable: { alg: string; reason: string };
}

export type OAuthFlowErrorCode = keyof OAuthFlowErrorData;

/** Every error of the client's side of a sign-in, with its message. */
export const OAUTH_FLOW_ERRORS: Readonly<Record<OAuthFlowErrorCode, string>> = {
  no_server_metadata: 'No authorization server could be found for this MCP server.',
  metadata_unusable: 'A metadata document of the sign-in cannot be used.',
  resource_mismatch: 'The resource document describes another server.',
  issuer_mismatch: 'The issuer is not the one that was asked for.',
  authorization_server_mismatch: 'Another authorization server is in charge than when the sign-in began.',
  url_refused: 'An address given for the sign-in is refused.',
  insecure_token_endpoint: 'The token endpoint is not reached by https.',
  pkce_unsupported: 'The authorization server does not promise PKCE with S256.',
  client_id_needed: 'The authorization server needs a client id that was registered by hand.',
  client_metadata_url_invalid: 'The address of the client metadata document must be https with a path.',
  registration_rejected: 'The authorization server refused the registration of this client.',
  client_auth_unsupported: 'The token endpoint supports no way of authentication that this client has.',
  state_mismatch: 'The callback does not belong to the sign-in that is open.',
  callback_incomplete: 'The callback holds neither a code nor an error.',
  network: 'A server of the sign-in could not be reached.',
  answer_unusable: 'A server of the sign-in gave an answer that cannot be used.',
  answer_too_large: 'An answer of the sign-in is larger than the limit.',
  answer_timeout: 'A server of the sign-in gave no answer in time.',
  insufficient_scope: 'The access token grants too few scopes.',
  provider_incomplete: 'The authorization provider lacks a member that this sign-in needs.',
  provider_failed: 'A hook of the authorization provider failed.',
  dpop_unsupported: 'The server takes no proofs of possession of this kind.',
  signing_key_unusable: 'A signature cannot be made with this key.',
};

/** What a {@link OAuthClientFlowError} can be given besides its code. */
export interface OAuthFlowErrorOptions<Code extends OAuthFlowErrorCode> {
  /** Replaces the table's message with a more exact one. */
  readonly message?: string;
  readonly data: OAuthFlowErrorData[Code];
  /** The step that failed. */
  readonly step?: AuthorizationStep;
  readonly cause?: unknown;
}

/** A sign-in that failed on this side of the wire: `code` says how, `step` where. */
export class OAuthClientFlowError<Code extends OAuthFlowErrorCode = OAuthFlowErrorCode> extends BrandedError {
  static readonly brand: string = 'OAuthClientFlowError';
  readonly code: Code;
  readonly data: OAuthFlowErrorData[Code];
  readonly step: AuthorizationStep | undefined;

  constructor(code: Code, options: OAuthFlowErrorOptions<Code>) {
    super(
      options.message ?? OAUTH_FLOW_ERRORS[code],
      options.cause === undefined ? {} : { cause: options.cause },
    );
    this.name = 'OAuthClientFlowError';
    this.code = code;
    this.data = options.data;
    this.step = options.step;
  }
}

/**
 * An issuer that is not the one asked for: in a metadata document, or as `iss` of a callback. On a
 * callback `received` may be an attacker's text, and so may be every other text of that callback.
 */
export class IssuerMismatchError extends OAuthClientFlowError<'issuer_mismatch'> {
  static override readonly brand: string = 'IssuerMismatchError';
  readonly kind: 'metadata' | 'authorization_response';
  readonly expected: string | undefined;
  readonly received: string | undefined;

  constructor(
    kind: 'metadata' | 'authorization_response',
    expected: string | undefined,
    received: string | undefined,
  ) {
    super('issuer_mismatch', {
      message: `${OAUTH_FLOW_ERRORS.issuer_mismatch} Expected ${JSON.stringify(expected)}, received ${JSON.stringify(received)}.`,
      data: {
        kind,
        ...(expected === undefined ? {} : { expected }),
        ...(received === undefined ? {} : { received }),
      },
      step: kind === 'metadata' ? 'server-metadata' : 'callback',
    });
    this.name = 'IssuerMismatchError';
    this.kind = kind;
    this.expected = expected;
    this.received = received;
  }
}

/** The code of one authorization server would have been sent to another. */
export class AuthorizationServerMismatchError extends OAuthClientFlowError<'authorization_server_mismatch'> {
  static override readonly brand: string = 'AuthorizationServerMismatchError';
  readonly recordedIssuer: string;
  readonly currentIssuer: string;

  constructor(recordedIssuer: string, currentIssuer: string) {
    super('authorization_server_mismatch', {
      message: `${OAUTH_FLOW_ERRORS.authorization_server_mismatch} It began at ${JSON.stringify(recordedIssuer)}, now it is ${JSON.stringify(currentIssuer)}.`,
      data: { recordedIssuer, currentIssuer },
      step: 'callback',
    });
    this.name = 'AuthorizationServerMismatchError';
    this.recordedIssuer = recordedIssuer;
    this.currentIssuer = currentIssuer;
  }
}

/** Secrets would have gone over a connection that anybody can read. */
export class InsecureTokenEndpointError extends OAuthClientFlowError<'insecure_token_endpoint'> {
  static override readonly brand: string = 'InsecureTokenEndpointError';
  readonly tokenEndpoint: string;

  constructor(tokenEndpoint: string) {
    super('insecure_token_endpoint', { data: { tokenEndpoint }, step: 'token' });
    this.name = 'InsecureTokenEndpointError';
    this.tokenEndpoint = tokenEndpoint;
  }
}

/** The registration endpoint said no: with its status, the body it gave and what was sent. */
export class RegistrationRejectedError extends OAuthClientFlowError<'registration_rejected'> {
  static override readonly brand: string = 'RegistrationRejectedError';
  readonly status: number;
  readonly body: string;
  readonly submittedMetadata: OAuthClientMetadata;

  constructor(details: OAuthFlowErrorData['registration_rejected']) {
    super('registration_rejected', {
      message: `${OAUTH_FLOW_ERRORS.registration_rejected} It answered ${String(details.status)}.`,
      data: details,
      step: 'registration',
    });
    this.name = 'RegistrationRejectedError';
    this.status = details.status;
    this.body = details.body;
    this.submittedMetadata = details.submittedMetadata;
  }
}

/** The resource wants scopes that the token lacks, and nobody here asks for them. All texts are the server's. */
export class InsufficientScopeError extends OAuthClientFlowError<'insufficient_scope'> {
  static override readonly brand: string = 'InsufficientScopeError';
  readonly requiredScope: string | undefined;
  readonly resourceMetadataUrl: URL | undefined;
  readonly errorDescription: string | undefined;

  constructor(
    challenge: {
      readonly requiredScope?: string;
      readonly resourceMetadataUrl?: URL;
      readonly errorDescription?: string;
    } = {},
  ) {
    const { requiredScope, resourceMetadataUrl, errorDescription } = challenge;
    super('insufficient_scope', {
      data: {
        ...(requiredScope === undefined ? {} : { requiredScope }),
        ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: resourceMetadataUrl.href }),
      },
      step: 'challenge',
    });
    this.name = 'InsufficientScopeError';
    this.requiredScope = requiredScope;
    this.resourceMetadataUrl = resourceMetadataUrl;
    this.errorDescription = errorDescription;
  }
}

/**
 * Whoever is at the browser has to sign in first; then the call can be made again. Clients hand it on as it
 * is, whichever transport throws it.
 */
export class UnauthorizedError extends BrandedError {
  static readonly brand: string = 'UnauthorizedError';
  readonly reachesCaller = true;

  constructor(message = 'Unauthorized', options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'UnauthorizedError';
  }
}
