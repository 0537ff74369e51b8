import type { AuthOptions, AuthProvider, AuthorizationHttp, OAuthClientProvider } from '@portico/oauth';
import type { Clock } from '@portico/rpc';
import type { FetchLike } from './fetch-client.ts';
import type { HttpClient } from './http-client.ts';

/** How a transport signs in. */
export interface SignInOptions {
  /** Sends a token with every request and sees to a new one: a source of tokens, or a whole OAuth client. */
  readonly authProvider?: AuthProvider | OAuthClientProvider;
  /**
   * Takes metadata of authorization servers that name another issuer than was asked for. Weakens security;
   * for servers that are set up wrongly.
   */
  readonly skipIssuerMetadataValidation?: boolean;
  /**
   * What a refusal for lack of scopes leads to: `reauthorize`, the default, has the provider ask for them
   * if it can, `throw` leaves that to the caller, who gets an InsufficientScopeError.
   */
  readonly onInsufficientScope?: 'reauthorize' | 'throw';
  /** How often one request may ask for more scopes; 1 by default. */
  readonly maxStepUpRetries?: number;
  /** Bounds of the requests that signing in takes, a check of their addresses, and who is told the steps. */
  readonly authorization?: Pick<AuthorizationHttp, 'limits' | 'checkUrl' | 'observer'> &
    Pick<AuthOptions, 'assumeEndpoints'>;
}

/** What a transport has for signing in. */
export interface SignInSetting {
  readonly options: SignInOptions & { readonly requestInit?: RequestInit; readonly clock?: Clock };
  /** Does the requests to the MCP server. */
  readonly http: HttpClient;
  /** Does those to the authorization server. */
  readonly fetch: FetchLike;
  readonly url: URL;
}

/** Does the requests of a transport that signs in. */
export interface LateSignIn extends HttpClient {
  /** @throws as `finishAuth` of the transports */
  finish(callback: URLSearchParams | string, iss?: string): Promise<void>;
}

/** Signing in is loaded with the first request that may need it. */
export function signInLater(setting: SignInSetting): LateSignIn {
  let loaded: Promise<LateSignIn> | undefined;
  const signIn = (): Promise<LateSignIn> =>
    (loaded ??= import('./sign-in.ts').then(({ SignIn }) => new SignIn(setting)));
  return {
    send: async (request) => (await signIn()).send(request),
    finish: async (callback, iss) => (await signIn()).finish(callback, iss),
    close: () => setting.http.close(),
  };
}
