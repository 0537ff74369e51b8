import type { McpServer } from '../../mcp/mcp-server.ts';

/** How many servers are remembered before those that are gone are looked for. */
const FIRST_SWEEP = 64;

/**
 * The servers that an extension was attached to. They are not kept alive: where each request has a server
 * of its own, they are many and gone soon. Where there is no `WeakRef`, nobody is told anything.
 */
export class AttachedServers {
  readonly #known = new WeakSet<McpServer>();
  #alive: WeakRef<McpServer>[] = [];
  #sweepAt = FIRST_SWEEP;

  has(server: McpServer): boolean {
    return this.#known.has(server);
  }

  add(server: McpServer): void {
    this.#known.add(server);
    if (typeof WeakRef === 'undefined') return;
    this.#alive.push(new WeakRef(server));
    if (this.#alive.length < this.#sweepAt) return;
    this.#alive = this.#alive.filter((reference) => reference.deref() !== undefined);
    this.#sweepAt = Math.max(FIRST_SWEEP, 2 * this.#alive.length);
  }

  /** Tells the clients of all of them that the list of resources changed. */
  announce(): void {
    for (const reference of this.#alive) reference.deref()?.sendResourceListChanged();
  }
}
