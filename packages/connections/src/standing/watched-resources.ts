import { LegacySubscriptions } from './legacy-subscriptions.ts';
import { ResourceStream } from './resource-stream.ts';
import type { StandingPort } from './standing-port.ts';

interface Watch {
  count: number;
  readonly begun: Promise<void>;
}

/** Resources that a server is to tell of, however often it is connected anew, for as long as somebody wants it. */
export class WatchedResources {
  readonly #port: StandingPort;
  readonly #watches = new Map<string, Watch>();
  readonly #subscriptions: LegacySubscriptions;
  readonly #stream: ResourceStream;

  constructor(port: StandingPort) {
    this.#port = port;
    this.#subscriptions = new LegacySubscriptions(port);
    this.#stream = new ResourceStream(port, () => [...this.#watches.keys()]);
  }

  /**
   * Settles when the server watches it; the answer ends it.
   *
   * @throws ConnectionsError `not_supported`, and what the client throws
   */
  async watch(uri: string): Promise<() => void> {
    const watch = this.#watches.get(uri) ?? this.#begin(uri);
    watch.count += 1;
    let over = false;
    const release = (): void => {
      if (over) return;
      over = true;
      watch.count -= 1;
      if (watch.count === 0) this.#end(uri, watch);
    };
    try {
      await watch.begun;
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** The server knows of nothing: it was connected anew, or may have forgotten the session. */
  again(because: 'opened' | 'session_renewed'): void {
    if (this.#watches.size === 0) return;
    if (!this.#isModern) this.#subscriptions.again([...this.#watches.keys()]);
    // Where there are no sessions a stream that broke says so itself.
    else if (because === 'opened') this.#stream.again();
  }

  get #isModern(): boolean {
    return this.#port.client()?.getProtocolEra() === 'modern';
  }

  #begin(uri: string): Watch {
    // Known before it is asked for: a stream names all that is watched.
    const watch: Watch = { count: 0, begun: Promise.resolve().then(() => this.#ask(uri)) };
    this.#watches.set(uri, watch);
    return watch;
  }

  #ask(uri: string): Promise<void> {
    return this.#isModern ? this.#stream.add(uri) : this.#subscriptions.add(uri);
  }

  #end(uri: string, watch: Watch): void {
    if (this.#watches.get(uri) === watch) this.#watches.delete(uri);
    if (this.#isModern) this.#stream.remove();
    else this.#subscriptions.remove(uri);
  }
}
