import type { Clock } from '@portico/rpc';
import { MachineProvider, grantParams } from './machine-provider.ts';
import type { MachineProviderOptions } from './machine-provider.ts';
import { createPrivateKeyJwtAuth, setClientAssertion } from './private-key-jwt.ts';
import type { AddClientAuthentication } from './provider.ts';
import type { SigningKey } from './sign-jwt.ts';

const CLIENT_CREDENTIALS = 'client_credentials';
const BY_KEY = { grant_types: [CLIENT_CREDENTIALS], token_endpoint_auth_method: 'private_key_jwt' };

export interface ClientCredentialsProviderOptions extends MachineProviderOptions {
  readonly clientSecret: string;
}

/** Signs a machine in by its id and secret. Source: OAuth Client Credentials extension; W224. */
export class ClientCredentialsProvider extends MachineProvider {
  constructor(options: ClientCredentialsProviderOptions) {
    const metadata = { grant_types: [CLIENT_CREDENTIALS], token_endpoint_auth_method: 'client_secret_basic' };
    super({ clientName: 'client-credentials-client', ...options }, metadata, options.clientSecret);
  }

  prepareTokenRequest(scope?: string): URLSearchParams {
    return grantParams(CLIENT_CREDENTIALS, scope);
  }
}

export interface PrivateKeyJwtProviderOptions extends MachineProviderOptions {
  /** PEM (PKCS#8), its bytes, or a JWK. */
  readonly privateKey: SigningKey;
  /** Such as ES256. */
  readonly algorithm: string;
  /** 300 by default. */
  readonly jwtLifetimeSeconds?: number | undefined;
  /** Added to the claims of each assertion, and over them. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
  readonly clock?: Clock | undefined;
}

/** Signs a machine in by assertions that it signs itself. Source: OAuth Client Credentials extension; W224. */
export class PrivateKeyJwtProvider extends MachineProvider {
  readonly addClientAuthentication: AddClientAuthentication;

  constructor(options: PrivateKeyJwtProviderOptions) {
    super({ clientName: 'private-key-jwt-client', ...options }, BY_KEY);
    const { clientId, privateKey, algorithm, jwtLifetimeSeconds, claims, clock } = options;
    this.addClientAuthentication = createPrivateKeyJwtAuth({
      issuer: clientId,
      subject: clientId,
      privateKey,
      alg: algorithm,
      lifetimeSeconds: jwtLifetimeSeconds,
      claims,
      clock,
    });
  }

  prepareTokenRequest(scope?: string): URLSearchParams {
    return grantParams(CLIENT_CREDENTIALS, scope);
  }
}

export interface StaticPrivateKeyJwtProviderOptions extends MachineProviderOptions {
  /** An assertion that was signed elsewhere; it is sent until it has ended. */
  readonly jwtBearerAssertion: string;
}

/** Signs a machine in by an assertion that was given to it. Source: OAuth Client Credentials extension; W224. */
export class StaticPrivateKeyJwtProvider extends MachineProvider {
  readonly addClientAuthentication: AddClientAuthentication;

  constructor(options: StaticPrivateKeyJwtProviderOptions) {
    super({ clientName: 'static-private-key-jwt-client', ...options }, BY_KEY);
    this.addClientAuthentication = (_headers, params) =>
      setClientAssertion(params, options.jwtBearerAssertion);
  }

  prepareTokenRequest(scope?: string): URLSearchParams {
    return grantParams(CLIENT_CREDENTIALS, scope);
  }
}
