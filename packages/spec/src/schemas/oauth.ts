import { z } from 'zod';

/** An address to send people or requests to; never one that runs as script. */
const SafeUrlSchema = z.url().refine((text) => /^https?:$/.test(new URL(text).protocol), {
  message: 'the address is neither http nor https',
});
/** Apps on devices register schemes of their own; scripts and files are none of those. */
const RedirectUriSchema = z
  .url()
  .refine(
    (text) => !['javascript:', 'data:', 'vbscript:', 'file:', 'blob:'].includes(new URL(text).protocol),
    { message: 'the address cannot be returned to' },
  );
const words = z.array(z.string());

export const OAuthProtectedResourceMetadataSchema = z.looseObject({
  resource: z.url(),
  authorization_servers: z.array(SafeUrlSchema).optional(),
  jwks_uri: z.url().optional(),
  scopes_supported: words.optional(),
  bearer_methods_supported: words.optional(),
  resource_signing_alg_values_supported: words.optional(),
  resource_name: z.string().optional(),
  resource_documentation: z.string().optional(),
  resource_policy_uri: z.url().optional(),
  resource_tos_uri: z.url().optional(),
  tls_client_certificate_bound_access_tokens: z.boolean().optional(),
  authorization_details_types_supported: words.optional(),
  dpop_signing_alg_values_supported: words.optional(),
  dpop_bound_access_tokens_required: z.boolean().optional(),
});
export const OAuthMetadataSchema = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: SafeUrlSchema,
  token_endpoint: SafeUrlSchema,
  registration_endpoint: SafeUrlSchema.optional(),
  revocation_endpoint: SafeUrlSchema.optional(),
  introspection_endpoint: z.string().optional(),
  service_documentation: SafeUrlSchema.optional(),
  scopes_supported: words.optional(),
  response_types_supported: words,
  response_modes_supported: words.optional(),
  grant_types_supported: words.optional(),
  token_endpoint_auth_methods_supported: words.optional(),
  token_endpoint_auth_signing_alg_values_supported: words.optional(),
  code_challenge_methods_supported: words.optional(),
  client_id_metadata_document_supported: z.boolean().optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});
export const OpenIdProviderMetadataSchema = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: SafeUrlSchema,
  token_endpoint: SafeUrlSchema,
  userinfo_endpoint: SafeUrlSchema.optional(),
  jwks_uri: SafeUrlSchema,
  registration_endpoint: SafeUrlSchema.optional(),
  scopes_supported: words.optional(),
  response_types_supported: words,
  subject_types_supported: words,
  id_token_signing_alg_values_supported: words,
  token_endpoint_auth_methods_supported: words.optional(),
});
export const OpenIdProviderDiscoveryMetadataSchema = OpenIdProviderMetadataSchema.extend({
  code_challenge_methods_supported: words.optional(),
});
/** Some servers write the seconds as text. */
export const OAuthTokensSchema = z.object({
  access_token: z.string(),
  id_token: z.string().optional(),
  token_type: z.string(),
  expires_in: z.coerce.number().optional(),
  scope: z.string().optional(),
  refresh_token: z.string().optional(),
});
export const OAuthErrorResponseSchema = z.object({
  error: z.string(),
  error_description: z.string().optional(),
  error_uri: z.string().optional(),
});
const optionalUrl = SafeUrlSchema.optional().or(z.literal('').transform(() => undefined));
export const OAuthClientMetadataSchema = z.object({
  redirect_uris: z.array(RedirectUriSchema),
  application_type: z.string().optional(),
  token_endpoint_auth_method: z.string().optional(),
  grant_types: words.optional(),
  response_types: words.optional(),
  client_name: z.string().optional(),
  client_uri: optionalUrl,
  logo_uri: optionalUrl,
  scope: z.string().optional(),
  contacts: words.optional(),
  tos_uri: optionalUrl,
  policy_uri: z.string().optional(),
  jwks_uri: SafeUrlSchema.optional(),
  jwks: z.unknown().optional(),
  software_id: z.string().optional(),
  software_version: z.string().optional(),
  software_statement: z.string().optional(),
});
export const OAuthClientInformationSchema = z.object({
  client_id: z.string(),
  client_secret: z.string().optional(),
  client_id_issued_at: z.number().optional(),
  client_secret_expires_at: z.number().optional(),
});
export const OAuthClientInformationFullSchema = OAuthClientMetadataSchema.extend(
  OAuthClientInformationSchema.shape,
);
export const OAuthClientRegistrationErrorSchema = z.object({
  error: z.string(),
  error_description: z.string().optional(),
});
export const OAuthTokenRevocationRequestSchema = z.object({
  token: z.string(),
  token_type_hint: z.string().optional(),
});
export const IdJagTokenExchangeResponseSchema = z.object({
  issued_token_type: z.string(),
  access_token: z.string(),
  token_type: z.string().optional(),
  expires_in: z.number().optional(),
  scope: z.string().optional(),
});
