import { createLocalLocks } from '@portico/oauth';
import type { Locks } from '@portico/oauth';
import type { Environment, OpenedWindow, Page, TabChannel, TextStorage } from '@portico/connections/manager';
import type { FetchLike } from '@portico/spec';
import { createManualClock } from './manual-clock.ts';
import type { ManualClock } from './manual-clock.ts';

/** A window that a page opened, with what became of it. */
export interface ScriptedWindow extends OpenedWindow {
  readonly features: string;
  /** Where it was sent, in order. */
  readonly urls: readonly string[];
  readonly focused: number;
  /** As the person closes it, and as it looks when its page cuts the tie. */
  shut(): void;
}

/** The page of a tab, which goes nowhere by itself. */
export interface ScriptedPage extends Page {
  /** As the person, or a server, goes to another address. */
  go(url: string): void;
  /** Where the page was sent, in order. */
  readonly sentTo: readonly string[];
  readonly windows: readonly ScriptedWindow[];
  /** Whether windows are allowed from now on. */
  allowWindows(allowed: boolean): void;
  show(shown: boolean): void;
  connect(online: boolean): void;
  /** Whether it asked for its window to be closed. */
  readonly isClosed: boolean;
  /** How many listeners there are. */
  readonly listeners: number;
}

/** One tab. */
export interface ScriptedTab {
  readonly environment: Environment & { readonly page: ScriptedPage };
  readonly page: ScriptedPage;
  /** What it posted to other tabs, in order. */
  readonly posted: readonly unknown[];
  /** Ends of channels that are open. */
  readonly channels: number;
  /** Lines that were printed, with their level first. */
  readonly printed: readonly string[];
}

/** One profile of a browser at one origin: what its tabs share. */
export interface ScriptedBrowser {
  readonly clock: ManualClock;
  /** What is stored now. */
  stored(): Readonly<Record<string, string>>;
  readonly storage: TextStorage;
  openTab(href?: string): ScriptedTab;
  /** Says something to all tabs, as a page of the same origin can. */
  shout(name: string, message: unknown): void;
}

export interface ScriptedBrowserOptions {
  readonly fetch?: FetchLike;
  readonly clock?: ManualClock;
  readonly locks?: Locks;
  readonly isSecureContext?: boolean;
  /** Whether connections carry many requests at once; true by default. */
  readonly carriesMany?: boolean;
  /** Storage answers with promises, a turn later. */
  readonly slowStorage?: boolean;
}

interface ChannelEnd {
  readonly name: string;
  readonly listeners: Set<(message: unknown) => void>;
}

function createStorage(slow: boolean): {
  readonly storage: TextStorage;
  readonly stored: () => Record<string, string>;
} {
  const values = new Map<string, string>();
  const answer = <T>(run: () => T): T | Promise<T> =>
    slow ? new Promise((resolve) => setImmediate(() => resolve(run()))) : run();
  return {
    stored: () => Object.fromEntries(values),
    storage: {
      getItem: (key) => answer(() => values.get(key) ?? null),
      setItem: (key, value) => answer(() => void values.set(key, value)),
      removeItem: (key) => answer(() => void values.delete(key)),
      keys: () => answer(() => [...values.keys()]),
    },
  };
}

function createWindow(features: string): ScriptedWindow {
  const urls: string[] = [];
  let closed = false;
  let focused = 0;
  return {
    features,
    urls,
    get closed() {
      return closed;
    },
    get focused() {
      return focused;
    },
    navigate: (url) => void urls.push(url),
    focus: () => void (focused += 1),
    close: () => void (closed = true),
    shut: () => void (closed = true),
  };
}

