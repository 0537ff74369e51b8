import type { Server } from 'node:http';
import type { Connector, Publish, PublishResult } from '@portico/api';
import type { Clock } from './ports/clock.ts';
import type { SecretBox } from './ports/secrets.ts';
import type { Stores } from './ports/stores.ts';
import type { BrowserSessions } from './sessions/browser-sessions.ts';
import type { LaunchLinks } from './sessions/launch-links.ts';

/** One line of the host's own log. Never hand it a secret, an argument, a result or message text (K175). */
export interface Log {
  info(message: string, facts?: LogFacts): void;
  warn(message: string, facts?: LogFacts): void;
  error(message: string, facts?: LogFacts): void;
}

export type LogFacts = Readonly<Record<string, string | number | boolean | undefined>>;

/** The bound port. Closing it stops accepting; open connections live on until the server ends them. */
export interface BoundPort {
  readonly port: number;
  close(): Promise<void>;
}

/** The model endpoint as the operator configured it. */
export interface ModelSettings {
  /** Sent as `x-api-key`. */
  readonly apiKey?: string;
  /** Sent as a bearer token. */
  readonly authToken?: string;
  readonly baseUrl?: string;
  readonly model?: string;
}

/** Everything the host needs from outside; nothing in it is read from the environment later. */
export interface HostOptions {
  readonly stores: Stores;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  /** Folder of the built console: `index.html` and its assets. */
  readonly console: { readonly folder: string };
  /** Binds the server to the loopback addresses of one port. Called once, when the server can answer. */
  listen(server: Server): Promise<BoundPort>;
  readonly launchLinks: LaunchLinks;
  readonly sessions: BrowserSessions;
  /** Undefined: direct mode, the person calls the tools. */
  readonly model: ModelSettings | undefined;
  /** Where stdio connectors run unless they name a folder. */
  readonly workingFolder: string;
  readonly version: string;
  readonly log: Log;
}

/** What `portico list` and a second start learn of a running host. */
export interface HostStatus {
  readonly version: string;
  readonly port: number;
  readonly origin: string;
  readonly connectors: readonly Connector[];
}

/** A running host. */
export interface Host {
  readonly port: number;
  /** Origin of the console, e.g. `http://portico.localhost:6874`. */
  readonly origin: string;
  /** A fresh one-use address that gives a browser a session (K112). */
  launchLink(): Promise<string>;
  /** Throws HostError `page_refused` when page or manifest cannot be used. */
  publish(input: Publish): Promise<PublishResult>;
  status(): Promise<HostStatus>;
  /** Stops accepting, lets running requests finish within its limits, ends children and streams. */
  close(): Promise<void>;
}
