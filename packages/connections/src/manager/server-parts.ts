import type { Client } from '@portico/client';
import type {
  CallToolResult,
  CompleteRequestParams,
  CompleteResult,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  GetPromptResult,
  Implementation,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  Tool,
} from '@portico/spec';
import type { Progress } from '@portico/rpc';
import type { ConnectionsErrorCode } from '../errors.ts';
import type { DroppedItem, ListName } from '../state.ts';
import type { McpServerConfig, ProtocolEra } from './server-config.ts';

/** The client of a server, usable by itself. */
export type McpClient = Client;

export type McpServerState = 'discovering' | 'pending_auth' | 'authenticating' | 'ready' | 'failed';

/** Why a server is `failed`. */
export interface ServerFailure {
  readonly code: ConnectionsErrorCode;
  readonly httpStatus?: number;
  /** Whether trying again may help although nobody changed anything. */
  readonly retryable: boolean;
}

/** What a server sent without being asked. */
export interface McpNotification {
  readonly id: string;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** When it came, epoch milliseconds. */
  readonly timestamp: number;
  readonly read: boolean;
}

/** A question to the model that waits for the application. */
export interface PendingSamplingRequest {
  readonly id: string;
  readonly request: {
    readonly method: 'sampling/createMessage';
    readonly params: CreateMessageRequestParams;
  };
  /** When it came, epoch milliseconds. */
  readonly timestamp: number;
  readonly serverName: string;
}

/** A question to the person that waits for the application. */
export interface PendingElicitationRequest {
  readonly id: string;
  /** Form or URL parameters. */
  readonly request: ElicitRequestParams;
  /** When it came, epoch milliseconds. */
  readonly timestamp: number;
  readonly serverName: string;
}

/** One line of a server's log. */
export interface LogEntry {
  readonly level: 'error' | 'warn' | 'info' | 'debug';
  /** At most 2 KiB of text. */
  readonly message: string;
  /** When it was written, epoch milliseconds. */
  readonly timestamp: number;
}

/** What was got by signing in. */
export interface AuthTokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly client_id?: string;
  /** Only when the registration demands one. */
  readonly client_secret?: string;
  /** When the access token ends, whole Unix seconds. */
  readonly expires_at?: number;
  readonly refresh_token?: string;
  readonly resource?: string;
  readonly scope?: string;
  readonly token_endpoint?: string;
}

/** What a server says of itself; `icon` is added here. */
export interface ServerInfo extends Omit<Implementation, 'version'> {
  readonly version?: string;
  /** The icon as a `data:` URL. */
  readonly icon?: string;
}

/** Why a list could not be read. */
export interface ListError {
  /** Code of the client's error, or of the server's as text. */
  readonly code: string;
  readonly message: string;
}

/** Everything of a server that its readers see anew when it changes, but for what lies at the side. */
export interface ServerCore {
  readonly id: string;
  readonly state: McpServerState;
  /** Nothing is being done, and nothing will be done without being told. */
  readonly idle: boolean;
  /** Present in `failed` only. */
  readonly error?: string;
  /** Present in `failed` only. */
  readonly failure?: ServerFailure;
  /** What the server calls itself; the empty text until that is known. */
  readonly name: string;
  readonly serverInfo?: ServerInfo;
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly instructions?: string;
  readonly protocolEra?: ProtocolEra;
  readonly protocolVersion?: string;
  readonly tools: Tool[];
  readonly resources: Resource[];
  readonly resourceTemplates: ResourceTemplateType[];
  readonly prompts: Prompt[];
  /** Why lists are not what the server has: they could not be read. Absent while all could. */
  readonly listErrors?: Readonly<Partial<Record<ListName, ListError>>>;
  /** Entries that break the protocol and are in no list; absent while there are none. */
  readonly droppedItems?: readonly DroppedItem[];
  readonly authUrl?: string;
  readonly authTokens?: AuthTokens;
  readonly client: McpClient | null;
  readonly pendingSamplingRequests: PendingSamplingRequest[];
  readonly pendingElicitationRequests: PendingElicitationRequest[];
}

/** What lies at the side: many more changes than readers. */
export interface ServerSide {
  readonly notifications: McpNotification[];
  readonly unreadNotificationCount: number;
  /** Oldest first, 100 at most. */
  readonly log: LogEntry[];
}

/** What can be said about one call. */
export interface ServerCallOptions {
  /** Milliseconds without an answer; 60,000 by default. */
  readonly timeout?: number;
  /** Milliseconds in all, whatever progress comes; 3,600,000 by default. */
  readonly maxTotalTimeout?: number;
  /** Each progress notice starts `timeout` anew; false by default. */
  readonly resetTimeoutOnProgress?: boolean;
  readonly signal?: AbortSignal;
  /** Asks for progress and is told of it. Must not throw. */
  readonly onProgress?: (progress: Progress) => void;
  /** Goes with the call as its `_meta`; nothing by default. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** What can be done with a server; the functions stay the same for as long as it is managed. */
export interface ServerActions {
  readonly callTool: (
    name: string,
    args?: Record<string, unknown>,
    options?: ServerCallOptions,
  ) => Promise<CallToolResult>;
  readonly readResource: (uri: string) => Promise<ReadResourceResult>;
  readonly getPrompt: (name: string, args?: Record<string, string>) => Promise<GetPromptResult>;
  readonly complete: (params: CompleteRequestParams) => Promise<CompleteResult>;
  readonly listResources: () => Promise<void>;
  readonly listPrompts: () => Promise<void>;
  readonly refreshTools: () => Promise<void>;
  readonly refreshResources: () => Promise<void>;
  readonly refreshResourceTemplates: () => Promise<void>;
  readonly refreshPrompts: () => Promise<void>;
  readonly refreshAll: () => Promise<void>;
  readonly retry: () => void;
  readonly reconnect: () => Promise<void>;
  readonly disconnect: () => Promise<void>;
  readonly authenticate: () => Promise<void>;
  readonly clearStorage: () => void;
  readonly ensureIconLoaded: () => Promise<string | null>;
  readonly markNotificationRead: (id: string) => void;
  readonly markAllNotificationsRead: () => void;
  readonly clearNotifications: () => void;
  readonly approveSampling: (requestId: string, result: CreateMessageResult) => void;
  readonly rejectSampling: (requestId: string, error?: string) => void;
  readonly approveElicitation: (requestId: string, result: ElicitResult) => void;
  readonly rejectElicitation: (requestId: string, error?: string) => void;
  readonly updateConfig: (config: Partial<McpServerConfig>) => Promise<void>;
  readonly setHeaders: (headers: Record<string, string> | undefined) => Promise<void>;
  readonly setDisplayName: (displayName: string) => Promise<void>;
}

/** One managed server as its readers hold it: settings, state and actions. */
export interface McpServer extends McpServerConfig, ServerCore, ServerSide, ServerActions {}
