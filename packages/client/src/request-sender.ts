import { DEFAULT_REQUEST_TIMEOUT_MSEC } from '@portico/rpc';
import type { Clock, RequestId } from '@portico/rpc';
import type { DecodedResult } from '@portico/spec';
import { requireMethod, requireOffered } from './capability-check.ts';
import type { SpokenVersions } from './codecs.ts';
import { isCallersBusiness } from './final-result.ts';
import type { InputPort, InputRequiredOptions } from './input-required.ts';
import type { OpenedConnection } from './opening.ts';
import { maySendAgain } from './recovery.ts';
import type { WireRequestOptions } from './request-options.ts';
import type { SessionRenewal } from './session-renewal.ts';

/** How many times its limit a request may last when progress extends it and nothing else is said. */
const TOTAL_FACTOR = 10;

/** What sending needs of its connection. */
export interface SenderPort {
  readonly clock: Clock;
  readonly versions: SpokenVersions;
  readonly input: InputRequiredOptions;
  /** @throws SdkError `NOT_CONNECTED` */
  opened(): OpenedConnection;
  renewal(): SessionRenewal | undefined;
  readonly ask: InputPort['ask'];
  /** Told how each exchange ended. */
  settled(failure: { readonly error: unknown } | undefined): void;
}

/** Sends requests: checks them first, gets the input they ask for, and mends what can be mended. */
export class RequestSender {
  readonly #port: SenderPort;
  readonly #inputPort: InputPort;

  constructor(port: SenderPort) {
    this.#port = port;
    this.#inputPort = {
      clock: port.clock,
      ask: port.ask,
      send: (method, params, options) => this.exchange(method, params, options),
    };
  }

  /** One request and its answer. */
  exchange(
    method: string,
    params: object | undefined,
    options: WireRequestOptions | undefined,
  ): Promise<DecodedResult> {
    return this.send(method, params, options, undefined);
  }

  /**
   * Sends a request and drives its rounds. It does all by itself, since each function that waits for another
   * costs a call as much as a check does.
   *
   * @param checked also looks at what the server declared; undefined looks at nothing and drives no rounds
   */
  // oxlint-disable-next-line max-params -- an options object would be made anew for every call
  async send(
    method: string,
    params: object | undefined,
    given: WireRequestOptions | undefined,
    checked: boolean | undefined,
  ): Promise<DecodedResult> {
    const { wire, description } = this.#port.opened();
    const { codec } = wire;
    const isBare = checked === undefined;
    if (!isBare) requireMethod(method, codec);
    if (checked === true) requireOffered(method, codec, description.capabilities);
    const options = isBare ? given : boundTotal(given);
    const startedMs = options?.maxTotalTimeout === undefined ? 0 : this.#port.clock.now();
    let answer: DecodedResult;
    try {
      answer =
        wire.transport.sessionId === undefined
          ? codec.decodeResult(method, await wire.send(method, params, options))
          : await this.#inSession(method, params, options);
      this.#port.settled(undefined);
    } catch (thrown) {
      const error = wire.localError(thrown);
      this.#port.settled({ error });
      if (!maySendAgain(error, wire, { method, versions: this.#port.versions })) throw error;
      answer = await this.#port.opened().wire.request(method, params, options);
    }
    const { input } = this.#port;
    if (answer.kind !== 'input_required' || isBare || isCallersBusiness(options, input)) return answer;
    options?.oninput?.();
    const flow = { method, params, options: options ?? {}, input, startedMs, ended: wire.ended };
    const { fulfilInput } = await import('./input-required.ts');
    return fulfilInput(this.#inputPort, answer.result, flow);
  }

  #inSession(
    method: string,
    params: object | undefined,
    options: WireRequestOptions | undefined,
  ): Promise<DecodedResult> {
    const send = (): Promise<DecodedResult> => this.#port.opened().wire.request(method, params, options);
    return this.#port.renewal()?.run(send) ?? send();
  }
}

/** Notifications may belong to an incoming request. */
export interface NotificationOptions {
  readonly relatedRequestId?: RequestId | undefined;
}

/** The total that no progress extends is one for all rounds of a request. */
function boundTotal(options: WireRequestOptions | undefined): WireRequestOptions | undefined {
  if (options?.resetTimeoutOnProgress !== true || options.maxTotalTimeout !== undefined) return options;
  const limitMs = options.timeout ?? DEFAULT_REQUEST_TIMEOUT_MSEC;
  return { ...options, maxTotalTimeout: limitMs * TOTAL_FACTOR };
}
