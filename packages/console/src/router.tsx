import { SIGN_IN_PAGES } from '@portico/api';
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import type { RouterHistory } from '@tanstack/react-router';
import { ArtifactPage } from './pages/artifact-page.tsx';
import { ArtifactsPage } from './pages/artifacts-page.tsx';
import { ConnectorPage } from './pages/connector-page.tsx';
import { ConnectorsPage } from './pages/connectors-page.tsx';
import { ConversationPage } from './pages/conversation-page.tsx';
import { HomePage } from './pages/home-page.tsx';
import { MissingPage } from './pages/missing-page.tsx';
import { SettingsPage } from './pages/settings-page.tsx';
import { SignedInPage } from './pages/signed-in-page.tsx';
import { readInspected } from './inspector/inspected.ts';
import { AppShell } from './shell/app-shell.tsx';

type Search = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Only what a page knows is kept of an address. */
function readHome(search: Search): { connector?: string; tool?: string } {
  const connector = text(search['connector']);
  const tool = text(search['tool']);
  return connector === undefined || tool === undefined ? {} : { connector, tool };
}

const readAdd = (search: Search): { add?: string } => {
  const add = text(search['add']);
  return add === undefined ? {} : { add };
};
const readDetails = (search: Search): { details?: true } =>
  search['details'] === true ? { details: true } : {};
const readPublish = (search: Search): { publish?: true } =>
  search['publish'] === true ? { publish: true } : {};

const root = createRootRoute({ component: AppShell, notFoundComponent: MissingPage });
const under = { getParentRoute: () => root } as const;

const home = createRoute({ ...under, path: '/', component: HomePage, validateSearch: readHome });
const conversation = createRoute({ ...under, path: '/c/$conversationId', component: ConversationPage });
// Children of a page draw nothing themselves: the page stays mounted, and with it its views.
const item = createRoute({
  getParentRoute: () => conversation,
  path: '/$itemId',
  validateSearch: readDetails,
});
const connectors = createRoute({
  ...under,
  path: '/connectors',
  component: ConnectorsPage,
  validateSearch: readAdd,
});
const connector = createRoute({
  ...under,
  path: '/connectors/$connectorId',
  component: ConnectorPage,
  validateSearch: readInspected,
});
const tool = createRoute({ getParentRoute: () => connector, path: '/tools/$tool' });
const artifacts = createRoute({
  ...under,
  path: '/artifacts',
  component: ArtifactsPage,
  validateSearch: readPublish,
});
const artifact = createRoute({
  ...under,
  path: '/artifacts/$artifactId',
  component: ArtifactPage,
  validateSearch: readDetails,
});
const signedIn = createRoute({ ...under, path: SIGN_IN_PAGES.finish, component: SignedInPage });
const settings = createRoute({ ...under, path: '/settings', component: SettingsPage });

const routeTree = root.addChildren([
  home,
  conversation.addChildren([item]),
  connectors,
  connector.addChildren([tool]),
  artifacts,
  artifact,
  settings,
  signedIn,
]);

export interface ConsoleRouterOptions {
  /** Where addresses are kept; by default the browser's own. */
  readonly history?: RouterHistory;
}

/** Every address of the console. */
export function createConsoleRouter(options: ConsoleRouterOptions = {}) {
  return createRouter({ ...options, routeTree, scrollRestoration: false });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
