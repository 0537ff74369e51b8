import type { IncomingNotification } from '@portico/client';
import { bytesOf } from '@portico/spec';
import { freezeDeep } from '../freeze-deep.ts';
import type { McpNotification } from './server-parts.ts';

/** Messages that only accompany a call; nobody reads them later. */
const PASSING: ReadonlySet<string> = new Set([
  'notifications/progress',
  'notifications/cancelled',
  'notifications/subscriptions/acknowledged',
]);

const MAX_COUNT = 500;
const MAX_BYTES = 5 * 1_024 * 1_024;

/** What a {@link NotificationRing} needs. */
export interface NotificationRingOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
  /** 500 by default. */
  readonly maxCount?: number;
  /** Bytes of all together, as JSON; 5 MiB by default. */
  readonly maxBytes?: number;
}

/** The last notifications of one server, newest first. The array is replaced whenever it changes. */
export interface NotificationRing {
  readonly items: McpNotification[];
  readonly unreadCount: number;
  /** Keeps one; @returns it, or undefined when messages of its kind, or so large, are not kept */
  add(notification: IncomingNotification): McpNotification | undefined;
  /** @returns whether anything changed */
  markRead(id: string): boolean;
  /** @returns whether anything changed */
  markAllRead(): boolean;
  /** @returns whether anything changed */
  clear(): boolean;
}

function frozen(items: McpNotification[]): McpNotification[] {
  Object.freeze(items);
  return items;
}

function read(item: McpNotification): McpNotification {
  return item.read ? item : Object.freeze({ ...item, read: true });
}

/** Source: R105, R106. */
export function createNotificationRing(options: NotificationRingOptions): NotificationRing {
  const { now, newId, maxCount = MAX_COUNT, maxBytes = MAX_BYTES } = options;
  let items = frozen([]);
  /** Sizes of the items, in the same order. */
  let sizes: number[] = [];
  let totalBytes = 0;
  let unreadCount = 0;

  const replace = (next: McpNotification[]): boolean => {
    items = frozen(next);
    unreadCount = next.filter((item) => !item.read).length;
    return true;
  };
  const dropOldest = (next: McpNotification[]): void => {
    while (next.length > maxCount || totalBytes > maxBytes) {
      next.pop();
      totalBytes -= sizes.pop() ?? 0;
    }
  };

  return {
    get items() {
      return items;
    },
    get unreadCount() {
      return unreadCount;
    },
    add({ method, params }) {
      if (PASSING.has(method)) return undefined;
      const bytes = bytesOf(params === undefined ? { method } : { method, params });
      if (bytes === undefined || bytes > maxBytes) return undefined;
      const kept: McpNotification = Object.freeze({
        id: newId(),
        method,
        ...(params === undefined ? {} : { params: freezeDeep(params) }),
        timestamp: now(),
        read: false,
      });
      const next = [kept, ...items];
      sizes.unshift(bytes);
      totalBytes += bytes;
      dropOldest(next);
      replace(next);
      return kept;
    },
    markRead(id) {
      const item = items.find((candidate) => candidate.id === id);
      if (item === undefined || item.read) return false;
      return replace(items.map((other) => (other === item ? read(other) : other)));
    },
    markAllRead() {
      return unreadCount === 0 ? false : replace(items.map(read));
    },
    clear() {
      if (items.length === 0) return false;
      sizes = [];
      totalBytes = 0;
      return replace([]);
    },
  };
}
