import type { ServerEntry } from './server-entry.ts';
import type { McpServer, ServerSide } from './server-parts.ts';

/** What lies at the side of a server and is looked at by few. */
type SidePart = 'log' | 'notifications';

const SIDE_PARTS: readonly SidePart[] = ['log', 'notifications'];

/** The side of one snapshot, as far as it was looked at. */
type SeenSide = { [Part in SidePart]?: ServerSide };

interface Shown {
  readonly server: McpServer;
  readonly core: unknown;
  readonly config: unknown;
  readonly side: SeenSide;
}

/**
 * One server as one reader holds it. A new object comes only when something differs that this reader has
 * looked at: the log and the notifications change far more often than anybody reads them. What was once
 * seen of a snapshot stays in it.
 */
export class ServerReader {
  readonly #entry: ServerEntry;
  readonly #looked: Set<SidePart>;
  #shown: Shown | undefined;

  /** @param wholly whether everything counts as looked at */
  constructor(entry: ServerEntry, wholly = false) {
    this.#entry = entry;
    this.#looked = new Set(wholly ? SIDE_PARTS : []);
  }

  /** The server as it is now, as far as this reader looks. */
  read(): McpServer {
    const { core, shownConfig: config, parts } = this.#entry;
    const shown = this.#shown;
    const now = parts.side();
    if (shown?.core === core && shown.config === config && !this.#sideDiffers(shown, now)) {
      return shown.server;
    }
    const side: SeenSide = {};
    for (const part of this.#looked) side[part] = now;
    const server = createFacade(this.#entry, (part) => this.#look(side, part));
    this.#shown = { server, core, config, side };
    return server;
  }

  #sideDiffers({ side }: Shown, now: ServerSide): boolean {
    return [...this.#looked].some((part) => side[part]?.[part] !== now[part]);
  }

  /** The first look sees what is there by then; from then on a change brings another object. */
  #look(side: SeenSide, part: SidePart): ServerSide {
    this.#looked.add(part);
    return (side[part] ??= this.#entry.parts.side());
  }
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
