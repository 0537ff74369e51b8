import { notificationOf, type ServerEvent, type ServerEventBus } from './server-events.ts';

/** Publishes changes, several of one kind within one turn as one where that is wanted. */
export class ChangeAnnouncer {
  readonly #events: ServerEventBus;
  readonly #debounced: ReadonlySet<string>;
  readonly #waiting = new Set<string>();

  /** @param debounced methods of the notifications that may be put together */
  constructor(events: ServerEventBus, debounced: readonly string[] = []) {
    this.#events = events;
    this.#debounced = new Set(debounced);
  }

  /** Whether a notification of this method is about to go out, so that another adds nothing. */
  isWaiting(method: string): boolean {
    return this.#waiting.has(method);
  }

  announce(event: ServerEvent): void {
    if (this.#debounced.size === 0) {
      this.#events.publish(event);
      return;
    }
    const { method, params } = notificationOf(event);
    if (params !== undefined || !this.#debounced.has(method)) {
      this.#events.publish(event);
      return;
    }
    if (this.#waiting.has(method)) return;
    this.#waiting.add(method);
    queueMicrotask(() => {
      this.#waiting.delete(method);
      this.#events.publish(event);
    });
  }
}
