import { reportGuarded } from '@portico/rpc';
/** A change that clients may want to hear of. */
export type ServerEvent =
  | { readonly kind: 'tools_list_changed' }
  | { readonly kind: 'prompts_list_changed' }
  | { readonly kind: 'resources_list_changed' }
  | { readonly kind: 'resource_updated'; readonly uri: string };

/** Carries change events to every open stream: of this process, or of all nodes. */
export interface ServerEventBus {
  publish(event: ServerEvent): void;
  /** The answer unsubscribes and may be called more than once. Listeners must not throw. */
  subscribe(listener: (event: ServerEvent) => void): () => void;
}

/** Publishing by name, over a bus. */
export interface ServerNotifier {
  toolsChanged(): void;
  promptsChanged(): void;
  resourcesChanged(): void;
  resourceUpdated(uri: string): void;
}

/** A bus within this process. Delivery happens within `publish`. */
export class InMemoryServerEventBus implements ServerEventBus {
  readonly #listeners = new Set<(event: ServerEvent) => void>();
  readonly #onerror: ((error: Error) => void) | undefined;

  /** @param onerror told when a listener throws; the other listeners still hear the event */
  constructor(onerror?: (error: Error) => void) {
    this.#onerror = onerror;
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  publish(event: ServerEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        reportGuarded(this.#onerror, error instanceof Error ? error : new TypeError(String(error)));
      }
    }
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const own = (event: ServerEvent): void => listener(event);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }
}

/** The named publishing methods for a bus. */
export function createNotifier(bus: ServerEventBus): ServerNotifier {
  return {
    toolsChanged: () => bus.publish({ kind: 'tools_list_changed' }),
    promptsChanged: () => bus.publish({ kind: 'prompts_list_changed' }),
    resourcesChanged: () => bus.publish({ kind: 'resources_list_changed' }),
    resourceUpdated: (uri) => bus.publish({ kind: 'resource_updated', uri }),
  };
}

/**
 * Lets the events of two buses reach the listeners of both, each event once. The answer undoes it.
 * A bus that spans processes must not hand an event back to the process that published it.
 */
export function bridgeEvents(first: ServerEventBus, second: ServerEventBus): () => void {
  const crossed = new WeakSet<ServerEvent>();
  const cross = (from: ServerEventBus, to: ServerEventBus): (() => void) =>
    from.subscribe((event) => {
      if (crossed.has(event)) return;
      crossed.add(event);
      to.publish(event);
    });
  const undo = [cross(first, second), cross(second, first)];
  return () => undo.forEach((each) => each());
}

/** The event that a notification tells of, if it is one of a change. */
export function changeOf(
  method: string,
  params: Readonly<Record<string, unknown>> | undefined,
): ServerEvent | undefined {
  switch (method) {
    case 'notifications/tools/list_changed':
      return { kind: 'tools_list_changed' };
    case 'notifications/prompts/list_changed':
      return { kind: 'prompts_list_changed' };
    case 'notifications/resources/list_changed':
      return { kind: 'resources_list_changed' };
    case 'notifications/resources/updated':
      return { kind: 'resource_updated', uri: String(params?.['uri']) };
    default:
      return undefined;
  }
}

/** The wire notification of an event. */
export function notificationOf(event: ServerEvent): {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> | undefined;
} {
  switch (event.kind) {
    case 'tools_list_changed':
      return { method: 'notifications/tools/list_changed', params: undefined };
    case 'prompts_list_changed':
      return { method: 'notifications/prompts/list_changed', params: undefined };
    case 'resources_list_changed':
      return { method: 'notifications/resources/list_changed', params: undefined };
    case 'resource_updated':
      return { method: 'notifications/resources/updated', params: { uri: event.uri } };
  }
}
