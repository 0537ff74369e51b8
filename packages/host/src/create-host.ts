import { PROCESS_POLICY, REMOTE_POLICY, createConnections } from '@portico/connections';
import type { Connections } from '@portico/connections';
import { SIGN_IN_PAGES } from '@portico/api';
import { UI_EXTENSION_ID, UI_MIME_TYPE } from '@portico/spec';
import { createAgentRuns } from './agent-runs/agent-runs.ts';
import type { AgentRuns } from './agent-runs/agent-runs.ts';
import { createModelConnection, modelInfo } from './agent-runs/model-connection.ts';
import { recoverConversations } from './agent-runs/recover.ts';
import { createSessionHistory } from './agent-runs/session-history.ts';
import { createArtifactService } from './artifacts/artifact-service.ts';
import type { ArtifactService } from './artifacts/artifact-service.ts';
import { createFrameCalls } from './artifacts/frame-calls.ts';
import { createFrameSessions } from './artifacts/frame-sessions.ts';
import { createCallRunner } from './conversations/call-runner.ts';
import type { CallRunner } from './conversations/call-runner.ts';
import { createConversationBook } from './conversations/conversation-book.ts';
import type { ConversationBook } from './conversations/conversation-book.ts';
import { createDirectCalls } from './conversations/direct-calls.ts';
import { addDemo, builtinServers } from './demo-content.ts';
import { createEventHub } from './events/event-hub.ts';
import type { EventHub } from './events/event-hub.ts';
import { createChallengedCalls } from './gateway/challenged-calls.ts';
import { createConnectorRegistry } from './gateway/connector-registry.ts';
import type { ConnectorRegistry } from './gateway/connector-registry.ts';
import { createConnectorService } from './gateway/connector-service.ts';
import type { ConnectorService } from './gateway/connector-service.ts';
import { createConnectorTransports } from './gateway/connector-transports.ts';
import type { ConnectorTransports } from './gateway/connector-transports.ts';
import { createFirstUse } from './gateway/first-use.ts';
import type { FirstUse } from './gateway/first-use.ts';
import { createReadiness } from './gateway/readiness.ts';
import { secretHider } from './gateway/secret-hider.ts';
import type { Host, HostOptions } from './host-options.ts';
import { createConsoleApp } from './http/console-app.ts';
import { consoleOrigins, mainOrigin } from './http/host-gate.ts';
import { createHostServer } from './http/node-listener.ts';
import { bindLoopback } from './listen-port.ts';
import { createConnectorAudience } from './mcp/connector-audience.ts';
import type { ConnectorAudience } from './mcp/connector-audience.ts';
import { createConnectorEndpoints } from './mcp/connector-endpoints.ts';
import type { ConnectorEndpoints } from './mcp/connector-endpoints.ts';
import { createConnectorProxy } from './mcp/connector-proxy.ts';
import type { ConnectorRecord } from './ports/stores.ts';
import { createKeyRotation } from './secrets/key-rotation.ts';
import { createSandboxApp } from './sandbox/sandbox-app.ts';
import { createSandboxDocuments } from './sandbox/sandbox-documents.ts';
import { loadSandboxLabels } from './sandbox/sandbox-labels.ts';
import { createSignInService } from './sign-in/sign-in-service.ts';
import type { SignInService } from './sign-in/sign-in-service.ts';
import { createViewRequests } from './views/view-requests.ts';
import { createViewSessions } from './views/view-sessions.ts';

/** Open streams and slow answers get this long to end at close, in milliseconds. */
const DRAIN_MS = 2000;

interface Gateway {
  readonly connections: Connections;
  readonly registry: ConnectorRegistry;
  readonly connectors: ConnectorService;
  readonly signIns: SignInService;
  readonly transports: ConnectorTransports;
  readonly audience: ConnectorAudience;
}

interface Rooms extends Gateway {
  readonly hub: EventHub;
  readonly book: ConversationBook;
  readonly calls: Pick<Connections, 'callTool'>;
  readonly firstUse: FirstUse;
  readonly runner: CallRunner;
  readonly runs: AgentRuns;
  readonly artifacts: ArtifactService;
  readonly endpoints: ConnectorEndpoints;
}

