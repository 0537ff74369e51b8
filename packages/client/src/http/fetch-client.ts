import type { SdkError } from '../errors.ts';
import { invalidText, tooLarge } from './body-faults.ts';
import type { HttpAnswer, HttpClient, HttpRequest, TakeChunk } from './http-client.ts';

/** The part of `fetch` that is used; any function of this shape can stand in for it. */
export type FetchLike = (url: URL, init: RequestInit) => Promise<Response>;

/**
 * Requests through `fetch`: the platform's, or one that the caller wraps around it. `init` goes with
 * every request, but for the headers, which the transport has merged already.
 */
export function createFetchClient(fetch: FetchLike, init: RequestInit): HttpClient {
  return {
    async send({ url, method, headers, body, scope }: HttpRequest): Promise<HttpAnswer> {
      const response = await fetch(url, {
        redirect: 'manual',
        ...init,
        method,
        headers: new Headers(headers),
        ...(body === undefined ? {} : { body }),
        signal: scope.signal,
      });
      return new FetchAnswer(response);
    },
    async close(): Promise<void> {
      // The platform keeps its own connections.
    },
  };
}

class FetchAnswer implements HttpAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly #response: Response;

  constructor(response: Response) {
    this.#response = response;
    this.status = response.status;
    this.statusText = response.statusText;
  }

  header(name: string): string | undefined {
    return this.#response.headers.get(name) ?? undefined;
  }

  async text(maxBytes: number): Promise<string> {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let text = '';
    let total = 0;
    let fault: SdkError | undefined;
    const decode = (chunk?: Uint8Array): void => {
      try {
        text += chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
      } catch (error) {
        fault = invalidText(error);
      }
    };
    await this.chunks((chunk) => {
      total += chunk.byteLength;
      if (total > maxBytes) fault = tooLarge(maxBytes);
      else decode(chunk);
      return fault !== undefined;
    });
    if (fault === undefined) decode();
    if (fault !== undefined) throw fault;
    return text;
  }

  async chunks(take: TakeChunk): Promise<void> {
    const reader = this.#response.body?.getReader();
    if (reader === undefined) return;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done || take(value)) return;
      }
    } finally {
      // Not awaited: a source that hangs while it is cancelled must not hold the caller up.
      void reader.cancel().catch(() => undefined);
    }
  }

  discard(): void {
    // A body that ended or broke by itself is gone either way.
    void this.#response.body?.cancel().catch(() => undefined);
  }
}
