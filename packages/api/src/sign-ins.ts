import { z } from 'zod';

/** Most steps that are kept of one attempt. */
export const MAX_SIGN_IN_STEPS = 200;

/** Why an attempt ended without a grant; each has its own text and action in the catalogues (K43). */
export const SIGN_IN_CAUSES = [
  'no_metadata',
  'registration_refused',
  'redirect_mismatch',
  'access_denied',
  'unknown_state',
  'issuer_mismatch',
  'invalid_grant',
  'wrong_clock',
  'scope_too_small',
  'tls',
  'client_id_needed',
  'address_refused',
  'not_reached',
  'server_failed',
  'expired',
  'cancelled',
  'still_refused',
  'other',
] as const;

/** One thing that happened during an attempt (K42). Secrets and queries are never part of it. */
const signInStepSchema = z.object({
  atMs: z.number(),
  step: z.string(),
  outcome: z.string(),
  method: z.string().optional(),
  /** Without its query. */
  url: z.string().optional(),
  status: z.number().int().optional(),
  /** Names and values that explain the outcome; texts of servers are untrusted. */
  detail: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
    .optional(),
});

export const signInAttemptSchema = z.object({
  id: z.string(),
  connectorId: z.string(),
  startedAtMs: z.number(),
  endedAtMs: z.number().optional(),
  /** running: the host asks servers; waiting: the person is at the other site; then one of three ends. */
  status: z.enum(['running', 'waiting', 'done', 'failed', 'cancelled']),
  /** Host name of the site that the person is sent to. */
  opens: z.string().optional(),
  cause: z.enum(SIGN_IN_CAUSES).optional(),
  /** The sentence that explains the end, in English, for where there is no catalogue. */
  message: z.string().optional(),
  steps: z.array(signInStepSchema).max(MAX_SIGN_IN_STEPS),
});

/** What the page at the end of the way back hands over: the whole query that the browser came with. */
export const signInCallbackSchema = z.object({ query: z.string().max(16_384) });

/** Where a sign-in began: in a window of its own, or in the page itself, which wants to come back. */
export const signInModeSchema = z.enum(['window', 'page']);

/** How a callback ended. */
export const signInResultSchema = z.object({
  attempt: signInAttemptSchema,
  mode: signInModeSchema,
  /** Path of the screen that it began on, where it went away itself. */
  back: z.string().optional(),
});

/** An id that was registered by hand; it always wins (K44). `null` keeps the stored secret. */
const algorithmSchema = z.enum(['ES256', 'ES384', 'ES512', 'RS256', 'PS256', 'EdDSA']);

/** How an application shows who it is. */
const proofSchema = z.enum(['secret', 'key']);

export const clientIdentitySchema = z.object({
  clientId: z.string().trim().min(1).max(1024),
  clientSecret: z.string().max(4096).nullable().default(null),
  /** Who acts: a person who signs in with this id, or the application itself, without anybody at a browser. */
  grant: z.enum(['person', 'application']).default('person'),
  /** Signs assertions in place of a secret: PEM (PKCS#8); `null` keeps the stored one. */
  privateKey: z.string().max(16_384).nullable().default(null),
  algorithm: algorithmSchema.default('ES256'),
  proof: proofSchema.default('secret'),
  /** What an application asks for, separated by spaces; what the server names unless given. */
  scope: z.string().trim().max(4000).default(''),
});

/** What pages know of how an account shows who it is. */
export const connectorAuthSchema = z.object({
  /** Whether there are tokens. */
  signedIn: z.boolean(),
  /** When the access token ends, epoch ms. */
  expiresAtMs: z.number().optional(),
  issuer: z.string().optional(),
  scopes: z.array(z.string()),
  /** Id that was given by hand; its secret is never shown. */
  clientId: z.string().optional(),
  hasClientSecret: z.boolean(),
  hasPrivateKey: z.boolean().optional(),
  /** The application itself acts, as everybody who uses the account (K49). */
  actsAs: z.enum(['person', 'application']).optional(),
  /** How it was set up, where the application acts; neither its secret nor its key. */
  application: z.object({ proof: proofSchema, algorithm: algorithmSchema, scope: z.string() }).optional(),
  /** Where other sites send the browser back to, for those who register by hand. */
  redirectUrl: z.string(),
  /** Host name of the site that a sign-in would open, once it is known. */
  opens: z.string().optional(),
  /** What the server refused something for want of: scopes that are not granted yet, and its words why. */
  asks: z.object({ scopes: z.array(z.string()), reason: z.string().optional() }).optional(),
  /** The attempt that is under way, or the newest one that failed; its steps are counted, so that pages see new ones. */
  attempt: signInAttemptSchema.omit({ steps: true }).extend({ stepCount: z.number().int() }).optional(),
});

export type SignInCause = (typeof SIGN_IN_CAUSES)[number];
export type SignInStep = z.infer<typeof signInStepSchema>;
export type SignInAttempt = z.infer<typeof signInAttemptSchema>;
export type SignInMode = z.infer<typeof signInModeSchema>;
export type SignInResult = z.infer<typeof signInResultSchema>;
export type ClientIdentity = z.infer<typeof clientIdentitySchema>;
export type ClientIdentityInput = z.input<typeof clientIdentitySchema>;
export type ConnectorAuth = z.infer<typeof connectorAuthSchema>;
