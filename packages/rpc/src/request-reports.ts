import type { Report } from './callbacks.ts';
import type { Clock } from './clock.ts';
import { RpcError } from './errors.ts';
import { type JSONRPCParams, isRequestId } from './message.ts';
import type { Progress } from './peer.ts';
import { DEFAULT_MAX_REPORTS_PER_SECOND, ReportPacer } from './report-pacer.ts';

/** What {@link RequestReports} needs. */
export interface RequestReportsOptions {
  readonly clock: Clock;
  /** The token that the caller gave, unchanged; anything but an id means that it wants no progress. */
  readonly token: unknown;
  /** Messages in any second; of those beyond, the newest is sent. Default 100. */
  readonly maxPerSecond?: number | undefined;
  /** Method of the progress notification. */
  readonly progressMethod: string;
  /** Sends one notification; its failure is reported. */
  readonly send: (method: string, params: object | undefined) => Promise<void>;
  readonly report: Report;
}

/**
 * What one request tells its caller on the way: progress, and other messages that may be lost when a
 * handler sends more than the caller can use. Progress goes out only for the token that was given,
 * rises each time, and ends with the request; what breaks this is dropped and reported here.
 */
export class RequestReports {
  readonly #options: RequestReportsOptions;
  readonly #pacer: ReportPacer;
  #lastProgress = Number.NEGATIVE_INFINITY;
  #ended = false;

  constructor(options: RequestReportsOptions) {
    this.#options = options;
    this.#pacer = new ReportPacer(options.clock, options.maxPerSecond ?? DEFAULT_MAX_REPORTS_PER_SECOND);
  }

  /** Does nothing when the caller gave no token. */
  progress(progress: Progress): void {
    const { token } = this.#options;
    if (isRequestId(token)) this.#rise(progress.progress, { progressToken: token, ...progress });
  }

  /** A report in its wire form. Progress under another token than the caller's is refused. */
  notify(method: string, params: object | undefined): void {
    if (method !== this.#options.progressMethod) {
      this.#pass(method, params);
      return;
    }
    const { progressToken, progress } = (params ?? {}) as JSONRPCParams;
    if (isRequestId(progressToken) && progressToken === this.#options.token) this.#rise(progress, params);
    else this.#refuse(progress);
  }

  /** The answer is next: what was held back goes out before it, and no progress after it. */
  end(): void {
    this.#ended = true;
    this.#pacer.flush();
  }

  /** Nobody waits for the answer any more. */
  stop(): void {
    this.#ended = true;
    this.#pacer.stop();
  }

  #rise(progress: unknown, params: object | undefined): void {
    if (this.#ended || typeof progress !== 'number' || !(progress > this.#lastProgress)) {
      this.#refuse(progress);
      return;
    }
    this.#lastProgress = progress;
    this.#pass(this.#options.progressMethod, params);
  }

  #refuse(progress: unknown): void {
    this.#options.report(new RpcError('progress_refused', { progress }));
  }

  #pass(method: string, params: object | undefined): void {
    const { send, report } = this.#options;
    this.#pacer.pass(() => {
      send(method, params).catch((error: unknown) => {
        report(error instanceof Error ? error : new RpcError('send_failed', {}));
      });
    });
  }
}
