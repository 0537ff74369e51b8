// @ts-check
import {
  Client,
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  DpopSession,
  PrivateKeyJwtProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  WorkloadIdentityProvider,
  createMemoryTokenStore,
  createOAuthProvider,
  requestJwtAuthorizationGrant,
} from '@portico/client';
/** @import { OAuthClientProvider, OAuthProviderOptions } from '@portico/client' */
/** @import { Scenario, Setting } from './scenarios.mjs' */

const INFO = { name: 'portico-conformance', version: '1.0.0' };
const REDIRECT = 'http://localhost:3000/callback';
/** The suite knows this document without fetching it. */
const METADATA_DOCUMENT = 'https://conformance-test.local/client-metadata.json';
/** How often somebody signs in before they give up. */
const PATIENCE = 2;

/** Somebody who agrees at once: the suite's servers ask nothing. */
class Person {
  /** @type {URLSearchParams | undefined} */
  #callback;

  /** @param {URL} url */
  async signIn(url) {
    const response = await fetch(url, { redirect: 'manual' });
    const location = response.headers.get('location') ?? '';
    this.#callback = new URL(location, REDIRECT).searchParams;
  }

  /** What the browser came back with, once. */
  takeCallback() {
    const callback = this.#callback;
    if (callback === undefined) throw new TypeError('nobody was sent to sign in');
    this.#callback = undefined;
    return callback;
  }
}

/**
 * @param {Person} person
 * @param {Partial<OAuthProviderOptions>} [options]
 */
function providerFor(person, options = {}) {
  return createOAuthProvider({
    store: createMemoryTokenStore(),
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: INFO.name },
    clientMetadataUrl: METADATA_DOCUMENT,
    openUrl: (address) => person.signIn(address),
    ...options,
  });
}

/**
 * Connects, lists and calls the tool; whenever somebody has to sign in, they do, and it goes on.
 * @param {Setting} setting
 * @param {OAuthClientProvider} authProvider
 * @param {Person} person
 * @param {{assumeEndpoints?: boolean}} [authorization]
 */
// oxlint-disable-next-line max-params -- a setting, who signs in, and how
async function useTool({ url, version }, authProvider, person, authorization = {}) {
  const mode = version === '2026-07-28' ? 'auto' : 'legacy';
  /** @type {StreamableHTTPClientTransport} */
  let transport;
  let client = new Client(INFO, { versionNegotiation: { mode } });
  /** @param {() => Promise<unknown>} run */
  const withSignIn = async (run) => {
    for (let times = 0; ; times++) {
      try {
        await run();
        return;
      } catch (error) {
        if (!(error instanceof UnauthorizedError) || times === PATIENCE) throw error;
        await transport.finishAuth(person.takeCallback());
      }
    }
  };
  await withSignIn(async () => {
    transport = new StreamableHTTPClientTransport(url, { authProvider, authorization });
    client = new Client(INFO, { versionNegotiation: { mode } });
    await client.connect(transport);
  });
  try {
    await withSignIn(() => client.listTools());
    await withSignIn(() => client.callTool({ name: 'test-tool', arguments: {} }));
  } finally {
    await client.close();
  }
}

/** @type {Scenario} */
const signIn = (setting) => {
  const person = new Person();
  return useTool(setting, providerFor(person), person);
};

/** The server is known to be of the first revision with authorization, without any document. @type {Scenario} */
const assuming = (setting) => {
  const person = new Person();
  return useTool(setting, providerFor(person), person, { assumeEndpoints: true });
};

/**
 * The server is not to be trusted, so that signing in has to end with this.
 * @param {string} code
 * @returns {Scenario}
 */
const refuse = (code) => async (setting) => {
  try {
    await signIn(setting);
  } catch (error) {
    if (Object(error).code === code) return;
    throw error;
  }
  throw new TypeError(`the sign-in went on although it is to end with ${code}`);
};

/** However often somebody signs in, it is not enough: in the end they give up. @type {Scenario} */
const giveUp = async (setting) => {
  try {
    await signIn(setting);
  } catch (error) {
    if (error instanceof UnauthorizedError) return;
    throw error;
  }
  throw new TypeError('the server was content although it asks for more each time');
};

/** @param {Setting} setting @param {string} name */
const text = ({ context }, name) => String(context[name]);

/** @type {Scenario} */
const preRegistered = (setting) => {
  const person = new Person();
  const client = { client_id: text(setting, 'client_id'), client_secret: text(setting, 'client_secret') };
  return useTool(setting, providerFor(person, { client }), person);
};

/** @type {Scenario} */
const bySecret = (setting) => {
  const provider = new ClientCredentialsProvider({
    clientId: text(setting, 'client_id'),
    clientSecret: text(setting, 'client_secret'),
  });
  return useTool(setting, provider, new Person());
};

/** @type {Scenario} */
const byKey = (setting) => {
  const provider = new PrivateKeyJwtProvider({
    clientId: text(setting, 'client_id'),
    privateKey: text(setting, 'private_key_pem'),
    algorithm:
      setting.context['signing_algorithm'] === undefined ? 'ES256' : text(setting, 'signing_algorithm'),
  });
  return useTool(setting, provider, new Person());
};

/** @type {Scenario} */
const byOrganisation = (setting) => {
  const provider = new CrossAppAccessProvider({
    clientId: text(setting, 'client_id'),
    clientSecret: text(setting, 'client_secret'),
    assertion: async ({ authorizationServerUrl, resourceUrl, fetchFn }) => {
      const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
        tokenEndpoint: text(setting, 'idp_token_endpoint'),
        audience: authorizationServerUrl,
        resource: resourceUrl,
        idToken: text(setting, 'idp_id_token'),
        clientId: text(setting, 'idp_client_id'),
        fetchFn,
      });
      return jwtAuthGrant;
    },
  });
  return useTool(setting, provider, new Person());
};

/** @type {Scenario} */
const byWorkload = (setting) => {
  const assertion = text(setting, 'valid_jwt');
  const provider = new WorkloadIdentityProvider({ clientId: text(setting, 'client_id'), assertion });
  return useTool(setting, provider, new Person());
};

/** @type {Scenario} */
const withProofs = async (setting) => {
  const person = new Person();
  const session = await DpopSession.create();
  return useTool(setting, providerFor(person, { dpop: () => session }), person);
};

/** @type {readonly (readonly [string, Scenario])[]} */
export const AUTH_SCENARIOS = [
  ['auth/2025-03-26-oauth-endpoint-fallback', assuming],
  ['auth/pre-registration', preRegistered],
  ['auth/client-credentials-basic', bySecret],
  ['auth/client-credentials-jwt', byKey],
  ['auth/enterprise-managed-authorization', byOrganisation],
  ['auth/wif-jwt-bearer', byWorkload],
  ['auth/dpop', withProofs],
  ['auth/dpop-nonce', withProofs],
  ['auth/scope-retry-limit', giveUp],
  ['auth/resource-mismatch', refuse('resource_mismatch')],
  ['auth/metadata-issuer-mismatch', refuse('issuer_mismatch')],
  ['auth/iss-supported-missing', refuse('issuer_mismatch')],
  ['auth/iss-wrong-issuer', refuse('issuer_mismatch')],
  ['auth/iss-unexpected', refuse('issuer_mismatch')],
  ['auth/iss-normalized', refuse('issuer_mismatch')],
];

/** Whoever is asked to sign in does. */
export const signInScenario = signIn;
