import type { ServerEntry } from './server-entry.ts';
import type { McpServer, ServerSide } from './server-parts.ts';

/** What lies at the side of a server and is looked at by few. */
export type SidePart = 'log' | 'notifications';

/**
 * One server as one reader holds it. A new object comes only when something differs that this reader has
 * looked at: the log and the notifications change far more often than anybody reads them.
 */
export class ServerReader {
  readonly #entry: ServerEntry;
  readonly #looked = new Set<SidePart>();
  #shown: { readonly server: McpServer; readonly core: unknown; readonly config: unknown } | undefined;
  #side: ServerSide | undefined;

  constructor(entry: ServerEntry) {
    this.#entry = entry;
  }

  /** The server as it is now, as far as this reader looks. */
  read(): McpServer {
    const { core, shownConfig: config, parts } = this.#entry;
    const shown = this.#shown;
    if (shown?.core === core && shown.config === config && !this.#sideDiffers()) return shown.server;
    this.#side = parts.side();
    const server = createFacade(this.#entry, (part) => this.#look(part));
    this.#shown = { server, core, config };
    return server;
  }

  #sideDiffers(): boolean {
    const now = this.#entry.parts.side();
    return [...this.#looked].some((part) => now[part] !== this.#side?.[part]);
  }

  /** The first look sees what is there now; from then on a change brings another object. */
  #look(part: SidePart): ServerSide {
    const side = this.#side;
    if (side !== undefined && this.#looked.has(part)) return side;
    this.#looked.add(part);
    const now = this.#entry.parts.side();
    this.#side = side === undefined ? now : { ...side, ...pick(now, part) };
    return this.#side;
  }
}

function pick(side: ServerSide, part: SidePart): Partial<ServerSide> {
  const { log, notifications, unreadNotificationCount } = side;
  return part === 'log' ? { log } : { notifications, unreadNotificationCount };
}

/** A server as everybody else holds it: what lies at the side is always what it is now. */
export function createLiveFacade(entry: ServerEntry): McpServer {
  return createFacade(entry, () => entry.parts.side());
}

function createFacade(entry: ServerEntry, side: (part: SidePart) => ServerSide): McpServer {
  const plain = { ...entry.shownConfig, ...entry.core, ...entry.actions };
  const getter = (get: () => unknown): PropertyDescriptor => ({ enumerable: true, get });
  return Object.freeze(
    Object.defineProperties(plain, {
      log: getter(() => side('log').log),
      notifications: getter(() => side('notifications').notifications),
      unreadNotificationCount: getter(() => side('notifications').unreadNotificationCount),
    }),
  ) as McpServer;
}
