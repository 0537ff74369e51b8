import { Client as OurClient } from '@portico/client';
import type { Transport } from '@portico/rpc';
import { Client as OfficialV2Client } from '@modelcontextprotocol/client';
import { Client as OfficialV1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/** What a test does with a client, whoever wrote it. */
export interface InteropClient {
  readonly era: () => string | undefined;
  readonly serverName: () => string | undefined;
  toolNames(): Promise<string[]>;
  call(
    name: string,
    args: Record<string, unknown>,
    options?: { signal?: AbortSignal; onprogress?: (step: number) => void },
  ): Promise<InteropResult>;
  resourceUris(): Promise<string[]>;
  templateUris(): Promise<string[]>;
  read(uri: string): Promise<string>;
  prompt(name: string, args: Record<string, string>): Promise<string>;
  close(): Promise<void>;
}

interface InteropResult {
  readonly text: string;
  readonly structured: unknown;
  readonly isError: boolean;
}

const INFO = { name: 'interop-client', version: '1.0.0' };
const CAPABILITIES = { elicitation: {} };
const ANSWER = { action: 'accept' as const, content: { name: 'Ada' } };

interface AnyResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

const plain = (result: AnyResult): InteropResult => {
  const blocks = Array.isArray(result.content) ? (result.content as { text?: string }[]) : [];
  return {
    text: blocks[0]?.text ?? '',
    structured: result.structuredContent,
    isError: result.isError === true,
  };
};

const firstText = (contents: readonly object[]): string => {
  const [first] = contents;
  return first !== undefined && 'text' in first ? String(first.text) : '';
};

/** The methods all three clients share, under the official names. */
interface CommonClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: object[] }>;
  getPrompt(params: {
    name: string;
    arguments: Record<string, string>;
  }): Promise<{ messages: { content: object }[] }>;
  close(): Promise<void>;
}

type CallOptions = NonNullable<Parameters<InteropClient['call']>[2]>;

/** Progress reports as numbers. */
function callOptions({ signal, onprogress }: CallOptions): {
  signal?: AbortSignal;
  onprogress?: (report: { progress: number }) => void;
} {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(onprogress === undefined ? {} : { onprogress: ({ progress }) => onprogress(progress) }),
  };
}

function common(client: CommonClient): Omit<InteropClient, 'era' | 'serverName' | 'call'> {
  return {
    toolNames: async () => (await client.listTools()).tools.map((tool) => tool.name),
    resourceUris: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    templateUris: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map((each) => each.uriTemplate),
    read: async (uri) => firstText((await client.readResource({ uri })).contents),
    prompt: async (name, args) => {
      const { messages } = await client.getPrompt({ name, arguments: args });
      return firstText(messages.map((message) => message.content));
    },
    close: () => client.close(),
  };
}

export type Mode = 'auto' | 'legacy';

/**
 * Any of the three packages' transports for any other. They are interchangeable when they run; only
 * the optional members of their types are spelled differently.
 */
export function asTransport<Wanted = Transport>(transport: object): Wanted {
  return transport as Wanted;
}

/** Our client. */
export async function ourClient(transport: object, mode: Mode): Promise<InteropClient> {
  const client = new OurClient(INFO, {
    capabilities: CAPABILITIES,
    versionNegotiation: { mode },
  });
  client.setRequestHandler('elicitation/create', () => ANSWER);
  await client.connect(asTransport(transport));
  return {
    ...common(client),
    era: () => client.getProtocolEra(),
    serverName: () => client.getServerVersion()?.name,
    call: async (name, args, options = {}) =>
      plain(await client.callTool({ name, arguments: args }, callOptions(options))),
  };
}

/** The official client 2. */
export async function officialV2Client(transport: object, mode: Mode): Promise<InteropClient> {
  const client = new OfficialV2Client(INFO, {
    capabilities: CAPABILITIES,
    versionNegotiation: { mode },
  });
  client.setRequestHandler('elicitation/create', () => ANSWER);
  await client.connect(asTransport(transport));
  return {
    ...common(client),
    era: () => client.getProtocolEra(),
    serverName: () => client.getServerVersion()?.name,
    call: async (name, args, options = {}) =>
      plain(await client.callTool({ name, arguments: args }, callOptions(options))),
  };
}

/** The official client 1, which knows the legacy era only. */
export async function officialV1Client(transport: object): Promise<InteropClient> {
  const client = new OfficialV1Client(INFO, { capabilities: CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, () => ANSWER);
  await client.connect(asTransport(transport));
  return {
    ...common(client),
    era: () => 'legacy',
    serverName: () => client.getServerVersion()?.name,
    call: async (name, args, options = {}) =>
      plain((await client.callTool({ name, arguments: args }, undefined, callOptions(options))) as AnyResult),
  };
}
