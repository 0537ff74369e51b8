import { z } from 'zod';
import { connectorAuthSchema } from './sign-ins.ts';
import { CONNECTOR_PROBLEM_FACTS, CONNECTOR_PROBLEM_KINDS } from './connector-problems.ts';
import { CONNECTOR_ACTION_NAMES, CONNECTOR_CAUSE_KINDS, CONNECTOR_STATUSES } from './connector-states.ts';

/** Longest connector name, in characters. */
export const MAX_CONNECTOR_NAME = 64;

/** Control, invisible and direction characters and halves of one, which let one text pass for another (K23). */
const HIDDEN_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

const hidesNothing = (text: string): boolean => !HIDDEN_CHARACTERS.test(text);
const HIDES_SOMETHING = { error: 'contains hidden characters' };

export const connectorNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_CONNECTOR_NAME)
  .refine(hidesNothing, HIDES_SOMETHING);

/** Most variables or headers of one connector. */
const MAX_SECRETS = 256;

/** A value that is stored encrypted: `null` keeps the value that is stored already. */
const secretValueSchema = z.string().max(32_768).nullable();
const secretRecordSchema = z
  .record(z.string().min(1).max(256), secretValueSchema)
  .refine((values) => Object.keys(values).length <= MAX_SECRETS, {
    error: `has more than ${MAX_SECRETS} names`,
  });

/** An address is stored and shown as it is, so it is no place for a password (K34). */
const addressSchema = z
  .url({ protocol: /^https?$/ })
  .max(4096)
  .refine(hidesNothing, HIDES_SOMETHING)
  .refine(namesNobody, { error: 'holds a user name or password; send it in a header instead' });

function namesNobody(address: string): boolean {
  if (!URL.canParse(address)) return true;
  const { username, password } = new URL(address);
  return username === '' && password === '';
}

const stdioInputSchema = z.object({
  kind: z.literal('stdio'),
  command: z.string().min(1).max(4096),
  args: z.array(z.string().max(32_768)).max(256).default([]),
  cwd: z.string().max(4096).optional(),
  env: secretRecordSchema.default({}),
});

const httpInputSchema = z.object({
  kind: z.literal('http'),
  url: addressSchema,
  headers: secretRecordSchema.default({}),
});

/** When a connector begins to run: as soon as Portico does, or once something asks for it (K32). */
const CONNECTOR_STARTS = ['with_portico', 'at_first_use'] as const;

const startsSchema = z.enum(CONNECTOR_STARTS);

/** What a person types to add or change a connector. Secret values go in here and never come back. */
export const connectorInputSchema = z.object({
  name: connectorNameSchema,
  transport: z.discriminatedUnion('kind', [stdioInputSchema, httpInputSchema]),
  /** Left out, a new connector starts with Portico and a changed one goes on as before. */
  starts: startsSchema.optional(),
});

/** Label of an account: as a name, but the only account of a connector needs none. */
const accountLabelSchema = z.string().trim().max(MAX_CONNECTOR_NAME).refine(hidesNothing, HIDES_SOMETHING);

/** Another account of a connector: its label, and its secrets by the name of their variable or header. */
export const accountInputSchema = z.object({
  label: accountLabelSchema.min(1),
  values: z
    .record(z.string().min(1).max(256), z.string().max(32_768))
    .refine((values) => Object.keys(values).length <= MAX_SECRETS, {
      error: `has more than ${MAX_SECRETS} names`,
    })
    .default({}),
});

export const relabelSchema = z.object({ label: accountLabelSchema });

/** A connector's transport as pages see it: names of variables and headers, never their values (K34). */
const connectorTransportSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('stdio'),
    command: z.string(),
    args: z.array(z.string()),
    cwd: z.string().optional(),
    envNames: z.array(z.string()),
  }),
  z.object({ kind: z.literal('http'), url: z.string(), headerNames: z.array(z.string()) }),
  z.object({ kind: z.literal('builtin'), module: z.string() }),
]);

