import {
  InsufficientScopeError,
  OAuthClientFlowError,
  UnauthorizedError,
  auth,
  computeScopeUnion,
  finishAuthorization,
  isOAuthClientProvider,
  isRenewalDue,
  isStrictScopeSuperset,
  readChallenge,
  refreshBeforeUse,
  wantsNonce,
} from '@portico/oauth';
import type { AuthOptions, AuthProvider, ChallengeParams, OAuthClientProvider } from '@portico/oauth';
import { systemClock } from '@portico/rpc';
import type { Clock } from '@portico/rpc';
import type { FetchLike } from '@portico/spec';
import type { HttpAnswer, HttpRequest } from './http-client.ts';
import type { LateSignIn, SignInSetting } from './sign-in-later.ts';

/** Bytes of a refusal that a provider may look at. */
const MAX_REFUSAL_BYTES = 65_536;
const STEP_UPS = 1;
/** Headers of a refusal that a provider may look at. */
const SHOWN_HEADERS = ['www-authenticate', 'content-type', 'retry-after', 'dpop-nonce'];

/** Marks an error as one that reaches the caller as it is. */
function kept(error: unknown): Error {
  if (error instanceof Error && Reflect.defineProperty(error, 'reachesCaller', { value: true })) return error;
  const data = { member: 'authProvider' };
  return kept(new OAuthClientFlowError('provider_failed', { data, cause: error }));
}