/**
 * Starts a host on its stores and ports: puts right what an earlier run left behind, listens, and
 * then connects the connectors in the background.
 * @throws HostError port_in_use, port_not_allowed, no_free_port
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const { stores, clock, log } = options;
  let port = 0;
  const rooms = await openRooms(options, () => port);
  const { hub, book, registry } = rooms;
  await Promise.all([book.load(), registry.load()]);
  await recoverConversations({ stores, book, clock });
  const rotation = createKeyRotation({
    keys: options.keys,
    box: options.secrets,
    places: [rooms.connectors, rooms.signIns],
  });
  await rotation.resume();
  const server = createHostServer({ ...(await openApps(options, rooms, () => port)), port: () => port, log });
  const bound = await bindLoopback(server, options.listen);
  port = bound.port;
  const onUnhandled = (reason: unknown): void =>
    log.error('something was rejected that nobody waited for', {
      error: reason instanceof Error ? reason.stack : String(reason),
    });
  process.on('unhandledRejection', onUnhandled);
  await registry.start();
  await rooms.runs.resumeWaiting();
  await addDemo({ settings: stores.settings, connectors: rooms.connectors, artifacts: rooms.artifacts });

  const close = async (): Promise<void> => {
    bound.close();
    rooms.runner.suspend();
    await rooms.runs.close();
    await rooms.runner.close();
    await rooms.endpoints.close();
    registry.close();
    await rooms.connections.close();
    await rooms.signIns.close();
    await hub.close();
    await endConnections(server, clock);
    process.off('unhandledRejection', onUnhandled);
  };
  let closing: Promise<void> | undefined;
  return {
    port,
    origin: mainOrigin(port),
    launchLink: () => `${mainOrigin(port)}/launch?token=${options.launchLinks.issue()}`,
    publish: (page) => rooms.artifacts.publish(page),
    status: () => ({
      version: options.version,
      port,
      origin: mainOrigin(port),
      connectors: rooms.connectors.list(),
      runningTurns: rooms.runs.running,
    }),
    rotateKey: () => rotation.rotate(),
    close: () => (closing ??= close()),
  };
}

async function openRooms(options: HostOptions, port: () => number): Promise<Rooms> {
  const { stores, clock, log } = options;
  const hub = await createEventHub({ store: stores.events, clock, log });
  const gateway = openGateway(options, hub, port);
  const { connectors, connections, registry, signIns } = gateway;
  const book = createConversationBook({ stores, hub, clock, log });
  const wantsMore = (record: ConnectorRecord): boolean => signIns.view(record)?.asks !== undefined;
  const readiness = createReadiness({ connections, registry, wantsMore });
  const firstUse = createFirstUse({ connections, registry, clock });
  const calls = createChallengedCalls({ connections, registry, signIns });
  const runner = createCallRunner({ book, connections: calls, readiness, clock });
  const model = options.model === undefined ? undefined : createModelConnection(options.model);
  const history = createSessionHistory(stores.history);
  const runs = createAgentRuns({ model, book, runner, connectors, firstUse, history, clock, log });
  const artifacts = createArtifactService({
    artifacts: stores.artifacts,
    consents: stores.consents,
    clock,
    publish: (event) => hub.publish(event),
    addressOf: (artifactId) => `${mainOrigin(port())}/artifacts/${artifactId}`,
  });
  const endpoints = openEndpoints(options, { ...gateway, calls }, port);
  return { ...gateway, hub, book, calls, firstUse, runner, runs, artifacts, endpoints };
}

/** Connectors as MCP servers, for the console's own pages. */
function openEndpoints(
  { clock }: HostOptions,
  { connections, connectors, registry, transports, audience, calls }: Gateway & Pick<Rooms, 'calls'>,
  port: () => number,
): ConnectorEndpoints {
  const hide = (id: string, text: string): string => {
    const record = registry.find(id);
    return record === undefined ? text : secretHider(transports.secretsOf(record))(text);
  };
  return createConnectorEndpoints({
    proxy: createConnectorProxy({ connections, calls, audience, hide }),
    audience,
    connections,
    clock,
    connector: (id) => connectors.get(id),
    origins: () => consoleOrigins(port()),
  });
}

