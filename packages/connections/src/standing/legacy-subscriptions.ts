import type { Client } from '@portico/client';
import { ConnectionsError } from '../errors.ts';
import type { StandingPort } from './standing-port.ts';

/** Legacy servers are asked for each resource by itself, in the order in which it was wished for. */
export class LegacySubscriptions {
  readonly #port: StandingPort;
  readonly #held = new Set<string>();
  /** The end of what was asked last of each resource; never rejects. */
  readonly #last = new Map<string, Promise<void>>();

  constructor(port: StandingPort) {
    this.#port = port;
  }

  /** @throws what the client throws */
  async add(uri: string): Promise<void> {
    await this.#inTurn(uri, (client) => client.subscribeResource({ uri }));
    this.#held.add(uri);
  }

  remove(uri: string): void {
    if (!this.#held.delete(uri) || this.#port.client() === undefined) return;
    const unsubscribed = this.#inTurn(uri, (client) => client.unsubscribeResource({ uri }));
    unsubscribed.catch((error: unknown) => this.#port.report(error));
  }

  /** Asks a server that knows of nothing. */
  again(uris: readonly string[]): void {
    this.#held.clear();
    for (const uri of uris) {
      this.add(uri).then(
        () => this.#port.missed(uri),
        (error: unknown) => this.#port.report(error),
      );
    }
  }

  #inTurn(uri: string, ask: (client: Client) => Promise<unknown>): Promise<unknown> {
    const before = this.#last.get(uri) ?? Promise.resolve();
    const asked = before.then(() => ask(this.#client()));
    const last = asked.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(uri, last);
    void last.then(() => {
      if (this.#last.get(uri) === last) this.#last.delete(uri);
    });
    return asked;
  }

  #client(): Client {
    const client = this.#port.client();
    if (client !== undefined) return client;
    throw new ConnectionsError('connection_lost', { id: this.#port.id });
  }
}