/** The exact command a person has to see before it first runs (K19). */
const commandPreviewSchema = z.object({
  /** Path of the file that will run, or null when no such file is found. */
  resolvedPath: z.string().nullable(),
  command: z.string(),
  args: z.array(z.string()),
  cwd: z.string(),
  envNames: z.array(z.string()),
  /** Names exactly this list; approving sends it back. */
  hash: z.string(),
});

const connectorProblemSchema = z.object({
  /** Which text of the catalogues tells it. */
  kind: z.enum(CONNECTOR_PROBLEM_KINDS),
  /** What that text names, by the names of its slots. */
  facts: z.partialRecord(z.enum(CONNECTOR_PROBLEM_FACTS), z.string()),
  code: z.string(),
  /** The same in English, for where there is no catalogue. */
  message: z.string(),
  remedy: z.string(),
  /** Last lines of the child's error output, control sequences removed. */
  stderrTail: z.array(z.string()).optional(),
});

/** Why a connector is as it is; `problem` stands for the problem that it has. */
const connectorCauseSchema = z.object({
  /** Which text of the catalogues tells it. */
  kind: z.enum([...CONNECTOR_CAUSE_KINDS, 'problem']),
  /** The same in English, for where there is no catalogue. */
  message: z.string(),
});

export const toolInfoSchema = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
  /** Address of the view that shows this tool's result. */
  viewUri: z.string().optional(),
  /** Who may call it: a tool with only `app` is hidden from person and model lists. */
  visibility: z.array(z.enum(['model', 'app'])),
});

export const connectorSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Tells the accounts of one connector apart; may be empty for the first. */
  label: z.string(),
  /** The same for all accounts of one connector. */
  groupId: z.string(),
  transport: connectorTransportSchema,
  enabled: z.boolean(),
  /** The same for all accounts of one connector. */
  starts: startsSchema,
  status: z.enum(CONNECTOR_STATUSES),
  cause: connectorCauseSchema,
  /** The one thing to do about the state. */
  action: z.enum(CONNECTOR_ACTION_NAMES),
  problem: connectorProblemSchema.optional(),
  /** Present while the command waits for the person's approval. */
  pendingApproval: commandPreviewSchema.optional(),
  server: z
    .object({
      name: z.string(),
      title: z.string().optional(),
      version: z.string(),
      era: z.enum(['legacy', 'modern']),
      protocolVersion: z.string(),
    })
    .optional(),
  /** How the account signs in; only for servers that are reached over HTTP. */
  auth: connectorAuthSchema.optional(),
  toolCount: z.number().int(),
  /** Another text whenever its tools are others, as many as they may be. */
  toolsVersion: z.string(),
  createdAtMs: z.number(),
});

/** One entry found in pasted text, before anything is saved. */
export const importEntrySchema = z.object({
  name: z.string(),
  input: connectorInputSchema.optional(),
  status: z.enum(['new', 'same', 'name_clash', 'unsupported']),
  reason: z.string().optional(),
});

export const approveCommandSchema = z.object({ hash: z.string() });
export const enableConnectorSchema = z.object({ enabled: z.boolean() });
/** Pasted text: an `{"mcpServers": …}` block or a command line. */
export const importTextSchema = z.object({ text: z.string().max(262_144) });
export const splitCommandSchema = z.object({ line: z.string().max(65_536) });

export type ConnectorStarts = z.infer<typeof startsSchema>;
export type AccountInput = z.infer<typeof accountInputSchema>;
export type ConnectorInput = z.infer<typeof connectorInputSchema>;
export type ConnectorTransport = z.infer<typeof connectorTransportSchema>;
export type CommandPreview = z.infer<typeof commandPreviewSchema>;
export type ConnectorProblem = z.infer<typeof connectorProblemSchema>;
export type ToolInfo = z.infer<typeof toolInfoSchema>;
export type Connector = z.infer<typeof connectorSchema>;
export type ImportEntry = z.infer<typeof importEntrySchema>;
