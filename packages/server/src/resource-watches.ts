/**
 * Begins to watch a resource for one client; answers how that ends. Where it throws, the resource is not
 * watched: a legacy client is answered the error, a modern one is told what is watched in its place.
 */
export type WatchResource = (uri: string) => (() => void) | Promise<() => void>;

/** The resources that one client, or one of its streams, watches. */
export class ResourceWatches {
  readonly #watch: WatchResource;
  readonly #begun = new Map<string, Promise<() => void>>();
  #over = false;

  constructor(watch: WatchResource) {
    this.#watch = watch;
  }

  /** Settles when the resource is watched; once is enough. @throws what the watching throws */
  async begin(uri: string): Promise<void> {
    let begun = this.#begun.get(uri);
    if (begun === undefined) {
      begun = (async () => this.#watch(uri))();
      this.#begun.set(uri, begun);
      // Whoever asked has gone in the meantime.
      if (this.#over) this.end(uri);
    }
    try {
      await begun;
    } catch (error) {
      if (this.#begun.get(uri) === begun) this.#begun.delete(uri);
      throw error;
    }
  }

  end(uri: string): void {
    const begun = this.#begun.get(uri);
    this.#begun.delete(uri);
    begun?.then(
      (stop) => stop(),
      () => undefined,
    );
  }

  /** Ends all; what is begun later ends at once. */
  endAll(): void {
    this.#over = true;
    for (const uri of this.#begun.keys()) this.end(uri);
  }
}
