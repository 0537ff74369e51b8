// An application of managed servers whose people sign in, as browser tests load it, as `portico`.
import { StrictMode, useEffect } from 'react';
import type { ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import {
  LocalStorageProvider,
  McpClientProvider,
  onMcpAuthorization,
  useMcpClient,
} from '../packages/react/src/index.ts';
import type { McpServer, McpServerConfig } from '../packages/react/src/index.ts';

/** What a page of the application is made of; plain data, since it stands in the page. */
export interface SignInApp {
  readonly servers?: Readonly<Record<string, McpServerConfig>>;
  /** Of the page that people come back to; `/oauth/callback` by default. */
  readonly callbackPath?: string;
  /** The page that people come back to shows the servers, too. */
  readonly servesCallback?: boolean;
  /** That page ends the sign-in when it is told to by `finishCallback` only. */
  readonly waitsToFinish?: boolean;
  /** Servers are kept between two visits. */
  readonly keeps?: boolean;
}

/** What tests reach in a page. */
export interface SignInPage {
  start(app: SignInApp): void;
  server(id: string): McpServer | undefined;
  addServer(id: string, config: McpServerConfig): void;
  finishCallback(): Promise<void>;
  unmount(): void;
  /** Whether each click on "Sign in" had opened a window before it returned. */
  readonly opened: boolean[];
  /** What windows were asked for with, and whether the page was given them. */
  readonly windows: { readonly features: string; readonly isGiven: boolean }[];
  /** Every state that a server was shown in, with its id. */
  readonly shown: string[];
  /** What calls of `onMcpAuthorization` resolved with. */
  readonly settled: unknown[];
}

type Client = ReturnType<typeof useMcpClient>;

const rendered: { client?: Client } = {};
let unmountAll: () => void = () => undefined;

export const opened: boolean[] = [];
export const windows: SignInPage['windows'] = [];
export const shown: string[] = [];
export const settled: unknown[] = [];

export function server(id: string): McpServer | undefined {
  return rendered.client?.getServer(id);
}

export function addServer(id: string, config: McpServerConfig): void {
  rendered.client?.addServer(id, config);
}

export function unmount(): void {
  unmountAll();
}

export async function finishCallback(): Promise<void> {
  settled.push(await onMcpAuthorization());
}

export function start(app: SignInApp): void {
  const { callbackPath = '/oauth/callback' } = app;
  watchWindows();
  const place = document.createElement('main');
  document.body.append(place);
  const root = createRoot(place);
  const isBack = window.location.pathname === callbackPath;
  root.render(
    <StrictMode>
      {isBack && app.waitsToFinish !== true ? <Callback /> : null}
      {!isBack || app.servesCallback === true ? <Servers app={app} /> : null}
    </StrictMode>,
  );
  unmountAll = () => root.unmount();
}

function watchWindows(): void {
  const open = window.open.bind(window);
  window.open = (url, target, given) => {
    const opening = open(url, target, given);
    windows.push({ features: given ?? '', isGiven: opening !== null });
    return opening;
  };
}

function Callback(): null {
  useEffect(() => {
    void finishCallback();
  }, []);
  return null;
}

function Servers({ app }: { readonly app: SignInApp }): ReactElement {
  return (
    <McpClientProvider
      mcpServers={app.servers}
      {...(app.keeps === true ? { storageProvider: new LocalStorageProvider() } : {})}
    >
      <List />
    </McpClientProvider>
  );
}

function List(): ReactElement {
  const client = useMcpClient();
  useEffect(() => {
    rendered.client = client;
  }, [client]);
  return (
    <>
      {client.servers.map((one) => (
        <Server key={one.id} server={one} />
      ))}
    </>
  );
}

function Server({ server: one }: { readonly server: McpServer }): ReactElement {
  const { id, state, authUrl, error, authenticate, clearStorage } = one;
  useEffect(() => {
    const entry = `${id} ${state}`;
    if (shown.at(-1) === entry) return;
    shown.push(entry);
    // Tests hear of it without looking into the page, which would count as a click.
    // oxlint-disable-next-line no-console -- see above
    // Tests hear of it without looking into the page, which would count as a click.
    // oxlint-disable-next-line no-console -- see above
    console.debug(entry);
  }, [id, state]);
  const signIn = (): void => {
    const before = windows.length;
    void authenticate();
    opened.push(windows.length > before);
  };
  return (
    <section id={id}>
      <output>{state}</output>
      <p>{error}</p>
      {authUrl === undefined ? null : (
        <a href={authUrl} target="_blank" rel="noreferrer">
          Sign in elsewhere
        </a>
      )}
      <button type="button" onClick={signIn}>
        Sign in
      </button>
      <button type="button" onClick={clearStorage}>
        Sign out
      </button>
    </section>
  );
}
