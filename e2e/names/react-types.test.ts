// Proved by the compiler: what the documented interface asks for, held against ours in both directions.
import { expect, it } from 'vitest';
import type { ClientOptions } from '@portico/client';
import type {
  CallToolResult,
  ClientCapabilities,
  CompleteRequestParams,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  Tool,
} from '@portico/spec';
import type {
  CachedServerMetadata,
  McpClient,
  McpNotification,
  McpServer,
  McpServerConfig,
  PendingElicitationRequest,
  PendingSamplingRequest,
  PersistedMcpServerConfig,
  ProtocolEra,
  ProxyConfig,
  ReconnectionOptions,
  StorageProvider,
  UseMcpOptions,
  UseMcpResult,
  VersionNegotiationMode,
  ViewRendererProps,
} from '@portico/react';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Fits<A, B> = [A] extends [B] ? true : false;
type IsAny<T> = 0 extends 1 & T ? true : false;
/** Members that are of any type, or promise something of any. */
type AnyMembers<T> = {
  [Key in keyof T]-?: IsAny<T[Key]> extends true
    ? Key
    : NonNullable<T[Key]> extends (...args: never) => infer Answer
      ? IsAny<Awaited<Answer>> extends true
        ? Key
        : never
      : NonNullable<T[Key]> extends readonly (infer Item)[]
        ? IsAny<Item> extends true
          ? Key
          : never
        : never;
}[keyof T];
/** Compiles for a claim that is true only. */
const holds = <_Claim extends true>(): void => expect.assertions(0);

type Icons = { src: string; mimeType?: string; sizes?: string[] }[];
interface Notice {
  readonly id: string;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly timestamp: number;
  readonly read: boolean;
}
interface Waiting {
  readonly id: string;
  readonly request: object;
  readonly timestamp: number;
  readonly serverName: string;
}

/** What may be absent, as documented. */
interface DocumentedOptional {
  authTokens?: {
    access_token: string;
    client_id?: string;
    client_secret?: string;
    expires_at?: number;
    refresh_token?: string;
    resource?: string;
    scope?: string;
    token_endpoint?: string;
    token_type: string;
  };
  authUrl?: string;
  autoProxyFallback?: boolean | { enabled?: boolean; proxyAddress?: string };
  autoReconnect?:
    | number
    | boolean
    | {
        enabled?: boolean;
        healthCheckInterval?: number | false;
        healthCheckTimeout?: number;
        initialDelay?: number;
      };
  autoRetry?: number | boolean;
  callbackUrl?: string;
  capabilities?: Readonly<Record<string, unknown>>;
  clientInfo?: {
    description?: string;
    icons?: Icons;
    name: string;
    title?: string;
    version: string;
    websiteUrl?: string;
  };
  clientOptions?: Omit<ClientOptions, 'capabilities'> & {
    capabilities?: ClientCapabilities & { views?: boolean };
  };
  connectionMode?: 'auto' | 'direct' | 'proxy';
  displayName?: string;
  enabled?: boolean;
  error?: string;
  headers?: Readonly<Record<string, string>>;
  instructions?: string;
  logLevel?: 'silent' | 'error' | 'warn' | 'info' | 'http' | 'verbose' | 'debug' | 'silly';
  oauth?: { clientId?: string; clientMetadataUrl?: string; scope?: string };
  oauthProxyUrl?: string;
  popupFeatures?: string;
  preventAutoAuth?: boolean;
  protocolEra?: 'legacy' | 'modern';
  protocolNegotiation?: 'auto' | 'legacy' | { pin: string };
  protocolVersion?: string;
  proxyConfig?: { proxyAddress?: string; headers?: Readonly<Record<string, string>> };
  reconnectionOptions?: {
    initialReconnectionDelay?: number;
    maxReconnectionDelay?: number;
    reconnectionDelayGrowFactor?: number;
    maxRetries?: number;
  };
  serverInfo?: {
    description?: string;
    icon?: string;
    icons?: Icons;
    name: string;
    title?: string;
    version?: string;
    websiteUrl?: string;
  };
  storageKeyPrefix?: string;
  timeout?: number;
  url?: string;
  useRedirectFlow?: boolean;
}