/** The part of a refusal that a provider may look at whatever becomes of its body. */
function headOf(answer: HttpAnswer): ResponseInit {
  const headers = new Headers();
  for (const name of SHOWN_HEADERS) {
    const value = answer.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  return { status: answer.status, statusText: answer.statusText, headers };
}

async function asResponse(answer: HttpAnswer): Promise<Response> {
  const text = await answer.text(MAX_REFUSAL_BYTES).catch(() => '');
  return new Response(text, headOf(answer));
}

/** A request with the token that goes with it, and whether a key proves that it is ours. */
interface Authorized {
  readonly headers: Readonly<Record<string, string>>;
  readonly token: string | undefined;
  /** Takes the nonce of an answer. @returns whether there was one */
  readonly takeNonce?: (answer: HttpAnswer) => boolean;
}

/** A sign-in that is going on; requests that were refused with the same token wait for the same one. */
interface Flow {
  readonly token: string | undefined;
  readonly scope: string | undefined;
  readonly done: Promise<void>;
}

/**
 * Sends the provider's token with every request, and when a server refuses it sees to a new one and asks
 * once more: once for a refusal of the token, some times for lack of scopes. Requests stay within the
 * server's origin, since the transport follows no redirect out of it. Source: W206, W220, W221, W223.
 */
export class SignIn implements LateSignIn {
  readonly #setting: SignInSetting;
  readonly #provider: AuthProvider | OAuthClientProvider | undefined;
  readonly #clock: Clock;
  readonly #fetchFn: FetchLike;
  #resourceMetadataUrl: URL | undefined;
  /** Asked for so far. */
  #scope: string | undefined;
  #flow: Flow | undefined;
  #refreshing: Promise<boolean> | undefined;

  constructor(setting: SignInSetting) {
    const { options, fetch } = setting;
    this.#setting = setting;
    this.#provider = options.authProvider;
    this.#clock = options.clock ?? systemClock;
    // The caller's headers are for the MCP server, not for whoever signs people in.
    const { headers: _headers, ...init } = options.requestInit ?? {};
    this.#fetchFn = (url, own) => fetch(new URL(url), { ...init, ...own });
  }

  close(): Promise<void> {
    return this.#setting.http.close();
  }

  async finish(callback: URLSearchParams | string, iss?: string): Promise<void> {
    const provider = this.#provider;
    if (!isOAuthClientProvider(provider))
      throw new UnauthorizedError('finishAuth needs an OAuthClientProvider');
    const whole = typeof callback === 'string' ? { code: callback, iss } : callback;
    await finishAuthorization(provider, whole, this.#authOptions());
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    const limit = this.#setting.options.maxStepUpRetries ?? STEP_UPS;
    const spent = { renewals: 0, stepUps: 0, nonces: 0 };
    for (;;) {
      const authorized = await this.#guarded(() => this.#authorize(request));
      const answer = await this.#setting.http.send({ ...request, headers: authorized.headers });
      const hasNonce = authorized.takeNonce?.(answer) === true;
      const header = answer.header('www-authenticate');
      if (answer.status === 401) {
        if (hasNonce && wantsNonce(header)) {
          if (spent.nonces++ > 0) return answer;
          answer.discard();
          continue;
        }
        if (spent.renewals++ > 0) return await this.#refusedAgain(answer, authorized.token);
        await this.#guarded(() => this.#renew(answer, authorized.token));
        continue;
      }
      if (answer.status === 403) await this.#guarded(() => this.#stands(answer, authorized.token));
      const challenge = readChallenge(answer.status === 403 ? header : undefined);
      if (challenge.error !== 'insufficient_scope') return answer;
      const stepUp = await this.#guarded(async () => this.#stepUpFor(challenge));
      if (spent.stepUps++ >= limit) return answer;
      answer.discard();
      await this.#guarded(() => stepUp(authorized.token));
    }
  }

  /** Whatever signing in fails with reaches the caller as it is. */
  async #guarded<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw kept(error);
    }
  }

  async #authorize({ headers, method, url }: HttpRequest): Promise<Authorized> {
    const provider = this.#provider;
    if (!isOAuthClientProvider(provider)) {
      const token = await provider?.token();
      const carried = token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` };
      return { headers: { ...headers, ...carried }, token };
    }
    let tokens = await provider.tokens();
    if (tokens !== undefined && isRenewalDue(tokens, this.#clock.now())) {
      this.#refreshing ??= refreshBeforeUse(provider, this.#authOptions()).finally(
        () => (this.#refreshing = undefined),
      );
      await this.#refreshing;
      tokens = await provider.tokens();
    }
    if (tokens === undefined) return { headers, token: undefined };
    const token = tokens.access_token;
    const session = tokens.token_type.toLowerCase() === 'dpop' ? await provider.dpop?.() : undefined;
    if (session === undefined) return { headers: { ...headers, authorization: `Bearer ${token}` }, token };
    const dpop = await session.buildProof({ htm: method, htu: url, accessToken: token });
    return {
      headers: { ...headers, authorization: `DPoP ${token}`, dpop },
      token,
      takeNonce(answer) {
        const nonce = answer.header('dpop-nonce');
        if (nonce !== undefined) session.rememberNonce(url, nonce);
        return nonce !== undefined;
      },
    };
  }

  #authOptions(): AuthOptions {
    const { options, url } = this.#setting;
    return {
      ...options.authorization,
      serverUrl: url,
      fetchFn: this.#fetchFn,
      clock: this.#clock,
      resourceMetadataUrl: this.#resourceMetadataUrl,
      scope: this.#scope,
      skipIssuerMetadataValidation: options.skipIssuerMetadataValidation,
    };
  }

  /** Lets requests that were refused with one token share what comes of it. */
  async #share(flow: Omit<Flow, 'done'>, run: () => Promise<void>): Promise<void> {
    for (;;) {
      const current = this.#flow;
      if (current === undefined) break;
      if (current.token === flow.token && current.scope === flow.scope) return current.done;
      await current.done.catch(() => undefined);
    }
    const done = run().finally(() => (this.#flow = undefined));
    this.#flow = { ...flow, done };
    return done;
  }

  /** The token was refused. */
  async #renew(answer: HttpAnswer, token: string | undefined): Promise<void> {
    const challenge = readChallenge(answer.header('www-authenticate'));
    const provider = this.#provider;
    if (isOAuthClientProvider(provider)) {
      answer.discard();
      return this.#share({ token, scope: undefined }, () => this.#signInAgain(provider, challenge, token));
    }
    if (provider?.onUnauthorized === undefined) {
      answer.discard();
      throw new UnauthorizedError();
    }
    const response = await asResponse(answer);
    const context = { response, serverUrl: this.#setting.url, fetchFn: this.#fetchFn, token };
    return this.#share({ token, scope: undefined }, async () => provider.onUnauthorized?.(context));
  }

  /** A source of tokens may know more of a refusal than the transport does. */
  async #stands(answer: HttpAnswer, token: string | undefined): Promise<void> {
    const provider = this.#provider;
    if (isOAuthClientProvider(provider) || provider?.onRefused === undefined) return;
    const response = new Response(null, headOf(answer));
    try {
      await provider.onRefused({
        response,
        serverUrl: this.#setting.url,
        fetchFn: this.#fetchFn,
        token,
      });
    } catch (error) {
      answer.discard();
      throw error;
    }
  }

  async #signInAgain(
    provider: OAuthClientProvider,
    challenge: ChallengeParams,
    staleToken: string | undefined,
  ): Promise<void> {
    const current = await provider.tokens();
    // Somebody else saw to it meanwhile.
    if (current !== undefined && current.access_token !== staleToken) return;
    this.#resourceMetadataUrl = challenge.resourceMetadataUrl ?? this.#resourceMetadataUrl;
    const wanted = computeScopeUnion(this.#scope, challenge.scope);
    this.#scope = wanted === undefined ? undefined : computeScopeUnion(current?.scope, wanted);
    const rediscover = staleToken !== undefined;
    const options = { ...this.#authOptions(), staleToken, rediscover, failWithServer: true };
    if ((await auth(provider, options)) === 'REDIRECT') throw new UnauthorizedError();
  }

  /** @throws InsufficientScopeError when nobody here asks for more */
  #stepUpFor(challenge: ChallengeParams): (token: string | undefined) => Promise<void> {
    const { scope, resourceMetadataUrl, errorDescription } = challenge;
    const provider = this.#setting.options.onInsufficientScope === 'throw' ? undefined : this.#provider;
    if (isOAuthClientProvider(provider)) return (token) => this.#stepUp(provider, challenge, token);
    if (provider?.onInsufficientScope !== undefined) {
      const common = { scope, resourceMetadataUrl, serverUrl: this.#setting.url, fetchFn: this.#fetchFn };
      return (token) =>
        this.#share({ token, scope: scope ?? '' }, async () =>
          provider.onInsufficientScope?.({ ...common, token }),
        );
    }
    throw new InsufficientScopeError({
      ...(scope === undefined ? {} : { requiredScope: scope }),
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
      ...(errorDescription === undefined ? {} : { errorDescription }),
    });
  }

  /** The token grants too little. */
  #stepUp(
    provider: OAuthClientProvider,
    challenge: ChallengeParams,
    token: string | undefined,
  ): Promise<void> {
    return this.#share({ token, scope: challenge.scope ?? '' }, async () => {
      const current = await provider.tokens();
      if (current !== undefined && current.access_token !== token) return;
      this.#resourceMetadataUrl = challenge.resourceMetadataUrl ?? this.#resourceMetadataUrl;
      this.#scope = computeScopeUnion(this.#scope, current?.scope, challenge.scope);
      const forceReauthorization = isStrictScopeSuperset(this.#scope, current?.scope);
      const result = await auth(provider, { ...this.#authOptions(), forceReauthorization });
      if (result === 'REDIRECT') throw new UnauthorizedError();
    });
  }

  /** A fresh token is refused, too: what was found out about the server may be out of date. */
  async #refusedAgain(answer: HttpAnswer, token: string | undefined): Promise<HttpAnswer> {
    const provider = this.#provider;
    await this.#guarded(() => this.#stands(answer, token));
    if (isOAuthClientProvider(provider)) {
      await this.#guarded(async () => provider.invalidateCredentials?.('discovery'));
    }
    return answer;
  }
}
