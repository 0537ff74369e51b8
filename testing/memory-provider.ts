import type {
  CredentialScope,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@portico/oauth';

/** A provider that keeps everything in its fields, as the official interface has it. */
export class MemoryProvider implements OAuthClientProvider {
  redirectUrl: string | undefined = 'http://localhost:3000/callback';
  clientMetadataUrl: string | undefined;
  clientMetadata: OAuthClientMetadata = {
    client_name: 'test',
    redirect_uris: ['http://localhost:3000/callback'],
  };
  client: StoredOAuthClientInformation | undefined;
  stored: StoredOAuthTokens | undefined;
  verifier: string | undefined;
  discovery: OAuthDiscoveryState | undefined;
  /** Where the person was sent, in order. */
  readonly redirects: URL[] = [];
  /** What was let go, in order. */
  readonly invalidated: CredentialScope[] = [];

  constructor(changes: Partial<MemoryProvider> = {}) {
    Object.assign(this, changes);
  }

  /** The query of the address that the person was sent to last. */
  get asked(): URLSearchParams {
    return this.redirects.at(-1)?.searchParams ?? new URLSearchParams();
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.client;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.client = client;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.stored;
  }

  saveTokens(tokens: StoredOAuthTokens): void | Promise<void> {
    this.stored = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.redirects.push(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier ?? '';
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovery;
  }

  invalidateCredentials(scope: CredentialScope): void {
    this.invalidated.push(scope);
    if (scope === 'client' || scope === 'all') this.client = undefined;
    if (scope === 'tokens' || scope === 'all') this.stored = undefined;
    if (scope === 'verifier' || scope === 'all') this.verifier = undefined;
    if (scope === 'discovery' || scope === 'all') this.discovery = undefined;
  }
}
