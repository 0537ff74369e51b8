import { createHash, randomBytes } from 'node:crypto';
import {
  type AuthRouter,
  type AuthRouterOptions,
  InMemoryOAuthProvider,
  type InMemoryOAuthProviderOptions,
  createAuthRouter,
} from '@portico/server/auth';
import { type ManualClock, createManualClock } from './manual-clock.ts';

/** An answer that was read. */
export interface AuthReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
  /** Where a redirect leads, and with what. */
  readonly location: string;
  readonly sent: URLSearchParams;
}

export const ISSUER = 'https://as.example/';
export const CALLBACK = 'https://app.example/callback?kept=1';

/** One attempt's secret and what is shown of it. */
export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** An authorization server in memory with two clients, asked as clients and browsers would. */
export interface AuthWorld {
  readonly clock: ManualClock;
  readonly provider: InMemoryOAuthProvider;
  readonly router: AuthRouter;
  readonly faults: Error[];
  /** What the last authorization request was made with. */
  readonly authorize: (params?: Record<string, string | undefined>) => Promise<AuthReply>;
  readonly post: (
    path: string,
    form: Record<string, string | undefined>,
    headers?: object,
  ) => Promise<AuthReply>;
  readonly ask: (path: string, init?: RequestInit) => Promise<AuthReply>;
  /** A good code, with the form that exchanges it. */
  readonly code: (params?: Record<string, string | undefined>) => Promise<Record<string, string>>;
}

export function createAuthWorld(
  provider: Partial<InMemoryOAuthProviderOptions> = {},
  router: Partial<AuthRouterOptions> = {},
): AuthWorld {
  const clock = createManualClock();
  const faults: Error[] = [];
  const memory = new InMemoryOAuthProvider({
    approve: () => ({ subject: 'ada' }),
    clients: [
      {
        client_id: 'public',
        redirect_uris: [CALLBACK, 'http://127.0.0.1:3000/cb', 'http://evil.example/cb', 'custom:/cb'],
        token_endpoint_auth_method: 'none',
      },
      { client_id: 'secret', client_secret: 'se:cret &', redirect_uris: ['https://one.example/cb'] },
    ],
    clock,
    ...provider,
  });
  const made = createAuthRouter({
    provider: memory,
    issuerUrl: new URL(ISSUER),
    clock,
    onerror: (error) => void faults.push(error),
    ...router,
  });
  const ask: AuthWorld['ask'] = async (path, init) => {
    const answer = await made.fetch(new Request(new URL(path, ISSUER), init));
    if (answer === undefined) throw new TypeError(`${path} is no path of the router`);
    const text = await answer.text();
    const location = answer.headers.get('location') ?? '';
    return {
      status: answer.status,
      headers: answer.headers,
      body: text.startsWith('{') ? (JSON.parse(text) as AuthReply['body']) : {},
      location,
      sent: location === '' ? new URLSearchParams() : new URL(location).searchParams,
    };
  };
  const given = (all: Record<string, string | undefined>): URLSearchParams =>
    new URLSearchParams(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  const post: AuthWorld['post'] = (path, form, headers = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: given(form).toString(),
    });
  const authorize: AuthWorld['authorize'] = (params = {}) => {
    const query = given({
      client_id: 'public',
      response_type: 'code',
      redirect_uri: CALLBACK,
      code_challenge: pkce().challenge,
      code_challenge_method: 'S256',
      state: 'st&te',
      ...params,
    });
    return ask(`/authorize?${query.toString()}`);
  };
  return {
    clock,
    provider: memory,
    router: made,
    faults,
    authorize,
    post,
    ask,
    async code(params = {}) {
      const { verifier, challenge } = pkce();
      const { sent } = await authorize({ code_challenge: challenge, ...params });
      return {
        grant_type: 'authorization_code',
        client_id: params['client_id'] ?? 'public',
        redirect_uri: params['redirect_uri'] ?? CALLBACK,
        code: sent.get('code') ?? '',
        code_verifier: verifier,
      };
    },
  };
}
