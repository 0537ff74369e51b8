/** Documents of OAuth as they are read and written; members that are not named here pass unchanged. */

/** How a protected resource describes itself. Source: RFC 9728, section 2. */
export interface OAuthProtectedResourceMetadata {
  readonly resource: string;
  readonly authorization_servers?: readonly string[];
  readonly jwks_uri?: string;
  readonly scopes_supported?: readonly string[];
  readonly bearer_methods_supported?: readonly string[];
  readonly resource_signing_alg_values_supported?: readonly string[];
  readonly resource_name?: string;
  readonly resource_documentation?: string;
  readonly resource_policy_uri?: string;
  readonly resource_tos_uri?: string;
  readonly tls_client_certificate_bound_access_tokens?: boolean;
  readonly authorization_details_types_supported?: readonly string[];
  readonly dpop_signing_alg_values_supported?: readonly string[];
  readonly dpop_bound_access_tokens_required?: boolean;
  readonly [member: string]: unknown;
}

/** How an authorization server describes itself. Source: RFC 8414, section 2. */
export interface OAuthMetadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly registration_endpoint?: string;
  readonly scopes_supported?: readonly string[];
  readonly response_types_supported: readonly string[];
  readonly response_modes_supported?: readonly string[];
  readonly grant_types_supported?: readonly string[];
  readonly token_endpoint_auth_methods_supported?: readonly string[];
  readonly token_endpoint_auth_signing_alg_values_supported?: readonly string[];
  readonly service_documentation?: string;
  readonly revocation_endpoint?: string;
  readonly revocation_endpoint_auth_methods_supported?: readonly string[];
  readonly revocation_endpoint_auth_signing_alg_values_supported?: readonly string[];
  readonly introspection_endpoint?: string;
  readonly introspection_endpoint_auth_methods_supported?: readonly string[];
  readonly introspection_endpoint_auth_signing_alg_values_supported?: readonly string[];
  readonly code_challenge_methods_supported?: readonly string[];
  readonly client_id_metadata_document_supported?: boolean;
  readonly authorization_response_iss_parameter_supported?: boolean;
  readonly dpop_signing_alg_values_supported?: readonly string[];
  readonly [member: string]: unknown;
}

/** The same by OpenID Connect Discovery 1.0, with what only its servers say. */
export interface OpenIdProviderMetadata extends OAuthMetadata {
  readonly jwks_uri: string;
  readonly subject_types_supported: readonly string[];
  readonly id_token_signing_alg_values_supported: readonly string[];
  readonly userinfo_endpoint?: string;
}

/** An OpenID document that may hold members of OAuth too. */
export type OpenIdProviderDiscoveryMetadata = OpenIdProviderMetadata;

/** What an authorization server says of itself, by either kind of document. */
export type AuthorizationServerMetadata = OAuthMetadata | OpenIdProviderDiscoveryMetadata;

/** A grant as the token endpoint hands it out. Source: RFC 6749, section 5.1. */
export interface OAuthTokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly id_token?: string;
  /** Lifetime in seconds from when it was handed out. */
  readonly expires_in?: number;
  /** Scopes, separated by spaces. */
  readonly scope?: string;
  readonly refresh_token?: string;
}

/** A grant as it is kept: with the issuer it came from, since it is worth nothing at any other. */
export type StoredOAuthTokens = OAuthTokens & {
  readonly issuer?: string;
  /** When the access token ends, in milliseconds since 1970: `expires_in` says nothing once it was stored. */
  readonly expires_at?: number;
};

/** An error as OAuth endpoints answer it. Source: RFC 6749, section 5.2. */
export interface OAuthErrorResponse {
  readonly error: string;
  readonly error_description?: string;
  readonly error_uri?: string;
}

/** What a client says of itself when it registers. Source: RFC 7591, section 2. */
export interface OAuthClientMetadata {
  readonly redirect_uris: readonly string[];
  readonly token_endpoint_auth_method?: string;
  readonly grant_types?: readonly string[];
  readonly response_types?: readonly string[];
  /** `native` for redirects to loopback and to schemes of apps, else `web`. */
  readonly application_type?: string;
  readonly client_name?: string;
  readonly client_uri?: string;
  readonly logo_uri?: string;
  readonly scope?: string;
  readonly contacts?: readonly string[];
  readonly tos_uri?: string;
  readonly policy_uri?: string;
  readonly jwks_uri?: string;
  readonly jwks?: unknown;
  readonly software_id?: string;
  readonly software_version?: string;
  readonly software_statement?: string;
}

/** What a client is known by at one authorization server. */
export interface OAuthClientInformation {
  readonly client_id: string;
  readonly client_secret?: string;
  /** Seconds since 1970. */
  readonly client_id_issued_at?: number;
  /** Seconds since 1970; 0 means never. */
  readonly client_secret_expires_at?: number;
}

/** The whole answer to a registration. */
export type OAuthClientInformationFull = OAuthClientMetadata & OAuthClientInformation;

/** Either form. */
export type OAuthClientInformationMixed = OAuthClientInformation | OAuthClientInformationFull;

/** A registration as it is kept: with its issuer, since it is worth nothing at any other. */
export type StoredOAuthClientInformation = OAuthClientInformationMixed & { readonly issuer?: string };

/** An error as a registration endpoint answers it. */
export interface OAuthClientRegistrationError {
  readonly error: string;
  readonly error_description?: string;
}

/** A request to take a grant back. Source: RFC 7009. */
export interface OAuthTokenRevocationRequest {
  readonly token: string;
  readonly token_type_hint?: string;
}

/** The answer of an identity provider that hands out a grant for another server. Source: RFC 8693, section 2.2.1. */
export interface IdJagTokenExchangeResponse {
  readonly issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag';
  readonly access_token: string;
  readonly token_type?: string;
  readonly expires_in?: number;
  readonly scope?: string;
}