function openGateway(options: HostOptions, hub: EventHub, port: () => number): Gateway {
  const { stores, secrets, clock, log } = options;
  const signIns = createSignInService({
    grants: stores.grants,
    signIns: stores.signIns,
    leases: stores.leases,
    secrets,
    clock,
    log,
    clientMetadataUrl: options.clientMetadataUrl,
    // Authorization servers know this machine by its address, not by names that only browsers resolve.
    redirectUrl: () => `http://127.0.0.1:${port()}${SIGN_IN_PAGES.callback}`,
    changed: (id) => {
      const record = registry.find(id);
      if (record !== undefined) registry.announce(record);
    },
    ending: async (id) => {
      if (connections.get(id) !== undefined) await connections.disconnect(id, 'stopped');
    },
    granted: (id) =>
      connectors.restart(id).then(
        () => undefined,
        // It may have been removed while the person was away.
        (error: unknown) => log.error('an account was not connected anew', { error: String(error) }),
      ),
  });
  const transports = createConnectorTransports({
    secrets,
    clock,
    keeper: options.keeper,
    tokensFor: (record) => signIns.tokensFor(record),
    builtins: builtinServers(clock),
  });
  const audience = createConnectorAudience();
  const connections = createConnections({
    clock,
    onNotification: (id, notification) => audience.tell(id, notification),
    clientInfo: { name: 'portico', title: 'Portico', version: options.version },
    capabilities: { extensions: { [UI_EXTENSION_ID]: { mimeTypes: [UI_MIME_TYPE] } } },
    // As it is stored now: a key may have been exchanged since the connection was added.
    createTransport: (id, definition) =>
      transports.create(registry.find(id) ?? (definition as ConnectorRecord)),
    policyFor: (_id, definition) =>
      (definition as ConnectorRecord).transport.kind === 'stdio' ? PROCESS_POLICY : REMOTE_POLICY,
  });
  const registry = createConnectorRegistry({
    store: stores.connectors,
    log,
    connections,
    transports,
    publish: (event) => hub.publish(event),
    authOf: (record) => signIns.view(record),
    added: (record) => signIns.load(record),
    removed: (id) => signIns.forget(id),
  });
  connections.subscribe(() => {
    for (const record of registry.records()) {
      if (connections.get(record.id)?.status === 'ready') signIns.answered(record);
    }
  });
  const connectors = createConnectorService({ registry, transports, secrets, clock });
  return { connections, registry, connectors, signIns, transports, audience };
}

async function openApps(options: HostOptions, rooms: Rooms, port: () => number) {
  const { stores, clock, log } = options;
  const { connectors, connections, calls, firstUse, book, runner } = rooms;
  const labels = await loadSandboxLabels(stores.settings);
  const documents = createSandboxDocuments();
  const frames = createFrameSessions({
    service: rooms.artifacts,
    artifacts: stores.artifacts,
    consents: stores.consents,
    documents,
    labels,
    calls: createFrameCalls({ connectors, connections: calls, consents: stores.consents, firstUse }),
    kernelBundleFile: options.kernelBundleFile,
    port,
  });
  const requests = createViewRequests({ connectors, connections, calls, firstUse });
  const { proxyBundleFile } = options;
  const views = createViewSessions({
    book,
    connectors,
    connections,
    requests,
    firstUse,
    documents,
    labels,
    proxyBundleFile,
    port,
  });
  const directCalls = createDirectCalls({ book, connectors, runner, firstUse, clock, log });
  // There is one person, and the session gate lets nobody else pass.
  const roleOf = (): string => 'owner';
  const overview = { version: options.version, model: modelInfo(options.model), clock, port, roleOf };
  const consoleApp = createConsoleApp({
    services: { ...rooms, ...overview, directCalls, frames, views },
    gate: { sessions: options.sessions, launchLinks: options.launchLinks, port },
    consoleFolder: options.consoleFolder,
    log,
  });
  return { consoleApp, sandboxApp: createSandboxApp({ documents, port, log }) };
}

/** Waits for answers that are under way, then ends what is left. */
async function endConnections(
  server: ReturnType<typeof createHostServer>,
  clock: HostOptions['clock'],
): Promise<void> {
  server.closeIdleConnections();
  await new Promise<void>((resolve) => {
    const timer = clock.setTimer(DRAIN_MS, () => {
      server.closeAllConnections();
      resolve();
    });
    server.close(() => {
      timer.cancel();
      resolve();
    });
  });
}
