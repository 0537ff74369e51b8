'use client';
import type { TabChannel } from '@portico/connections/manager';

/** A `BroadcastChannel`, which reaches the tabs of this origin only; without such a thing nobody is reached. */
export function openBrowserChannel(name: string): TabChannel {
  if (typeof BroadcastChannel === 'undefined') return SILENT;
  const channel = new BroadcastChannel(name);
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

const SILENT: TabChannel = { post: () => undefined, listen: () => () => undefined, close: () => undefined };
