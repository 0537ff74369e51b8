import type { McpSubscription } from '@portico/client';
import { ConnectionsError } from '../errors.ts';
import type { StandingPort } from './standing-port.ts';

interface OpenStream {
  readonly subscription: McpSubscription;
  readonly honoured: ReadonlySet<string>;
}

/** Modern servers tell of resources on a stream that names them: another set of them is another stream. */
export class ResourceStream {
  readonly #port: StandingPort;
  readonly #wanted: () => readonly string[];
  #stream: OpenStream | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  /** Streams that broke, or could not be opened, in a row. */
  #failures = 0;

  /** @param wanted what is watched now */
  constructor(port: StandingPort, wanted: () => readonly string[]) {
    this.#port = port;
    this.#wanted = wanted;
  }

  /**
   * Watches one more. What comes together shares a stream.
   *
   * @throws ConnectionsError `not_supported` when the server does not watch it
   * @throws what the client throws
   */
  async add(uri: string): Promise<void> {
    await this.#renew();
    if (this.#stream?.honoured.has(uri) === true) return;
    throw new ConnectionsError('not_supported', { id: this.#port.id });
  }

  /** What is watched has become less. */
  remove(): void {
    if (this.#port.client() === undefined) return;
    this.#renew().catch((error: unknown) => this.#port.report(error));
  }

  /** Begins on a connection that knows of nothing. */
  again(): void {
    this.#stream = undefined;
    this.#failures = 0;
    this.#reopen();
  }

  /** At most one stream is being opened, and at most one waits for it. */
  #renew(): Promise<void> {
    const begin = (): Promise<void> => {
      this.#next = undefined;
      this.#running = this.#open();
      return this.#running;
    };
    this.#next ??= this.#running.then(begin, begin);
    return this.#next;
  }

  async #open(): Promise<void> {
    const uris = this.#wanted();
    const before = this.#stream;
    this.#stream = uris.length === 0 ? undefined : await this.#listen(uris);
    await before?.subscription.close();
  }

  async #listen(uris: readonly string[]): Promise<OpenStream> {
    const port = this.#port;
    const giveBack = await port.hold();
    const client = port.client();
    if (giveBack === undefined || client === undefined) {
      giveBack?.();
      throw new ConnectionsError('not_ready', { id: port.id, status: 'no room for a stream' });
    }
    try {
      const startedMs = port.now();
      const subscription = await client.listen({ resourceSubscriptions: [...uris] });
      const honoured = new Set(subscription.honoredFilter.resourceSubscriptions ?? []);
      const stream = { subscription, honoured };
      void subscription.closed.then((end) => {
        giveBack();
        if (end !== 'local' && this.#stream === stream) this.#broke(startedMs);
      });
      return stream;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  #broke(startedMs: number): void {
    this.#stream = undefined;
    if (this.#port.now() - startedMs >= this.#port.steadyMs()) this.#failures = 0;
    this.#wait();
  }

  /** A connection that is closed begins again when it is opened. */
  #wait(): void {
    if (this.#port.client() === undefined) return;
    this.#failures += 1;
    this.#port.later(this.#failures, () => this.#reopen());
  }

  #reopen(): void {
    const uris = this.#wanted();
    if (this.#port.client() === undefined || uris.length === 0 || this.#stream !== undefined) return;
    this.#renew().then(
      () => uris.forEach((uri) => this.#port.missed(uri)),
      (error: unknown) => {
        this.#port.report(error);
        this.#wait();
      },
    );
  }
}
