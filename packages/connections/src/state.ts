import type {
  Implementation,
  Prompt,
  Resource,
  ResourceTemplateType,
  ServerCapabilities,
  Tool,
} from '@portico/spec';

/**
 * idle: never opened or closed on purpose; connecting: being opened or coming back; ready: usable;
 * needs_sign_in: waits for a person; degraded: usable, but something of it is broken; failed: the last
 * try failed; stopped: switched off, or given up after crashing too often.
 */
export type ConnectionStatus =
  | 'idle'
  | 'connecting'
  | 'ready'
  | 'needs_sign_in'
  | 'degraded'
  | 'failed'
  | 'stopped';

/** Why a connection is not as it should be, ready to be shown. */
export interface ConnectionFailure {
  /** Code of the client's error, or of the server's as text. */
  readonly code: string;
  readonly message: string;
  /**
   * Which step failed: address, tcp, tls, http, sign_in, protocol, command, process, timeout, closed, or
   * setup when the channel could not be made; `code` is then whatever `createTransport` threw.
   */
  readonly step: string;
  readonly httpStatus?: number;
  readonly systemCode?: string;
  /** Name and port of the server that was not reached. */
  readonly host?: string;
  /** Where the server sends to, in a redirect that is not followed. */
  readonly location?: string;
  readonly command?: string;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  /** Last lines of a child's error output, without control sequences. */
  readonly stderrTail?: readonly string[];
  /** Whether trying again can help without anybody changing something. */
  readonly retryable: boolean;
  /** How long the server wants to be left alone, milliseconds. */
  readonly retryAfterMs?: number;
  /** Only this call was refused: what is there goes on working. */
  readonly partial?: boolean;
}

/** The lists a server can have. */
export const LIST_NAMES = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const;
export type ListName = (typeof LIST_NAMES)[number];

/** What went wrong with each list that could not be read. */
export type ListErrors = Readonly<Partial<Record<ListName, ConnectionFailure>>>;

/** One entry of a list that breaks the protocol and was left out. */
export interface DroppedItem {
  readonly list: ListName;
  /** Its name or address as far as it can be read, else its place in the list. */
  readonly name: string;
  readonly reason: string;
}

/** What a server tells of itself when it is opened. */
export interface ServerAbout {
  readonly server: Implementation;
  readonly era: 'legacy' | 'modern';
  readonly protocolVersion: string;
  readonly capabilities: ServerCapabilities;
  readonly instructions?: string;
}

export interface ServerLists {
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplateType[];
  readonly prompts: readonly Prompt[];
}

/** One connection as everybody sees it; a new object whenever something differs, else the same. */
export interface ConnectionState extends Partial<ServerAbout>, ServerLists {
  readonly id: string;
  readonly status: ConnectionStatus;
  readonly dropped: readonly DroppedItem[];
  /** Why lists could not be read the last time that was tried; absent while all could. */
  readonly listErrors?: ListErrors;
  readonly error?: ConnectionFailure;
  /** Tries that failed in a row. */
  readonly attempt: number;
  /** When the status was entered, epoch milliseconds. */
  readonly sinceMs: number;
  /** When the next try comes by itself, epoch milliseconds. */
  readonly retryAtMs?: number;
}

export const NO_LISTS: ServerLists = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
