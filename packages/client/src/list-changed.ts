import type { Clock, Timer } from '@portico/rpc';
import { hasCapability } from '@portico/spec';
import type { Prompt, Resource, ServerCapabilities, SubscriptionFilter, Tool } from '@portico/spec';

/** Gets the list as it is now, or why it could not be read, or neither when it is not to be read. */
export type ListChangedCallback<T> = (error: Error | null, items: T[] | null) => void;

/** How changes of one list are followed. */
export interface ListChangedOptions<T> {
  /** Whether the list is read by itself; true by default. */
  readonly autoRefresh?: boolean;
  /** Milliseconds without a further change that are waited for; 300 by default. */
  readonly debounceMs?: number;
  readonly onChanged: ListChangedCallback<T>;
}

/** Which lists are followed. */
export interface ListChangedHandlers {
  readonly tools?: ListChangedOptions<Tool>;
  readonly prompts?: ListChangedOptions<Prompt>;
  readonly resources?: ListChangedOptions<Resource>;
}

type Kind = keyof ListChangedHandlers;

const KINDS: readonly Kind[] = ['tools', 'prompts', 'resources'];
const DEBOUNCE_MS = 300;

const NOTICES: ReadonlyMap<string, Kind> = new Map([
  ['notifications/tools/list_changed', 'tools'],
  ['notifications/prompts/list_changed', 'prompts'],
  ['notifications/resources/list_changed', 'resources'],
]);

const FILTERS = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const satisfies Record<Kind, keyof SubscriptionFilter>;

/** What following needs. */
export interface FollowingPort {
  readonly clock: Clock;
  /** Reads a list anew. */
  read(kind: Kind): Promise<unknown[]>;
  readonly report: (error: Error) => void;
}

/** @throws TypeError, RangeError when the options cannot be worked with */
function requireUsable(handlers: ListChangedHandlers): void {
  for (const kind of KINDS) {
    const options = handlers[kind];
    if (options === undefined) continue;
    if (typeof options.onChanged !== 'function') throw new TypeError(`listChanged.${kind} has no onChanged`);
    const { debounceMs = 0 } = options;
    if (!(debounceMs >= 0 && Number.isFinite(debounceMs))) {
      throw new RangeError(`listChanged.${kind}.debounceMs is no time`);
    }
  }
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

  constructor(options: ListChangedOptions<unknown>, port: FollowingPort, kind: Kind) {
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
    try {
      this.#options.onChanged(error, items);
    } catch (thrown) {
      this.#port.report(thrown instanceof Error ? thrown : new TypeError('onChanged threw'));
    }
  }
}

/** Follows the changes of lists over one connection after another. */
export class ListFollowing {
  readonly #handlers: ListChangedHandlers;
  readonly #port: FollowingPort;
  #followers: ReadonlyMap<Kind, Follower> = new Map();

  /** @throws TypeError, RangeError when the options cannot be worked with */
  constructor(handlers: ListChangedHandlers, port: FollowingPort) {
    requireUsable(handlers);
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
    const followers = new Map<Kind, Follower>();
    const filter: SubscriptionFilter = {};
    for (const kind of KINDS) {
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
