import { runGuarded } from '@portico/rpc';
import type { Clock, Timer } from '@portico/rpc';
import { hasCapability } from '@portico/spec';
import type {
  ListChangedHandlers,
  ListChangedOptions,
  ServerCapabilities,
  SubscriptionFilter,
} from '@portico/spec';
import { LIST_KINDS } from './list-changed-options.ts';
import type { ListKind } from './list-changed-options.ts';

const DEBOUNCE_MS = 300;

const NOTICES: ReadonlyMap<string, ListKind> = new Map([
  ['notifications/tools/list_changed', 'tools'],
  ['notifications/prompts/list_changed', 'prompts'],
  ['notifications/resources/list_changed', 'resources'],
]);

const FILTERS = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const satisfies Record<ListKind, keyof SubscriptionFilter>;

/** What following needs. */
export interface FollowingPort {
  readonly clock: Clock;
  /** Reads a list anew. */
  read(kind: ListKind): Promise<unknown[]>;
  readonly report: (error: Error) => void;
}

/** Follows the changes of one list: bursts count as one, and at most one reading waits for another. */
class Follower {
  readonly #options: ListChangedOptions<unknown>;
  readonly #port: { readonly clock: Clock; readonly report: FollowingPort['report'] };
  readonly #read: () => Promise<unknown[]>;
  #timer: Timer | undefined;
  #reading = false;
  #again = false;
  #over = false;

  constructor(options: ListChangedOptions<unknown>, port: FollowingPort, kind: ListKind) {
    this.#options = options;
    this.#port = port;
    this.#read = () => port.read(kind);
  }

  changed(): void {
    const { debounceMs = DEBOUNCE_MS } = this.#options;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (debounceMs === 0) this.#settled();
    else this.#timer = this.#port.clock.setTimer(debounceMs, () => this.#settled());
  }

  end(): void {
    this.#over = true;
    this.#timer?.cancel();
  }

  #settled(): void {
    if (this.#options.autoRefresh === false) this.#tell(null, null);
    else if (this.#reading) this.#again = true;
    else void this.#refresh();
  }

  async #refresh(): Promise<void> {
    this.#reading = true;
    do {
      this.#again = false;
      let items: unknown[] | null = null;
      let failure: Error | null = null;
      try {
        items = await this.#read();
      } catch (error) {
        failure = error instanceof Error ? error : new TypeError('the list could not be read');
      }
      if (this.#over) return;
      this.#tell(failure, items);
    } while (this.#again);
    this.#reading = false;
  }

  #tell(error: Error | null, items: unknown[] | null): void {
    runGuarded('onChanged', () => this.#options.onChanged(error, items), this.#port.report);
  }
}

/** Follows the changes of lists over one connection after another. */
export class ListFollowing {
  readonly #handlers: ListChangedHandlers;
  readonly #port: FollowingPort;
  #followers: ReadonlyMap<ListKind, Follower> = new Map();

  constructor(handlers: ListChangedHandlers, port: FollowingPort) {
    this.#handlers = handlers;
    this.#port = port;
  }

  /**
   * Begins with what the server announces.
   *
   * @returns what a modern server has to be asked to announce; undefined when it is nothing
   */
  begin(capabilities: ServerCapabilities | undefined): SubscriptionFilter | undefined {
    this.end();
    const followers = new Map<ListKind, Follower>();
    const filter: SubscriptionFilter = {};
    for (const kind of LIST_KINDS) {
      const options = this.#handlers[kind];
      if (options === undefined || !hasCapability(capabilities, `${kind}.listChanged`)) continue;
      // The list that is read is that of the kind the options are for.
      followers.set(kind, new Follower(options as ListChangedOptions<unknown>, this.#port, kind));
      filter[FILTERS[kind]] = true;
    }
    this.#followers = followers;
    return followers.size === 0 ? undefined : filter;
  }

  /** Takes note of a notification. */
  notice(method: string): void {
    const kind = NOTICES.get(method);
    if (kind !== undefined) this.#followers.get(kind)?.changed();
  }

  end(): void {
    for (const follower of this.#followers.values()) follower.end();
    this.#followers = new Map();
  }
}
