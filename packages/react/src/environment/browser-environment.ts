'use client';
import type { Environment, LogConsole, Page, Places } from '@portico/connections/manager';
import type { Locks } from '@portico/oauth';
import { systemClock } from '@portico/rpc';
import { openBrowserChannel } from './browser-channel.ts';
import { createBrowserLocks } from './browser-locks.ts';
import { createBrowserPage } from './browser-page.ts';
import { createBrowserPlaces } from './browser-places.ts';
import { createBrowserStorage } from './browser-storage.ts';
import { carriesMany } from './carries-many.ts';
import { isDevelopment } from './is-development.ts';

const ID_BYTES = 16;

const ALONE =
  'this page has neither BroadcastChannel nor localStorage: other tabs, and the window of a sign-in, cannot tell it that somebody has signed in';

/**
 * The browser around a page. Nothing of it is touched before it is asked for, so this can be made while
 * rendering, on a server too, where there is no page.
 */
export function createBrowserEnvironment(): Environment {
  const parts = new Map<string, unknown>();
  let storage: ReturnType<typeof createBrowserStorage> | undefined;
  const once = <Part>(name: string, create: () => Part): Part => {
    if (!parts.has(name)) parts.set(name, create());
    return parts.get(name) as Part;
  };
  let isAlone = false;
  const warnOfAlone = (): void => {
    if (isAlone || !isDevelopment()) return;
    isAlone = true;
    globalThis.console.warn(ALONE);
  };
  const environment: Environment = {
    clock: systemClock,
    fetch: (target, init) => globalThis.fetch(target, init),
    random: () => Math.random(),
    randomId,
    openChannel: (name) => openBrowserChannel(name, warnOfAlone),
    carriesMany,
    get places(): Places {
      return once('places', createBrowserPlaces);
    },
    get storage() {
      return (storage ??= createBrowserStorage());
    },
    get locks(): Locks {
      return once('locks', createBrowserLocks);
    },
    get page(): Page | undefined {
      return typeof document === 'undefined' ? undefined : once('page', createBrowserPage);
    },
    rest: () => storage?.close(),
    get isDevelopment() {
      return isDevelopment();
    },
    get console(): LogConsole {
      return globalThis.console;
    },
  };
  return environment;
}

/** `crypto.randomUUID` would want a secure context. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
