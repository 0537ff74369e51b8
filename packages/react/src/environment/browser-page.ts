'use client';
import type { OpenedWindow, Page } from '@portico/connections/manager';

/** The page that this script runs in. */
export function createBrowserPage(): Page {
  return {
    get href() {
      return window.location.href;
    },
    get isSecureContext() {
      return window.isSecureContext;
    },
    get isHidden() {
      return document.visibilityState === 'hidden';
    },
    get isOnline() {
      return navigator.onLine;
    },
    openWindow(features) {
      const opened = window.open('about:blank', '_blank', features);
      return opened === null ? undefined : openedWindow(opened);
    },
    navigate: (url) => window.location.assign(url),
    replaceAddress: (url) => window.history.replaceState(window.history.state, '', url),
    close: () => window.close(),
    onChange(listener) {
      document.addEventListener('visibilitychange', listener);
      window.addEventListener('online', listener);
      window.addEventListener('offline', listener);
      return () => {
        document.removeEventListener('visibilitychange', listener);
        window.removeEventListener('online', listener);
        window.removeEventListener('offline', listener);
      };
    },
  };
}

function openedWindow(opened: Window): OpenedWindow {
  // The pages of an authorization server have no business with this one.
  opened.opener = null;
  return {
    get closed() {
      return opened.closed;
    },
    navigate: (url) => opened.location.replace(url),
    focus: () => opened.focus(),
    close: () => opened.close(),
  };
}
