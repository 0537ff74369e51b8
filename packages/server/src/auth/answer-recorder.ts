import type { PlainAnswer } from '@portico/oauth/resource';
import type { AuthorizationResponse } from './provider.ts';

/** Takes down what a provider answers; the first answer counts. */
export class AnswerRecorder implements AuthorizationResponse {
  #answer: PlainAnswer | undefined;
  #status = 200;
  readonly #headers: Record<string, string> = {};
  readonly #redirectUri: string;
  readonly #issuer: string | undefined;

  /** @param issuer is added to redirects to the client (RFC 9207); undefined adds none */
  constructor(redirectUri: string, issuer: string | undefined) {
    this.#redirectUri = redirectUri;
    this.#issuer = issuer;
  }

  get answer(): PlainAnswer | undefined {
    return this.#answer;
  }

  redirect(...[first, second]: [url: string] | [status: number, url: string]): void {
    const url = typeof first === 'number' ? String(second) : first;
    const status = typeof first === 'number' ? first : 302;
    this.#answer ??= { status, headers: { ...this.#headers, location: this.#withIssuer(url) } };
  }

  status(code: number): this {
    this.#status = code;
    return this;
  }

  set(name: string, value: string): this {
    this.#headers[name.toLowerCase()] = value;
    return this;
  }

  setHeader(name: string, value: string): this {
    return this.set(name, value);
  }

  send(body: string): this {
    const headers = { 'content-type': 'text/html; charset=utf-8', ...this.#headers };
    this.#answer ??= { status: this.#status, headers, body };
    return this;
  }

  json(body: unknown): this {
    return this.set('content-type', 'application/json').send(JSON.stringify(body));
  }

  /** Only the client's own address gets it: at any other it would say nothing. */
  #withIssuer(url: string): string {
    if (this.#issuer === undefined || !URL.canParse(url)) return url;
    const target = new URL(url);
    const client = new URL(this.#redirectUri);
    const isTheirs = target.origin === client.origin && target.pathname === client.pathname;
    if (!isTheirs || target.searchParams.has('iss')) return target.href;
    target.searchParams.set('iss', this.#issuer);
    return target.href;
  }
}
