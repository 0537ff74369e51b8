import { Client, StreamableHTTPClientTransport } from '@portico/client';
import { finishCallback } from '../packages/connections/src/manager/callback.ts';
import type { CallbackReport } from '../packages/connections/src/manager/callback.ts';
import { createServerSignIn } from '../packages/connections/src/manager/sign-in/server-sign-in.ts';
import type {
  ServerSignIn,
  ServerSignInOptions,
  SignInAccount,
  SignInState,
} from '../packages/connections/src/manager/sign-in/sign-in-parts.ts';
import { PROTECTED_SERVER, challenge, createProtectedServer } from './protected-server.ts';
import { createScriptedBrowser } from './scripted-environment.ts';
import type { ScriptedBrowser, ScriptedBrowserOptions, ScriptedTab } from './scripted-environment.ts';
import type { HostAnswer, HostRequest, HostScript, ScriptedHosts } from './scripted-hosts.ts';

export const ISSUER = 'https://id.test';
export const TOKEN_PLACE = `${ISSUER}/token`;
const CALLBACK = 'https://app.test/oauth/callback';

/** What the authorization server hands out, and takes back when an old refresh token comes. */
export interface Grants {
  /** Access tokens that the server takes. */
  readonly valid: Set<string>;
  /** Members of the next answers of the token endpoint; undefined leaves one out. */
  answer: Record<string, string | number | undefined>;
  readonly place: HostAnswer;
}

/** One sign-in with all that it told. */
export interface WatchedSignIn {
  readonly signIn: ServerSignIn;
  /** What it was when it said that it changed. */
  readonly states: readonly SignInState[];
  readonly completed: readonly SignInState[];
  readonly lines: readonly string[];
}

export interface SignInWorld {
  readonly browser: ScriptedBrowser;
  readonly hosts: ScriptedHosts;
  readonly grants: Grants;
  watch(
    tab: ScriptedTab,
    account?: Partial<SignInAccount>,
    options?: Partial<ServerSignInOptions>,
  ): WatchedSignIn;
  /** Somebody finishes at an address, in a tab of its own. */
  comeBack(
    authUrl: string | undefined,
    answer?: Record<string, string>,
    tab?: ScriptedTab,
  ): Promise<CallbackReport>;
  /** A client whose transport is given the tokens. */
  connect(signIn: ServerSignIn): Promise<Client>;
  /** The forms of one kind that the token endpoint got. */
  tokenRequests(grant: 'authorization_code' | 'refresh_token'): readonly URLSearchParams[];
}

function createGrants(): Grants {
  const valid = new Set<string>();
  let count = 0;
  let refresh = '';
  const grants: Grants = {
    valid,
    answer: {},
    place({ form }) {
      const refused = form.get('grant_type') === 'refresh_token' && form.get('refresh_token') !== refresh;
      if (refused) {
        valid.clear();
        refresh = '';
        return Response.json({ error: 'invalid_grant' }, { status: 400 });
      }
      count += 1;
      const answer: Record<string, string | number | undefined> = {
        access_token: `access-${count}`,
        token_type: 'Bearer',
        expires_in: 3_600,
        refresh_token: `refresh-${count}`,
        ...grants.answer,
      };
      valid.add(String(answer['access_token']));
      if (answer['refresh_token'] !== undefined) refresh = String(answer['refresh_token']);
      return Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined));
    },
  };
  return grants;
}

export interface SignInWorldOptions {
  readonly places?: HostScript;
  readonly metadata?: Record<string, unknown>;
  readonly resource?: Record<string, unknown>;
  readonly browser?: ScriptedBrowserOptions;
  /** Refuses what has a good token. */
  readonly refuse?: (request: HostRequest, rpc: string) => Response | undefined;
}

/** A protected server, its authorization server, and a browser in which people sign in. */
export function createSignInWorld(options: SignInWorldOptions = {}): SignInWorld {
  const grants = createGrants();
  const hosts = createProtectedServer({
    guard(request, rpc) {
      const token = request.headers.get('authorization')?.slice('Bearer '.length);
      const isGood = token !== undefined && grants.valid.has(token);
      return isGood ? options.refuse?.(request, rpc) : challenge(401, 'error="invalid_token"');
    },
    metadata: options.metadata ?? {},
    resource: options.resource ?? {},
    places: { [`POST ${TOKEN_PLACE}`]: grants.place, ...options.places },
  });
  const browser = createScriptedBrowser({ fetch: hosts.fetch, ...options.browser });
  return {
    browser,
    hosts,
    grants,
    watch(tab, account = {}, more = {}) {
      const states: SignInState[] = [];
      const completed: SignInState[] = [];
      const lines: string[] = [];
      const signIn = createServerSignIn({
        environment: tab.environment,
        serverId: 'mine',
        account: {
          url: PROTECTED_SERVER,
          storageKeyPrefix: 'mcp:auth',
          callbackUrl: CALLBACK,
          oauth: {},
          clientInfo: { name: 'app', version: '1' },
          ...account,
        },
        wishes: () => ({ popupFeatures: 'popup=yes', useRedirectFlow: false }),
        oauthProxyUrl: () => undefined,
        oauthFetch: () => hosts.fetch,
        log: (level, message) => void lines.push(`${level} ${message}`),
        changed: () => void states.push(signIn.state),
        completed: () => void completed.push(signIn.state),
        ...more,
      });
      return { signIn, states, completed, lines };
    },
    comeBack(authUrl, answer = { code: 'c1' }, tab = browser.openTab()) {
      const asked = new URL(authUrl ?? 'about:blank').searchParams;
      const back = new URL(asked.get('redirect_uri') ?? CALLBACK);
      for (const [name, value] of Object.entries({ state: asked.get('state') ?? '', ...answer }))
        back.searchParams.set(name, value);
      tab.page.go(back.href);
      return finishCallback({ environment: tab.environment, oauthFetch: () => hosts.fetch });
    },
    async connect(signIn) {
      const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
      const { clock } = browser;
      const transport = new StreamableHTTPClientTransport(PROTECTED_SERVER, {
        fetch: hosts.fetch,
        clock,
        authProvider: signIn.authProvider,
      });
      await client.connect(transport);
      return client;
    },
    tokenRequests: (grant) => hosts.forms(TOKEN_PLACE).filter((form) => form.get('grant_type') === grant),
  };
}
