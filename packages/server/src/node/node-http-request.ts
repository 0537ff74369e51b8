import type { AuthInfo } from '@portico/oauth/resource';
import type { HttpRequest } from '@portico/server';
import {
  type NodeIncomingMessageLike,
  type NodeServerResponseLike,
  headerOf,
  readBodyText,
} from './node-message.ts';
import { webRequestOf } from './to-web-request.ts';

/** A Node request as the protocol needs it, without web objects unless a handler asks for one. */
export class NodeHttpRequest implements HttpRequest {
  readonly method: string;
  readonly parsedBody: unknown;
  readonly authInfo: AuthInfo | undefined;
  /** Set once the whole answer is written: a response that closes then is no disconnect. */
  answered = false;
  readonly #request: NodeIncomingMessageLike;
  readonly #response: NodeServerResponseLike;
  readonly #maxBodyBytes: number | undefined;
  #web: Request | undefined;

  constructor(
    request: NodeIncomingMessageLike,
    response: NodeServerResponseLike,
    options: { readonly parsedBody: unknown; readonly maxBodyBytes: number | undefined },
  ) {
    this.#request = request;
    this.#response = response;
    this.#maxBodyBytes = options.maxBodyBytes;
    this.method = request.method ?? 'GET';
    this.parsedBody = options.parsedBody;
    this.authInfo = request.auth;
  }

  get web(): Request {
    this.#web ??= webRequestOf(this.#request);
    return this.#web;
  }

  header(name: string): string | undefined {
    return headerOf(this.#request, name);
  }

  text(maxBytes: number): Promise<string> {
    return readBodyText(this.#request, Math.min(maxBytes, this.#maxBodyBytes ?? maxBytes));
  }

  onDisconnect(listener: () => void): void {
    if (this.#response.destroyed === true) {
      listener();
      return;
    }
    this.#response.on('close', () => {
      if (!this.answered) listener();
    });
  }
}
