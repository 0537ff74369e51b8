import type { Locks } from '@portico/oauth';
import type { Clock } from '@portico/rpc';
import type { FetchLike } from '@portico/spec';

/** A store of texts, as `localStorage` is one; the promise-returning kind is as welcome. */
export interface TextStorage {
  getItem(key: string): string | null | Promise<string | null>;
  /** Kept when it returns or resolves. Throws or rejects when it cannot be kept. */
  setItem(key: string, value: string): void | Promise<void>;
  removeItem(key: string): void | Promise<void>;
  /** Every key there is. */
  keys(): readonly string[] | Promise<readonly string[]>;
}

/** One end of what all tabs of an origin hear, as a `BroadcastChannel` is one. */
export interface TabChannel {
  /** Reaches every other end, never this one. Must not throw. */
  post(message: unknown): void;
  /** @returns how to stop listening */
  listen(listener: (message: unknown) => void): () => void;
  close(): void;
}

/** A window that was opened for a sign-in. */
export interface OpenedWindow {
  /** True for good once the person has closed it, and where its page has cut the tie to this one. */
  readonly closed: boolean;
  navigate(url: string): void;
  focus(): void;
  close(): void;
}

/** The page around the connections; a program without a page has none. */
export interface Page {
  /** Where the page is now. */
  readonly href: string;
  readonly isSecureContext: boolean;
  /**
   * Opens an empty window, within the call that asks for it, since a browser allows it only then.
   *
   * @param features as `window.open` takes them
   * @returns undefined when the browser refuses
   */
  openWindow(features: string): OpenedWindow | undefined;
  /** Leaves the page for another one. */
  navigate(url: string): void;
  /** Changes the address shown without loading anything. */
  replaceAddress(url: string): void;
  /** Closes the window of this page; browsers heed that only where a script opened it. */
  close(): void;
  readonly isHidden: boolean;
  readonly isOnline: boolean;
  /** Told when the page is shown or hidden, or goes on or off line; @returns how to stop that */
  onChange(listener: () => void): () => void;
}

/** Where log lines go when a level asks for them. */
export interface LogConsole {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
}

/** Places that one at a time can hold, among all who share them. */
export interface Places {
  /** @returns how to give the place back; undefined when somebody holds it */
  tryHold(name: string): Promise<(() => void) | undefined>;
}

/** All that managed servers have to do with the world. Tests drive it; nothing else is reached. */
export interface Environment {
  readonly clock: Clock;
  readonly fetch: FetchLike;
  /** From 0 (included) to 1 (excluded), for the jitter of waits. */
  random(): number;
  /** A new text that nobody can guess. */
  randomId(): string;
  /** Where sign-ins are kept. */
  readonly storage: TextStorage;
  /** Lets one at a time renew tokens, among all who share the storage. */
  readonly locks: Locks;
  /** Places that one at a time can hold, among all tabs. */
  readonly places: Places;
  /** Whether connections to an origin are known to carry many requests at once, as HTTP/2 does. */
  carriesMany(origin: string): boolean;
  /** Opens an end of a channel between the tabs. */
  openChannel(name: string): TabChannel;
  readonly page?: Page | undefined;
  /** Nobody works here for now: what is held open can be given back. All of it may be used again later. */
  rest?(): void;
  /** Whether the application is being made, so that its mistakes are pointed out; false by default. */
  readonly isDevelopment?: boolean | undefined;
  readonly console?: LogConsole | undefined;
}
