import type { Connector, Publish, PublishResult } from '@portico/api';
import type { ChildKeeper } from '@portico/client/stdio';
import type { Clock } from './ports/clock.ts';
import type { KeyHolder, ResealReport, TurnableSecretBox } from './ports/secrets.ts';
import type { Stores } from './ports/stores.ts';
import type { BrowserSessions } from './sessions/browser-sessions.ts';
import type { LaunchLinks } from './sessions/launch-links.ts';

/** Where the host says what it does. Never gets a secret, an argument of a tool or a result. */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** The model that drives conversations; without one the person does (direct mode). */
export interface ModelOptions {
  readonly apiKey?: string;
  /** Bearer token, for endpoints that want one in place of a key. */
  readonly authToken?: string;
  readonly baseUrl?: string;
  readonly model: string;
}

/** Which port to take, on loopback only. */
export interface ListenChoice {
  /** Tried first; 0 takes any free one. */
  readonly port: number;
  /** Tried in this order when `port` is busy. Without them a busy port is HostError `port_in_use`. */
  readonly alternatives?: readonly number[];
}

export interface HostOptions {
  readonly stores: Stores;
  readonly secrets: TurnableSecretBox;
  /** Where the keys of `secrets` are kept. */
  readonly keys: KeyHolder;
  readonly clock: Clock;
  readonly sessions: BrowserSessions;
  readonly launchLinks: LaunchLinks;
  /** Folder with the built console: `index.html` and its assets. */
  readonly consoleFolder: string;
  /** Script of the outer sandbox document, one file. */
  readonly proxyBundleFile: string;
  /** Script that runs first in every published page, one file. */
  readonly kernelBundleFile: string;
  /** Handed to `bindLoopback` (listen-port.ts) together with the server. */
  readonly listen: ListenChoice;
  readonly model: ModelOptions | undefined;
  /**
   * Where a document on the web describes this client to servers that know clients by such: https with a
   * path. It has to name the redirect address of this host.
   */
  readonly clientMetadataUrl?: string | undefined;
  readonly version: string;
  /** Keeps account of the programs of connectors; nobody by default. */
  readonly keeper?: ChildKeeper | undefined;
  readonly log: Log;
}

export interface HostStatus {
  readonly version: string;
  readonly port: number;
  readonly origin: string;
  readonly connectors: readonly Connector[];
  readonly runningTurns: number;
}

/** A running host. */
export interface Host {
  readonly port: number;
  /** Origin of the console, `http://portico.localhost:PORT`. */
  readonly origin: string;
  /** A one-use address that gives a browser its session. */
  launchLink(): string;
  /** Publishes a page as the console does. Throws ApiRefusal, whose code is one of the API's. */
  publish(page: Publish): Promise<PublishResult>;
  status(): HostStatus;
  /**
   * Exchanges the key that secrets are sealed with, without interrupting anything.
   * Throws HostError `bad_configuration` where the operator gives the key and gave no new one.
   */
  rotateKey(): Promise<ResealReport>;
  /** Ends turns, connections and children, then the server. Safe to call twice. */
  close(): Promise<void>;
}
