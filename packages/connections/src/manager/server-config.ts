import type { ClientOptions } from '@portico/client';
import type { ClientCapabilities, CreateMessageResult, ElicitResult } from '@portico/spec';
import type { McpNotification, PendingElicitationRequest, PendingSamplingRequest } from './server-parts.ts';

export type ProtocolEra = 'legacy' | 'modern';

/** How it is found out which era a server speaks. */
export type VersionNegotiationMode = 'auto' | 'legacy' | { readonly pin: string };

/** A proxy in front of servers. */
export interface ProxyConfig {
  readonly proxyAddress?: string;
  /** Go to the proxy only; never stored. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** How a broken stream of server messages is opened again. */
export interface ReconnectionOptions {
  /** Milliseconds before the first try; 1,000 by default. */
  readonly initialReconnectionDelay?: number;
  /** Longest wait, milliseconds; 30,000 by default. */
  readonly maxReconnectionDelay?: number;
  /** Each wait is this many times the one before; 1.5 by default. */
  readonly reconnectionDelayGrowFactor?: number;
  /** Tries in a row that may bring nothing; 2 by default. */
  readonly maxRetries?: number;
}

/** What is told to servers of the program that connects. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: { src: string; mimeType?: string; sizes?: string[] }[];
}

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'http' | 'verbose' | 'debug' | 'silly';

/** Reconnecting after a loss, in full. */
export interface AutoReconnect {
  /** True by default. */
  readonly enabled?: boolean;
  /** Milliseconds before the first try; 3,000 by default. */
  readonly initialDelay?: number;
  /** Milliseconds between HEAD requests; 10,000 by default, false for none. */
  readonly healthCheckInterval?: number | false;
  /** Milliseconds without a sign of life after which the connection is made anew; 30,000 by default. */
  readonly healthCheckTimeout?: number;
}

/** The settings of one server. Source: `contracts/react-connection.md` and R80, R131. */
export interface McpServerConfig {
  /**
   * Any MCP endpoint over http or https, on a page also by a path on its origin, such as `/mcp`. Without it
   * nothing is connected.
   */
  readonly url?: string;
  /** False keeps it from connecting; true by default. */
  readonly enabled?: boolean;
  /** Sent with every MCP request; never stored. With `Authorization` in it, signing in is off. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly displayName?: string;
  readonly connectionMode?: 'auto' | 'direct' | 'proxy';
  readonly proxyConfig?: ProxyConfig;
  /** Goes by the proxy when the direct way fails; false by default. */
  readonly autoProxyFallback?: boolean | { readonly enabled?: boolean; readonly proxyAddress?: string };
  /** Public settings of the registration at an authorization server. */
  readonly oauth?: {
    readonly clientId?: string;
    readonly clientMetadataUrl?: string;
    readonly scope?: string;
  };
  /** Takes the requests to authorization servers, but not those to the MCP server. */
  readonly oauthProxyUrl?: string;
  /** Where a sign-in comes back to, a path on the page's origin or an address; `/oauth/callback` by default. */
  readonly callbackUrl?: string;
  /** First part of the keys that sign-ins are stored under; `mcp:auth` by default. */
  readonly storageKeyPrefix?: string;
  readonly clientInfo?: ClientInfo;
  /** Handed to the client; `capabilities.views` says that MCP Apps are shown. */
  readonly clientOptions?: Omit<ClientOptions, 'capabilities'> & {
    readonly capabilities?: ClientCapabilities & { readonly views?: boolean };
  };
  /** `auto` by default. */
  readonly protocolNegotiation?: VersionNegotiationMode;
  /** Milliseconds for connecting, the first list of tools included; 30,000 by default. */
  readonly timeout?: number;
  /** Tries a first connection again: true for every 5,000 ms, or milliseconds; false by default. */
  readonly autoRetry?: number | boolean;
  /** Makes a lost connection anew; true by default, a number is its first wait in milliseconds. */
  readonly autoReconnect?: number | boolean | AutoReconnect;
  readonly reconnectionOptions?: ReconnectionOptions;
  /** Waits for `authenticate()` instead of signing in at once; true by default. */
  readonly preventAutoAuth?: boolean;
  /** Signs in on the whole page instead of in a window; false by default. */
  readonly useRedirectFlow?: boolean;
  /** Features of the window; `popup=yes,width=600,height=700` by default. */
  readonly popupFeatures?: string;
  /** What is printed; `silent` by default. */
  readonly logLevel?: LogLevel;
}

/** What may be stored of the settings: nothing secret, nothing that is a function. Source: R80. */
export type PersistedMcpServerConfig = Omit<McpServerConfig, 'headers' | 'clientOptions' | 'proxyConfig'> & {
  readonly proxyConfig?: Pick<ProxyConfig, 'proxyAddress'>;
};

/** What an application may be told of one server; always the newest function is called. */
export interface ServerCallbacks {
  readonly onNotification?: (notification: McpNotification) => void;
  /** Answers sampling requests in place of the queue. */
  readonly onSampling?: (request: PendingSamplingRequest['request']) => Promise<CreateMessageResult>;
  /** Answers elicitation requests in place of the queue. */
  readonly onElicitation?: (request: PendingElicitationRequest['request']) => Promise<ElicitResult>;
}
