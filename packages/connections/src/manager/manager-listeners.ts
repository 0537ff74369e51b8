import type { CreateMessageResult, ElicitResult } from '@portico/spec';
import type {
  McpServer,
  McpServerState,
  PendingElicitationRequest,
  PendingSamplingRequest,
  ServerCore,
} from './server-parts.ts';

/** Who is told of the life of servers. */
export interface ManagerEvents {
  readonly onServerAdded?: ((id: string, server: McpServer) => void) | undefined;
  /** After its connection was closed. */
  readonly onServerRemoved?: ((id: string) => void) | undefined;
  readonly onServerStateChange?: ((id: string, state: McpServerState) => void) | undefined;
  /** A question to the model waits; `approve` and `reject` take its id. */
  readonly onSamplingRequest?: AskedListener<PendingSamplingRequest, CreateMessageResult> | undefined;
  /** A question to the person waits; `approve` and `reject` take its id. */
  readonly onElicitationRequest?: AskedListener<PendingElicitationRequest, ElicitResult> | undefined;
}

// oxlint-disable-next-line max-params -- the contract gives these five
type AskedListener<Request, Result> = (
  request: Request,
  serverId: string,
  serverName: string,
  approve: (requestId: string, result: Result) => void,
  reject: (requestId: string, error?: string) => void,
) => void;

type Listener = () => void;

/** Tells everybody who listens, in order and each time once; a listener that throws stops no other. */
export class ManagerListeners {
  readonly #failed: (id: string, error: unknown) => void;
  readonly #all = new Set<Listener>();
  readonly #byId = new Map<string, Set<Listener>>();
  readonly #events = new Set<ManagerEvents>();
  /** What was told last of each server. */
  readonly #told = new Map<string, ServerCore>();
  readonly #queue: (() => void)[] = [];

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

  /** The members are asked for at each event. */
  observe(events: ManagerEvents): () => void {
    this.#events.add(events);
    return () => void this.#events.delete(events);
  }

  /** Somebody reads something else now. */
  changed(id: string): void {
    for (const listener of [...(this.#byId.get(id) ?? []), ...this.#all]) this.#guard(id, listener);
  }

  /** What was stored is there. */
  loaded(): void {
    for (const listener of Array.from(this.#all)) this.#guard('', listener);
  }

  /** Events of a server that were not told yet; the first time, that it is there. */
  tell(core: ServerCore, read: () => McpServer): void {
    const { id, state, pendingSamplingRequests, pendingElicitationRequests } = core;
    const before = this.#told.get(id);
    this.#told.set(id, core);
    if (before === undefined) this.#emit(id, ({ onServerAdded }) => onServerAdded?.(id, read()));
    if (state !== before?.state) {
      this.#emit(id, ({ onServerStateChange }) => onServerStateChange?.(id, state));
    }
    for (const asked of newOnes(pendingSamplingRequests, before?.pendingSamplingRequests)) {
      this.#emit(id, ({ onSamplingRequest }) => {
        const server = read();
        onSamplingRequest?.(
          asked,
          id,
          server.name,
          (requestId, result) => server.approveSampling(requestId, result),
          (requestId, error) => server.rejectSampling(requestId, error),
        );
      });
    }
    for (const asked of newOnes(pendingElicitationRequests, before?.pendingElicitationRequests)) {
      this.#emit(id, ({ onElicitationRequest }) => {
        const server = read();
        onElicitationRequest?.(
          asked,
          id,
          server.name,
          (requestId, result) => server.approveElicitation(requestId, result),
          (requestId, error) => server.rejectElicitation(requestId, error),
        );
      });
    }
  }

  /** A server goes; @returns what to do when its connection is closed */
  leaves(id: string): () => void {
    if (!this.#told.delete(id)) return () => undefined;
    return () => this.#emit(id, (events) => events.onServerRemoved?.(id));
  }

  /** Events that listeners cause in turn come after those that are being told. */
  #emit(id: string, run: (events: ManagerEvents) => void): void {
    this.#queue.push(() => {
      for (const events of Array.from(this.#events)) this.#guard(id, () => run(events));
    });
    if (this.#queue.length > 1) return;
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      next();
      this.#queue.shift();
    }
  }

  #guard(id: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#failed(id, error);
    }
  }
}

function newOnes<Request extends { readonly id: string }>(
  now: readonly Request[],
  before: readonly Request[] = [],
): readonly Request[] {
  if (now === before) return [];
  const known = new Set(before.map(({ id }) => id));
  return now.filter(({ id }) => !known.has(id));
}
