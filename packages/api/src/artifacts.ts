import { z } from 'zod';

const manifestServerSchema = z.object({
  /** Display name of a connector, matched exactly. */
  name: z.string().min(1).max(256),
  tools: z.array(z.string().min(1).max(256)).max(256),
});

export const manifestSchema = z.object({
  title: z.string().max(200).optional(),
  mcp: z.object({ servers: z.array(manifestServerSchema).max(32) }).optional(),
});

/** `ask`: nobody has decided yet. */
const grantSchema = z.object({
  server: z.string(),
  state: z.enum(['ask', 'allow', 'deny']),
});

export const artifactSchema = z.object({
  id: z.string(),
  title: z.string(),
  version: z.number().int(),
  servers: z.array(manifestServerSchema),
  grants: z.array(grantSchema),
  /** Part of the product rather than published by a person. */
  demo: z.boolean(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
});

export const publishSchema = z.object({
  html: z.string(),
  /** Contents of a manifest file; it wins over the manifest inside the page. */
  manifest: z.unknown().optional(),
  title: z.string().trim().min(1).max(200).optional(),
  /** Publish as the next version of this artifact. */
  artifactId: z.string().optional(),
});

export const publishResultSchema = z.object({
  artifact: artifactSchema,
  /** False when the same bytes and manifest were published already. */
  created: z.boolean(),
  address: z.string(),
  warnings: z.array(z.string()),
});

export const consentSchema = z.object({ server: z.string(), decision: z.enum(['allow', 'deny', 'ask']) });

/** Opens one rendered instance of an artifact. */
export const openFrameSchema = z.object({
  artifactId: z.string(),
  /** The page cannot reach sandbox hosts: serve it here, with an opaque origin. */
  opaque: z.boolean().default(false),
});
export const frameSessionSchema = z.object({
  frameId: z.string(),
  url: z.string(),
  origin: z.string(),
  artifact: artifactSchema,
});
export const frameCallSchema = z.object({
  server: z.string().max(256),
  tool: z.string().max(256),
  input: z.record(z.string(), z.unknown()).default({}),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestServer = z.infer<typeof manifestServerSchema>;
export type Grant = z.infer<typeof grantSchema>;
export type Artifact = z.infer<typeof artifactSchema>;
export type Publish = z.infer<typeof publishSchema>;
export type PublishResult = z.infer<typeof publishResultSchema>;
export type Consent = z.infer<typeof consentSchema>;
export type OpenFrame = z.input<typeof openFrameSchema>;
export type FrameSession = z.infer<typeof frameSessionSchema>;
export type FrameCall = z.infer<typeof frameCallSchema>;
