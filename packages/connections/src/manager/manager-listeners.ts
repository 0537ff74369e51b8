import type { McpServer, McpServerState } from './server-parts.ts';

/** Who is told of the life of servers; always the newest functions are called. */
export interface ManagerEvents {
  readonly onServerAdded?: ((id: string, server: McpServer) => void) | undefined;
  readonly onServerRemoved?: ((id: string) => void) | undefined;
  readonly onServerStateChange?: ((id: string, state: McpServerState) => void) | undefined;
}

type Listener = () => void;

/** Tells everybody who listens, in order and each time once; a listener that throws stops no other. */
export class ManagerListeners {
  events: ManagerEvents = {};
  readonly #failed: (id: string, error: unknown) => void;
  readonly #all = new Set<Listener>();
  readonly #byId = new Map<string, Set<Listener>>();
  readonly #states = new Map<string, McpServerState>();

  /** @param failed told what a listener threw */
  constructor(failed: (id: string, error: unknown) => void) {
    this.#failed = failed;
  }

  subscribe(listener: Listener): () => void {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  }

  subscribeTo(id: string, listener: Listener): () => void {
    const listeners = this.#byId.get(id) ?? new Set();
    this.#byId.set(id, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#byId.get(id) === listeners) this.#byId.delete(id);
    };
  }

  added(id: string, server: () => McpServer): void {
    this.changed(id);
    this.#guard(id, () => this.events.onServerAdded?.(id, server()));
  }

  removed(id: string): void {
    this.#states.delete(id);
    this.#guard(id, () => this.events.onServerRemoved?.(id));
  }

  /** @param state what it is in now, when that is to be told */
  changed(id: string, state?: McpServerState): void {
    for (const listener of [...(this.#byId.get(id) ?? []), ...this.#all]) this.#guard(id, listener);
    if (state === undefined || this.#states.get(id) === state) return;
    this.#states.set(id, state);
    this.#guard(id, () => this.events.onServerStateChange?.(id, state));
  }

  #guard(id: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#failed(id, error);
    }
  }
}
