import type { Client, IncomingNotification } from '@portico/client';
import type { ClientCapabilities } from '@portico/spec';
import type { ConnectionEvent } from './model.ts';
import { sameValue } from './same-value.ts';
import type { LinkEvents, ServerLink } from './server-link.ts';

/** What a kept link needs of its connection. None of it may throw, but for `create`. */
interface KeptLinkPort {
  create(events: LinkEvents): ServerLink;
  /** What is offered to the server from the next opening on. */
  offered(): ClientCapabilities | undefined;
  dispatch(event: ConnectionEvent): void;
  /** Notices may have been missed. */
  troubled(generation: number): void;
  reported(error: Error): void;
  notified(notification: IncomingNotification): void;
}

/**
 * The link that the openings of one connection have in common, so that whoever holds its client goes on
 * with it. It is made anew when somebody ends the connection or says that it is another one.
 */
export class KeptLink {
  readonly #port: KeptLinkPort;
  #link: ServerLink | undefined;
  #offered: ClientCapabilities | undefined;
  /** The opening whose events the link's are now. */
  #served: number | undefined;

  constructor(port: KeptLinkPort) {
    this.#port = port;
  }

  get client(): Client | undefined {
    return this.#link?.client;
  }

  /** The link for an opening. What is offered is fixed for the life of a client. */
  take(): ServerLink {
    const offered = this.#port.offered();
    if (!sameValue(offered, this.#offered)) this.forget();
    this.#offered = offered;
    return (this.#link ??= this.#port.create(this.#events()));
  }

  /** From now on what happens to the link happens to this opening. */
  serve(generation: number): void {
    this.#served = generation;
  }

  /** What happens to the link is nobody's business until it serves again. */
  rest(): void {
    this.#served = undefined;
  }

  /** The next opening gets another link. */
  forget(): void {
    this.#link = undefined;
  }

  #events(): LinkEvents {
    const port = this.#port;
    const during = (run: (generation: number) => void): void => {
      if (this.#served !== undefined) run(this.#served);
    };
    return {
      listChanged: (list) =>
        during((generation) => port.dispatch({ type: 'list_changed', generation, list })),
      sessionRenewed: () => during((generation) => port.dispatch({ type: 'session_renewed', generation })),
      troubled: (failure) =>
        during((generation) => {
          port.dispatch({ type: 'troubled', generation, failure });
          port.troubled(generation);
        }),
      closed: (failure) => during((generation) => port.dispatch({ type: 'lost', generation, failure })),
      reported: (error) => port.reported(error),
      notified: (notification) => port.notified(notification),
    };
  }
}
