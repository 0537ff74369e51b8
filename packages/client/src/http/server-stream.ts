import { SdkHttpError } from '../errors.ts';
import { toLocalError } from '../local-error.ts';
import { exchange, mediaType } from './channel.ts';
import type { HttpChannel } from './channel.ts';
import { ExchangeScope } from '@portico/rpc';
import { followLater } from './follow-later.ts';
import type { Reconnection } from './reconnection.ts';

/** Answers to the request for a stream that mean "there is none", by word or by custom. */
const NO_STREAM: ReadonlySet<number> = new Set([400, 404, 405, 406]);

/** How long a stream that was given up is left alone, milliseconds. */
const REST_MS = 30_000;

/** Where a stream is taken up. */
export interface ResumePoint {
  readonly lastEventId: string;
  readonly onEventId?: ((id: string) => void) | undefined;
}

/** The legacy stream of messages that belong to no request; having none is no fault. */
export class ServerStream {
  readonly #channel: HttpChannel;
  readonly #reconnection: Reconnection;
  #open: ExchangeScope | undefined;
  /** When it was given up. */
  #lostMs: number | undefined;

  constructor(channel: HttpChannel, reconnection: Reconnection) {
    this.#channel = channel;
    this.#reconnection = reconnection;
  }

  /**
   * It was given up after too many tries, a while ago: an answer of the server shows that it may work again.
   * Without the while, a server that answers everything else would be asked for it at every answer.
   */
  get mayReturn(): boolean {
    return this.#lostMs !== undefined && this.#channel.clock.now() - this.#lostMs >= REST_MS;
  }

  /** Opens it in place of the one before. Settles when it is over; never rejects. */
  async open(resume?: ResumePoint): Promise<void> {
    this.close();
    const scope = new ExchangeScope();
    this.#open = scope;
    try {
      await this.#follow(scope, resume);
    } catch (error) {
      if (scope.aborted) return;
      this.#lostMs = this.#channel.clock.now();
      this.#channel.report(toLocalError(error));
    }
  }

  close(): void {
    this.#open?.abort();
    this.#open = undefined;
    this.#lostMs = undefined;
  }

  async #follow(scope: ExchangeScope, resume: ResumePoint | undefined): Promise<void> {
    const channel = this.#channel;
    const base = { resumable: true, reconnection: this.#reconnection, scope };
    if (resume !== undefined) return followLater(channel, { ...base, ...resume });
    const { url } = channel;
    const headers = channel.baseHeaders();
    headers['accept'] = 'text/event-stream';
    const first = await exchange(channel, { url, method: 'GET', headers, scope });
    const { status, statusText } = first;
    if (status === 200 && mediaType(first) === 'text/event-stream') {
      return followLater(channel, { ...base, first });
    }
    first.discard();
    if ((status >= 200 && status < 300) || NO_STREAM.has(status)) return;
    throw new SdkHttpError('CLIENT_HTTP_FAILED_TO_OPEN_STREAM', { status, statusText });
  }
}
