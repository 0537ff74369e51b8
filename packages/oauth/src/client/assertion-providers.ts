import type { FetchLike } from '@portico/spec';
import { OAuthClientFlowError } from '../flow-errors.ts';
import { JWT_BEARER } from './cross-app-access.ts';
import { MachineProvider, grantParams } from './machine-provider.ts';
import type { MachineProviderOptions } from './machine-provider.ts';

/** What {@link CrossAppAccessProviderOptions.assertion} is told. */
export interface CrossAppAccessContext {
  /** The issuer that the grant is for. */
  readonly authorizationServerUrl: string;
  readonly resourceUrl: string;
  readonly scope?: string;
  readonly fetchFn: FetchLike;
}

/** Gets a grant for a server from the identity provider. What it throws ends the sign-in. */
export type AssertionCallback = (context: CrossAppAccessContext) => string | Promise<string>;

export interface CrossAppAccessProviderOptions extends Omit<MachineProviderOptions, 'scope'> {
  readonly assertion: AssertionCallback;
  readonly clientSecret: string;
  /** Handed to the callback; the platform's own by default. */
  readonly fetchFn?: FetchLike | undefined;
}

/** What is known by the time a grant is prepared. */
interface Target {
  readonly issuer: string;
  readonly resource: string;
}

/** Keeps what the sign-in found out until the grant is prepared. */
abstract class AssertionProvider extends MachineProvider {
  #issuer: string | undefined;
  #resource: string | undefined;

  saveAuthorizationServerUrl(issuer: string): void {
    this.#issuer = issuer;
  }

  authorizationServerUrl(): string | undefined {
    return this.#issuer;
  }

  saveResourceUrl(resource: string): void {
    this.#resource = resource;
  }

  resourceUrl(): string | undefined {
    return this.#resource;
  }

  /** @throws OAuthClientFlowError `provider_incomplete` outside of a sign-in */
  protected target(): Target {
    const [issuer, resource] = [this.#issuer, this.#resource];
    if (issuer !== undefined && resource !== undefined) return { issuer, resource };
    const member = issuer === undefined ? 'authorizationServerUrl' : 'resourceUrl';
    throw new OAuthClientFlowError('provider_incomplete', { data: { member }, step: 'token' });
  }
}

/**
 * Signs a person in to a server by what their organisation's identity provider says of them: the browser
 * is not sent to the server's own sign-in. Source: Enterprise-Managed Authorization; W225.
 */
export class CrossAppAccessProvider extends AssertionProvider {
  readonly #options: CrossAppAccessProviderOptions;

  constructor(options: CrossAppAccessProviderOptions) {
    const metadata = { grant_types: [JWT_BEARER], token_endpoint_auth_method: 'client_secret_basic' };
    super({ clientName: 'cross-app-access-client', ...options }, metadata, options.clientSecret);
    this.#options = options;
  }

  async prepareTokenRequest(scope?: string): Promise<URLSearchParams> {
    const { issuer, resource } = this.target();
    const { assertion, fetchFn = (url, init) => globalThis.fetch(url, init) } = this.#options;
    const jwt = await assertion({
      authorizationServerUrl: issuer,
      resourceUrl: resource,
      ...(scope === undefined ? {} : { scope }),
      fetchFn,
    });
    const params = grantParams(JWT_BEARER, scope);
    params.set('assertion', jwt);
    return params;
  }
}

/** What {@link WorkloadIdentityProviderOptions.assertion} is told. */
export interface WorkloadAssertionContext {
  /** The issuer that the assertion is for. */
  readonly issuer: string;
  readonly resource: string;
}

export interface WorkloadIdentityProviderOptions extends MachineProviderOptions {
  /** The workload's own JWT from its platform, or who gets one: asked anew for every request. */
  readonly assertion: string | ((context: WorkloadAssertionContext) => string | Promise<string>);
}

/**
 * Signs a workload in by the JWT that its platform gives it, without a secret, a person or a registration.
 * Source: Workload Identity Federation extension; RFC 7523, section 2.1.
 */
export class WorkloadIdentityProvider extends AssertionProvider {
  readonly #assertion: WorkloadIdentityProviderOptions['assertion'];

  constructor(options: WorkloadIdentityProviderOptions) {
    const metadata = { grant_types: [JWT_BEARER], token_endpoint_auth_method: 'none' };
    super({ clientName: 'workload-identity-client', ...options }, metadata);
    this.#assertion = options.assertion;
  }

  async prepareTokenRequest(scope?: string): Promise<URLSearchParams> {
    const source = this.#assertion;
    const jwt = typeof source === 'string' ? source : await source(this.target());
    const params = grantParams(JWT_BEARER, scope);
    params.set('assertion', jwt);
    return params;
  }
}