function createPage(start: string, isSecureContext: boolean): ScriptedPage {
  const sentTo: string[] = [];
  const windows: ScriptedWindow[] = [];
  const listeners = new Set<() => void>();
  const now = { href: start, allowed: true, hidden: false, online: true, closed: false };
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    isSecureContext,
    sentTo,
    windows,
    get href() {
      return now.href;
    },
    get isHidden() {
      return now.hidden;
    },
    get isOnline() {
      return now.online;
    },
    get isClosed() {
      return now.closed;
    },
    get listeners() {
      return listeners.size;
    },
    openWindow(features) {
      if (!now.allowed) return undefined;
      const opened = createWindow(features);
      windows.push(opened);
      return opened;
    },
    navigate: (url) => void sentTo.push(url),
    replaceAddress: (url) => void (now.href = new URL(url, now.href).href),
    close: () => void (now.closed = true),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    go: (url) => void (now.href = url),
    allowWindows: (allowed) => void (now.allowed = allowed),
    show(shown) {
      now.hidden = !shown;
      tell();
    },
    connect(online) {
      now.online = online;
      tell();
    },
  };
}

/** Ends of channels by name; what is posted is a copy and comes later, as in a browser. */
function createChannels(): {
  open(name: string, note: (message: unknown) => void): TabChannel & { readonly isOpen: boolean };
  deliver(name: string, message: unknown, from?: ChannelEnd): void;
} {
  const ends = new Set<ChannelEnd>();
  const deliver = (name: string, message: unknown, from?: ChannelEnd): void => {
    const copy: unknown = structuredClone(message);
    queueMicrotask(() => {
      for (const end of ends)
        if (end !== from && end.name === name) for (const listener of end.listeners) listener(copy);
    });
  };
  return {
    deliver,
    open(name, note) {
      const end: ChannelEnd = { name, listeners: new Set() };
      ends.add(end);
      return {
        get isOpen() {
          return ends.has(end);
        },
        post(message) {
          note(message);
          deliver(name, message, end);
        },
        listen(listener) {
          end.listeners.add(listener);
          return () => void end.listeners.delete(listener);
        },
        close: () => void ends.delete(end),
      };
    },
  };
}

/** Places that one at a time holds. */
function createPlaces(): { tryHold(name: string): (() => void) | undefined } {
  const held = new Set<string>();
  return {
    tryHold(name) {
      if (held.has(name)) return undefined;
      held.add(name);
      return () => void held.delete(name);
    },
  };
}

function refuseFetch(url: string | URL): Promise<Response> {
  return Promise.reject(new TypeError(`nothing is fetched in this test, but ${String(url)} was`));
}

/** A browser in memory: time, storage, locks and channels that its tabs share, and pages that the test moves. */
export function createScriptedBrowser(options: ScriptedBrowserOptions = {}): ScriptedBrowser {
  const { clock = createManualClock(), locks = createLocalLocks(), fetch = refuseFetch } = options;
  const { storage, stored } = createStorage(options.slowStorage === true);
  const channels = createChannels();
  const places = createPlaces();
  let ids = 0;
  return {
    clock,
    stored,
    storage,
    shout: (name, message) => channels.deliver(name, message),
    openTab(href = 'https://app.test/') {
      const page = createPage(href, options.isSecureContext ?? true);
      const posted: unknown[] = [];
      const printed: string[] = [];
      const open: { readonly isOpen: boolean }[] = [];
      const print =
        (level: string) =>
        (message: string): void =>
          void printed.push(`${level} ${message}`);
      const environment: ScriptedTab['environment'] = {
        clock,
        fetch,
        random: () => 0.5,
        randomId: () => `id-${++ids}`,
        storage,
        locks,
        page,
        console: {
          error: print('error'),
          warn: print('warn'),
          info: print('info'),
          debug: print('debug'),
        },
        places: { tryHold: async (name) => places.tryHold(name) },
        carriesMany: () => options.carriesMany ?? true,
        openChannel(name) {
          const channel = channels.open(name, (message) => posted.push(message));
          open.push(channel);
          return channel;
        },
      };
      return {
        environment,
        page,
        posted,
        printed,
        get channels() {
          return open.filter(({ isOpen }) => isOpen).length;
        },
      };
    },
  };
}
