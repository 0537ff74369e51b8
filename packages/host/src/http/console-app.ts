import { ROUTES } from '@portico/api';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { ApiRefusal } from '../api-refusal.ts';
import type { ConnectorService } from '../gateway/connector-service.ts';
import type { Log } from '../host-options.ts';
import { answerError } from './answer-errors.ts';
import { serveConsoleFile } from './console-files.ts';
import { originGate } from './origin-gate.ts';
import { addArtifactRoutes } from './routes/artifact-routes.ts';
import type { ArtifactServices } from './routes/artifact-routes.ts';
import { addConnectorMcpRoutes } from './routes/connector-mcp-routes.ts';
import type { ConnectorMcpServices } from './routes/connector-mcp-routes.ts';
import { addConnectorRoutes } from './routes/connector-routes.ts';
import { addConversationRoutes } from './routes/conversation-routes.ts';
import type { ConversationServices } from './routes/conversation-routes.ts';
import { addOverviewRoutes } from './routes/overview-routes.ts';
import type { OverviewServices } from './routes/overview-routes.ts';
import { addSignInRoutes } from './routes/sign-in-routes.ts';
import type { SignInServices } from './routes/sign-in-routes.ts';
import { addViewRoutes } from './routes/view-routes.ts';
import { securityHeaders } from './security-headers.ts';
import { LAUNCHED_PATH, launch, launched, sessionGate } from './session-gate.ts';
import type { SessionGateOptions } from './session-gate.ts';
import type { ViewSessions } from '../views/view-sessions.ts';

export interface ConsoleServices
  extends OverviewServices, ConversationServices, ArtifactServices, SignInServices, ConnectorMcpServices {
  readonly connectors: ConnectorService;
  readonly views: ViewSessions;
}

export interface ConsoleAppOptions {
  readonly services: ConsoleServices;
  readonly gate: SessionGateOptions;
  readonly consoleFolder: string;
  readonly log: Log;
}

/** Everything that the console's own hosts serve: launch, API and the built console. */
export function createConsoleApp(options: ConsoleAppOptions): Hono {
  const { services, gate, log } = options;
  const app = new Hono();
  app.use(securityHeaders(gate.port));
  app.use(originGate(gate.port));
  app.use(sessionGate(gate));
  app.onError((error, context) => answerError(error, context, log));
  app.get('/launch', (context) => launch(context, gate));
  app.get(LAUNCHED_PATH, launched);
  addOverviewRoutes(app, services);
  addConnectorRoutes(app, services.connectors);
  addConnectorMcpRoutes(app, services);
  addSignInRoutes(app, services);
  addConversationRoutes(app, services);
  addArtifactRoutes(app, services);
  addViewRoutes(app, services.views);
  const refuse = (context: Context): Response => answerError(unknownRoute(app, context), context, log);
  app.all('/api/*', refuse);
  app.get('*', (context) => serveConsoleFile(context, options.consoleFolder));
  app.notFound(refuse);
  return app;
}

/** Tells a wrong method from a wrong address. */
function unknownRoute(app: Hono, context: Context): ApiRefusal {
  const { method, path } = context.req;
  const isKnown = Object.values(ROUTES).some((route) => matches(route, path));
  if (!isKnown) return new ApiRefusal('not_found', 'There is nothing at this address.');
  const methods = app.routes.filter(
    (route) => route.method !== 'ALL' && matches(route.path, path) && route.path !== '*',
  );
  context.header('allow', [...new Set(methods.map((route) => route.method))].join(', '));
  return new ApiRefusal('method_not_allowed', `${method} is not possible here.`);
}

function matches(route: string, path: string): boolean {
  const [expected, given] = [route.split('/'), path.split('/')];
  return (
    expected.length === given.length &&
    expected.every((part, index) => part.startsWith(':') || part === given[index])
  );
}
