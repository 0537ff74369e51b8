import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
  type TransportSendOptions,
  WrappedTransport,
} from '@portico/rpc';
import { toLocalError } from '../local-error.ts';
import { SdkError } from '../sdk-errors.ts';
import {
  type EndObservation,
  type ObserverPort,
  type RequestObservation,
  type RequestOutcome,
  beginObservation,
  bytesOf,
  outcomeOf,
} from './request-observer.ts';

/** Notifications that give a request up. */
const CANCELLED = 'notifications/cancelled';

type Open = Map<RequestId, EndObservation>;

/** A transport whose requests are observed, in both directions. Messages pass untouched. */
export class ObservedTransport extends WrappedTransport {
  readonly #port: ObserverPort;
  readonly #measured: boolean;
  readonly #outgoing: Open = new Map();
  readonly #incoming: Open = new Map();

  /**
   * @param inner what carries the messages
   * @param measured whether messages have a size there
   */
  constructor(inner: Transport, port: ObserverPort, measured: boolean) {
    super(inner, {
      accepts: (message) => {
        this.#pass('incoming', message);
        return true;
      },
      ended: () => this.#endAll(),
    });
    this.#port = port;
    this.#measured = measured;
  }

  override send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#pass('outgoing', message);
    return super.send(message, options);
  }

  /** Sees how an own request ends that gets no answer. */
  follow(id: RequestId, answer: Promise<unknown>): void {
    answer.then(undefined, (thrown: unknown) => {
      const error = toLocalError(thrown);
      this.#end(this.#outgoing, id, error instanceof SdkError ? error.code : 'SEND_FAILED');
    });
  }

  #pass(direction: RequestObservation['direction'], message: JSONRPCMessage): void {
    const asked = direction === 'outgoing' ? this.#outgoing : this.#incoming;
    const answered = direction === 'outgoing' ? this.#incoming : this.#outgoing;
    if (isJSONRPCRequest(message)) {
      const { id, method, params } = message;
      // A second use of an open id is not served.
      if (asked.has(id)) return;
      asked.set(id, beginObservation(this.#port, { direction, method, params, bytes: this.#bytes(message) }));
    } else if (isJSONRPCResponse(message)) {
      const outcome = 'error' in message ? message.error.code : outcomeOf(message.result);
      if (message.id !== undefined && message.id !== null) {
        this.#end(answered, message.id, outcome, this.#bytes(message));
      }
    } else if (isJSONRPCNotification(message) && message.method === CANCELLED && direction === 'incoming') {
      this.#end(asked, message.params?.['requestId'], 'REQUEST_ABORTED');
    }
  }

  #bytes(message: JSONRPCMessage): number | undefined {
    return this.#measured ? bytesOf(message) : undefined;
  }

  // oxlint-disable-next-line max-params -- two of them say which request it is
  #end(open: Open, id: unknown, outcome: RequestOutcome, bytes?: number): void {
    const end = open.get(id as RequestId);
    open.delete(id as RequestId);
    end?.(outcome, bytes);
  }

  #endAll(): void {
    for (const open of [this.#outgoing, this.#incoming]) {
      for (const id of open.keys()) this.#end(open, id, 'CONNECTION_CLOSED');
    }
  }
}
