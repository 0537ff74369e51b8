import type { AuthProvider } from '@portico/oauth';
import type { FetchLike } from '@portico/spec';
import type { ConnectionsErrorCode } from '../../errors.ts';
import type { Environment } from '../environment.ts';
import type { ClientInfo, McpServerConfig } from '../server-config.ts';
import type { AuthTokens, LogEntry } from '../server-parts.ts';

/** Why a sign-in came to nothing. The text is fit for people; what servers said in it is plain text. */
export interface SignInFailure {
  readonly code: Extract<
    ConnectionsErrorCode,
    'auth_failed' | 'auth_unsupported' | 'client_id_needed' | 'insecure_context' | 'network_error'
  >;
  readonly message: string;
}

/** Where the sign-in of a server stands. A new object whenever something changed. */
export interface SignInState {
  /** `running` while somebody is away to sign in. */
  readonly flow: 'none' | 'running';
  /** Where to sign in, while that is wanted: an http(s) address that works for five minutes at least. */
  readonly authUrl?: string;
  /**
   * What is stored, as far as it was read; to be shown in `ready` only. Undefined again when the server of
   * the sign-in takes them back: then only a sign-in helps.
   */
  readonly tokens?: AuthTokens;
  /** What the last `authenticate()` or `prepare()`, or who came back, failed with; gone when another one begins. */
  readonly failure?: SignInFailure;
}

/** The settings that a sign-in is bound to: with others a server is given another sign-in. */
export interface SignInAccount {
  /** The server, http or https. */
  readonly url: string;
  readonly storageKeyPrefix: string;
  /** Absolute; see `resolveCallbackUrl`. */
  readonly callbackUrl: string;
  readonly oauth: NonNullable<McpServerConfig['oauth']>;
  readonly clientInfo: ClientInfo;
}

/** What {@link ServerSignIn} is made of. */
export interface ServerSignInOptions {
  readonly environment: Environment;
  /** For errors. */
  readonly serverId: string;
  readonly account: SignInAccount;
  /** Asked at every sign-in, since these may change at any time. */
  readonly wishes: () => { readonly popupFeatures: string; readonly useRedirectFlow: boolean };
  /** The proxy for requests to authorization servers that is in force now: the one set, else the derived one. */
  readonly oauthProxyUrl: () => string | undefined;
  /** Makes the fetch that goes by such a proxy, or without one. */
  readonly oauthFetch: (oauthProxyUrl: string | undefined) => FetchLike;
  readonly log: (level: LogEntry['level'], message: string) => void;
  /** `state` is another one. Must not throw. */
  readonly changed: () => void;
  /**
   * Somebody signed in: `state` holds the new tokens and no flow, and the connection is to be made anew with
   * them. Called in place of `changed`. `authenticate()` resolves after it; what it rejects with is ignored.
   */
  readonly completed: () => void | Promise<void>;
}

/** How `authenticate` is called. */
export interface AuthenticateOptions {
  /** The server is usable: cancelling leaves no address to sign in at, unless one was shown before. */
  readonly ready: boolean;
  /** Nobody asked for it; on the whole page that happens once a minute at most, so that nothing goes round in circles. */
  readonly unasked?: boolean;
  /**
   * What has to end before the sign-in goes on, such as an attempt to connect; the window is open by then.
   * False as result means that nobody has to sign in any more. Rejecting counts as false.
   */
  readonly before?: () => Promise<boolean>;
}

/**
 * The sign-in of one managed server: tokens for its transport, the address to sign in at, and the window.
 * Owned by that server's entry, which disposes of it. Made without touching storage or network.
 */
export interface ServerSignIn {
  readonly state: SignInState;
  /**
   * For the transport. It never opens a window. What its members reject with is a ConnectionsError that
   * reaches the caller of the request: `auth_required` after `authUrl` was published, `network_error` when
   * tokens could not be renewed, and `auth_failed`, `auth_unsupported`, `client_id_needed` or
   * `insecure_context` when there is no way to sign in. `state.failure` says nothing of these.
   */
  readonly authProvider: AuthProvider;
  /**
   * Lets the person sign in. Opens the window before it returns; joins what is running. Resolves when that
   * ended, when `completed` is done, or when the page is being left. Never rejects: see `state`.
   */
  authenticate(options: AuthenticateOptions): Promise<void>;
  /** Sees to a working `authUrl`, as far as there is none. Never rejects: see `state.failure`. */
  prepare(): Promise<void>;
  /**
   * Nobody has to sign in any more, such as when the server answers without, or is left: `authUrl` and all
   * that belongs to it go, and so does a window that is waited for, unless `before` still runs.
   */
  withdraw(): void;
  /** Removes all that is stored of this account, here and in other tabs. `changed` is told within the call. */
  clear(): void;
  /** Stops waiting; nothing is published afterwards. A window stays open, and what it brings is stored. */
  dispose(): void;
}
