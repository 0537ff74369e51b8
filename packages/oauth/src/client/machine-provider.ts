import type { OAuthClientMetadata, StoredOAuthClientInformation, StoredOAuthTokens } from '../documents.ts';
import { OAuthClientFlowError } from '../flow-errors.ts';
import type { OAuthClientProvider } from './provider.ts';

/** What every provider for a machine is told. */
export interface MachineProviderOptions {
  readonly clientId: string;
  readonly clientName?: string | undefined;
  /** Scopes to ask for, separated by spaces. */
  readonly scope?: string | undefined;
  /** The issuer that the credentials belong to: at any other the sign-in ends with an error. */
  readonly expectedIssuer?: string | undefined;
}

function withoutPerson(member: string): OAuthClientFlowError {
  return new OAuthClientFlowError('provider_incomplete', {
    message: `${member} is for sign-ins with a person`,
    data: { member },
  });
}

/** What providers for machines share: credentials that were given, tokens in memory, and nobody to ask. */
export abstract class MachineProvider implements OAuthClientProvider {
  readonly clientMetadata: OAuthClientMetadata;
  readonly #client: StoredOAuthClientInformation;
  #tokens: StoredOAuthTokens | undefined;

  constructor(options: MachineProviderOptions, metadata: Partial<OAuthClientMetadata>, secret?: string) {
    const { clientId, expectedIssuer, clientName, scope } = options;
    this.#client = {
      client_id: clientId,
      ...(secret === undefined ? {} : { client_secret: secret }),
      ...(expectedIssuer === undefined ? {} : { issuer: expectedIssuer }),
    };
    this.clientMetadata = {
      redirect_uris: [],
      ...metadata,
      ...(clientName === undefined ? {} : { client_name: clientName }),
      ...(scope === undefined ? {} : { scope }),
    };
  }

  get redirectUrl(): undefined {
    return undefined;
  }

  clientInformation(): StoredOAuthClientInformation {
    return this.#client;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
  }

  redirectToAuthorization(): void {
    throw withoutPerson('redirectToAuthorization');
  }

  saveCodeVerifier(): void {
    throw withoutPerson('saveCodeVerifier');
  }

  codeVerifier(): string {
    throw withoutPerson('codeVerifier');
  }

  /** The grant, made anew for each request. */
  abstract prepareTokenRequest(scope?: string): URLSearchParams | Promise<URLSearchParams>;
}

/** A grant with the scope, if there is one. */
export function grantParams(grantType: string, scope: string | undefined): URLSearchParams {
  const params = new URLSearchParams({ grant_type: grantType });
  if (scope !== undefined && scope !== '') params.set('scope', scope);
  return params;
}
