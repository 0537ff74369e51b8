'use client';
import type { TabChannel } from '@portico/connections/manager';
import { localStorageOf } from './local-storage.ts';

/**
 * A `BroadcastChannel`, which reaches the tabs of this origin only. Where the browser has none, or refuses
 * it, what is said goes by events of `localStorage`, in which nothing stays. Without either it reaches
 * this page alone.
 *
 * @param onAlone told when it is so; must not throw
 */
export function openBrowserChannel(name: string, onAlone: () => void = () => undefined): TabChannel {
  const broadcast = openBroadcast(name);
  if (broadcast !== undefined) return broadcast;
  if (localStorageOf(globalThis) === undefined) onAlone();
  return openStorageEvents(name);
}

function openBroadcast(name: string): TabChannel | undefined {
  let channel: BroadcastChannel;
  try {
    channel = new BroadcastChannel(name);
  } catch {
    return undefined;
  }
  let isOpen = true;
  return {
    post(message) {
      if (isOpen) channel.postMessage(message);
    },
    listen(listener) {
      const heard = (event: MessageEvent<unknown>): void => listener(event.data);
      channel.addEventListener('message', heard);
      return () => channel.removeEventListener('message', heard);
    },
    close() {
      isOpen = false;
      channel.close();
    },
  };
}

function openStorageEvents(name: string): TabChannel {
  const stops = new Set<() => void>();
  let isPosting = false;
  return {
    post(message) {
      const newValue = JSON.stringify(message);
      tellOthers(name, newValue);
      // A page is not told of what it wrote itself, and other ends may be in it.
      queueMicrotask(() => {
        isPosting = true;
        window.dispatchEvent(new StorageEvent('storage', { key: name, newValue }));
        isPosting = false;
      });
    },
    listen(listener) {
      const heard = ({ key, newValue }: StorageEvent): void => {
        if (key === name && newValue !== null && !isPosting) listener(parse(newValue));
      };
      window.addEventListener('storage', heard);
      const stop = (): void => {
        window.removeEventListener('storage', heard);
        stops.delete(stop);
      };
      stops.add(stop);
      return stop;
    },
    close() {
      for (const stop of Array.from(stops)) stop();
    },
  };
}

function tellOthers(name: string, text: string): void {
  try {
    window.localStorage.setItem(name, text);
    window.localStorage.removeItem(name);
  } catch {
    // Who waits looks at the window, and at what is stored when its page is shown again.
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