/** What is always there, as documented, with the protocol's types in place of empty ones. */
interface DocumentedAlways {
  approveElicitation: (requestId: string, result: { action: 'accept' | 'decline' | 'cancel' }) => void;
  approveSampling: (
    requestId: string,
    result: { role: 'assistant'; model: string; content: { type: 'text'; text: string } },
  ) => void;
  authenticate: () => Promise<void>;
  callTool: (
    name: string,
    args?: Record<string, unknown>,
    options?: {
      maxTotalTimeout?: number;
      resetTimeoutOnProgress?: boolean;
      signal?: AbortSignal;
      timeout?: number;
    },
  ) => Promise<CallToolResult>;
  clearNotifications: () => void;
  clearStorage: () => void;
  client: McpClient | null;
  complete: (params: CompleteRequestParams) => Promise<{ [key: string]: unknown }>;
  disconnect: () => Promise<void>;
  ensureIconLoaded: () => Promise<string | null>;
  extensions: Readonly<Record<string, unknown>>;
  getPrompt: (name: string, args?: Record<string, string>) => Promise<GetPromptResult>;
  id: string;
  listPrompts: () => Promise<void>;
  listResources: () => Promise<void>;
  log: {
    readonly level: 'error' | 'warn' | 'info' | 'debug';
    readonly message: string;
    readonly timestamp: number;
  }[];
  markAllNotificationsRead: () => void;
  markNotificationRead: (id: string) => void;
  name: string;
  notifications: Notice[];
  pendingElicitationRequests: Waiting[];
  pendingSamplingRequests: Waiting[];
  prompts: Prompt[];
  readResource: (uri: string) => Promise<ReadResourceResult>;
  reconnect: () => Promise<void>;
  refreshAll: () => Promise<void>;
  refreshPrompts: () => Promise<void>;
  refreshResources: () => Promise<void>;
  refreshResourceTemplates: () => Promise<void>;
  refreshTools: () => Promise<void>;
  rejectElicitation: (requestId: string, error?: string) => void;
  rejectSampling: (requestId: string, error?: string) => void;
  resources: Resource[];
  resourceTemplates: ResourceTemplateType[];
  retry: () => void;
  setDisplayName: (displayName: string) => Promise<void>;
  setHeaders: (headers: Record<string, string> | undefined) => Promise<void>;
  state: 'discovering' | 'pending_auth' | 'authenticating' | 'ready' | 'failed';
  tools: Tool[];
  unreadNotificationCount: number;
  updateConfig: (config: Partial<McpServerConfig>) => Promise<void>;
}

type Documented = DocumentedOptional & DocumentedAlways;
type OptionalOf<T> = { [Key in keyof T]-?: Record<never, never> extends Pick<T, Key> ? Key : never }[keyof T];

it('R3 each documented member is ours, and ours are no more, with the same ones optional', () => {
  holds<Fits<McpServer, Documented>>();
  type OfLists = 'listErrors' | 'droppedItems';
  holds<Equal<keyof McpServer, keyof Documented | 'idle' | 'failure' | OfLists>>();
  holds<Equal<OptionalOf<McpServer>, keyof DocumentedOptional | 'failure' | OfLists>>();
  holds<Fits<Pick<Documented, keyof DocumentedOptional>, Pick<McpServer, keyof DocumentedOptional>>>();
  type Plain = 'id' | 'name' | 'state' | 'log' | 'unreadNotificationCount' | 'extensions';
  holds<Fits<Pick<Documented, Plain>, Pick<McpServer, Plain>>>();
  type ProviderOnly =
    | 'id'
    | 'notifications'
    | 'unreadNotificationCount'
    | 'markNotificationRead'
    | 'markAllNotificationsRead'
    | 'clearNotifications'
    | 'pendingSamplingRequests'
    | 'approveSampling'
    | 'rejectSampling'
    | 'pendingElicitationRequests'
    | 'approveElicitation'
    | 'rejectElicitation'
    | 'updateConfig'
    | 'setHeaders'
    | 'setDisplayName'
    | 'reconnect';
  holds<Equal<keyof UseMcpResult, Exclude<keyof McpServer, ProviderOnly>>>();
  holds<Fits<McpServer, UseMcpResult>>();
});

it('R4 lists and calls have types of the protocol, which are taken where looser ones are asked for', () => {
  holds<Equal<McpServer['tools'], Tool[]>>();
  holds<Equal<McpServer['prompts'], Prompt[]>>();
  holds<Equal<McpServer['resources'], Resource[]>>();
  holds<Equal<McpServer['resourceTemplates'], ResourceTemplateType[]>>();
  holds<Equal<Awaited<ReturnType<McpServer['callTool']>>, CallToolResult>>();
  holds<Equal<Awaited<ReturnType<McpServer['readResource']>>, ReadResourceResult>>();
  holds<Equal<Awaited<ReturnType<McpServer['getPrompt']>>, GetPromptResult>>();
  holds<Equal<AnyMembers<McpServer>, never>>();
  type Loose = {
    tools: object[];
    prompts: object[];
    resources: object[];
    readResource: (
      uri: string,
    ) => Promise<{ contents: { uri: string; mimeType?: string; text?: string; blob?: string }[] }>;
    getPrompt: (
      name: string,
      args?: Record<string, string>,
    ) => Promise<{ messages: { role: 'user' | 'assistant'; content: { type: string; text?: string } }[] }>;
  };
  holds<Fits<McpServer, Loose>>();
});

it('R2 the entry has the documented types', () => {
  holds<Fits<McpServerConfig, UseMcpOptions>>();
  holds<Fits<PersistedMcpServerConfig, McpServerConfig>>();
  holds<Equal<Extract<'headers' | 'clientOptions', keyof PersistedMcpServerConfig>, never>>();
  holds<Equal<ProtocolEra, 'legacy' | 'modern'>>();
  holds<Fits<'auto' | 'legacy' | { pin: string }, VersionNegotiationMode>>();
  holds<Fits<McpServer['notifications'][number], McpNotification>>();
  holds<Fits<McpServer['pendingSamplingRequests'][number], PendingSamplingRequest>>();
  holds<Fits<McpServer['pendingElicitationRequests'][number], PendingElicitationRequest>>();
  holds<Fits<ProxyConfig, NonNullable<McpServerConfig['proxyConfig']>>>();
  holds<Fits<ReconnectionOptions, NonNullable<McpServerConfig['reconnectionOptions']>>>();
  holds<Fits<keyof StorageProvider, string>>();
  holds<Fits<CachedServerMetadata['name'], string>>();
  holds<Fits<keyof ViewRendererProps, string>>();
});
