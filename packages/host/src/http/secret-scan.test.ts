import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector, FrameSession, Item, ToolCall, ViewSession } from '@portico/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectorSignIn, followToCallback } from '../../../../testing/connector-sign-in.ts';
import { startGuardedServer } from '../../../../testing/guarded-server.ts';
import type { GuardedServer } from '../../../../testing/guarded-server.ts';
import { http } from '../../../../testing/http.ts';
import { memoryKeys, startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { createQuietLog } from '../../../../testing/quiet-log.ts';
import { startScriptedIssuer } from '../../../../testing/scripted-issuer.ts';
import type { ScriptedIssuer } from '../../../../testing/scripted-issuer.ts';
import { placesOf, recordStream } from '../../../../testing/seen-text.ts';
import type { RecordedStream, SeenText } from '../../../../testing/seen-text.ts';
import { DEMO_CONNECTOR_NAME } from '../demo/connector/index.ts';
import { createSandboxApp } from '../sandbox/sandbox-app.ts';
import type { SandboxAppOptions } from '../sandbox/sandbox-app.ts';
import { createConsoleApp } from './console-app.ts';
import type { ConsoleAppOptions } from './console-app.ts';

interface Route {
  readonly method: string;
  readonly path: string;
}

/** Stands for services: no route asks any before a request comes. */
const standIn: unknown = new Proxy({}, { get: () => standIn });

/** What is served, read from the programs that serve it, so that a new route is scanned with the others. */
const ROUTES_OF_CONSOLE = routesOf(
  createConsoleApp({
    services: standIn,
    gate: standIn,
    consoleFolder: '',
    log: createQuietLog(),
  } as ConsoleAppOptions),
);
const ROUTES_OF_SANDBOX = routesOf(
  createSandboxApp({ documents: standIn, port: () => 0 } as SandboxAppOptions),
);

function routesOf(app: { readonly routes: readonly Route[] }): readonly Route[] {
  const named = app.routes.filter(({ method, path }) => method !== 'ALL' && !path.includes('*'));
  return [...new Map(named.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values()];
}

const name = ({ method, path }: Route): string => `${method} ${path}`;

/** The connector as an MCP server. */
const isMcp = ({ path }: Route): boolean => path.endsWith('/mcp');

/** What ends something is asked for after everything else; a session can be ended only while it lasts. */
const isEnd = (route: Route): boolean =>
  (route.method === 'DELETE' && !isMcp(route)) || route.path.endsWith('/sign-out');

/** What is answered without an end. */
const isStream = (route: Route): boolean =>
  route.path === '/api/events' || (route.method === 'GET' && isMcp(route));

/** A call that waits for a person's word takes a model that asks for one. */
const REFUSED = new Set(['POST /api/conversations/:conversationId/calls/:callId/decision']);

describe('secrets that a host was given and has got', () => {
  let folder: string;
  let host: InProcessHost;
  let issuer: ScriptedIssuer;
  let server: GuardedServer;
  let stream: RecordedStream;
  let ids: Record<string, string>;
  let connectorIds: readonly string[];
  let urls: readonly string[];
  const statuses = new Map<string, number[]>();
  /** Of connectors as MCP servers. */
  const sessions = new Map<string, string>();
  const seen: SeenText[] = [];
  const signIn = connectorSignIn(() => host);

  const addConnector = async (transport: object, label: string): Promise<Connector> =>
    await host.call<Connector>('POST', '/api/connectors', { name: label, transport });
  const stdio = (value: string | null): object => ({
    kind: 'stdio',
    command: process.execPath,
    args: ['-e', 'console.error(process.env.KEY); process.exit(3)'],
    env: { KEY: value },
  });
  const web = (headers: object = {}): object => ({ kind: 'http', url: server.url, headers });
  const connectorOf = async (id: string): Promise<Connector> =>
    (await host.bootstrap()).connectors.find((connector) => connector.id === id)!;
  const transportOf = async (id: string): Promise<object> => {
    const { transport } = await connectorOf(id);
    if (transport.kind === 'stdio') return stdio('canary-variable-2');
    return transport.kind === 'http' && transport.headerNames.length > 0 ? web({ 'x-key': null }) : web();
  };
  const valuesOf = async (id: string): Promise<object> => {
    const { transport } = await connectorOf(id);
    if (transport.kind === 'stdio') return { KEY: 'canary-variable-4' };
    return transport.kind === 'http' && transport.headerNames.length > 0
      ? { 'x-key': 'canary-header-4' }
      : {};
  };
  const startCall = async (tool: string): Promise<ToolCall> =>
    await host.call<ToolCall>('POST', `/api/conversations/${ids['conversationId']}/calls`, {
      connectorId: ids['demo'],
      tool,
      arguments: {},
    });
  const ended =
    (id: string) =>
    (item: Item): boolean =>
      item.id === id && item.type === 'tool_call' && item.status !== 'running';

  /** Bodies with which routes do what they are for; others get an empty one. */
  const bodies: Record<string, (connectorId: string) => unknown> = {
    'POST /api/connectors': () => ({ name: 'More', transport: web({ 'x-key': 'canary-header-3' }) }),
    'PUT /api/connectors/:connectorId': async (id) => ({ name: 'Changed', transport: await transportOf(id) }),
    'POST /api/connectors/import': () => ({
      text: '{"mcpServers": {"A": {"command": "x", "env": {"K": "y"}}}}',
    }),
    'POST /api/connectors/split-command': () => ({ line: 'npx x' }),
    'POST /api/connectors/:connectorId/accounts': async (id) => ({
      label: 'Work',
      values: await valuesOf(id),
    }),
    'POST /api/connectors/:connectorId/mcp': () => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'scan', version: '1' } },
    }),
    'PUT /api/connectors/:connectorId/label': () => ({ label: 'Home' }),
    'PUT /api/connectors/:connectorId/enabled': () => ({ enabled: true }),
    'POST /api/connectors/:connectorId/approval': async (id) => ({
      hash: (await connectorOf(id)).pendingApproval?.hash ?? '',
    }),
    'PUT /api/connectors/:connectorId/identity': () => ({
      clientId: 'by-hand',
      clientSecret: 'canary-by-hand',
    }),
    'POST /api/sign-in/callback': async () => ({
      query: await followToCallback((await signIn.begin(ids['connectorId'] ?? ''))!),
    }),
    'PATCH /api/conversations/:conversationId': () => ({ title: 'Other' }),
    'POST /api/conversations/:conversationId/messages': () => ({ text: 'hello' }),
    'POST /api/conversations/:conversationId/calls': () => ({
      connectorId: ids['connectorId'],
      tool: 'whoami',
    }),
    'POST /api/conversations/:conversationId/calls/:callId/cancel': async () => {
      ids['callId'] = (await startCall('count_slowly')).id;
      return {};
    },
    'POST /api/conversations/:conversationId/calls/:callId/decision': () => ({ decision: 'allow' }),
    'POST /api/artifacts': () => ({ html: '<!doctype html><title>Page</title>' }),
    'PUT /api/artifacts/:artifactId/consent': () => ({ server: DEMO_CONNECTOR_NAME, decision: 'ask' }),
    'POST /api/frames': () => ({ artifactId: ids['artifactId'] }),
    'POST /api/frames/:frameId/calls': () => ({ server: DEMO_CONNECTOR_NAME, tool: 'list_notes' }),
    'POST /api/views': () => ({ conversationId: ids['conversationId'], callId: ids['viewCallId'] }),
    'POST /api/views/:viewId/requests': () => ({ method: 'resources/list' }),
  };
  const queries: Record<string, () => string> = {
    'GET /launch': () => new URL(host.host.launchLink()).search,
    'GET /sign-in/:connectorId': () => '?mode=window',
  };

  /** Asks one route; where it is about connectors, about each. */
  const visit = async (route: Route): Promise<void> => {
    const of = route.path.includes(':connectorId') ? connectorIds : [''];
    for (const connectorId of of) {
      const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
      const body = hasBody ? ((await bodies[name(route)]?.(connectorId)) ?? {}) : undefined;
      const at: Record<string, string> = connectorId === '' ? ids : { ...ids, connectorId };
      const path = route.path.replaceAll(/:(\w+)/g, (_match, parameter: string) => {
        expect(at, `an id for :${parameter}`).toHaveProperty(parameter);
        return at[parameter] ?? '';
      });
      const address = path + (queries[name(route)]?.() ?? '');
      if (isStream(route)) continue;
      const session = route.method === 'DELETE' ? sessions.get(connectorId) : undefined;
      const answer = await host.request(route.method, address, body, {
        headers: {
          accept: 'application/json, text/event-stream',
          ...(session === undefined ? {} : { 'mcp-session-id': session }),
        },
      });
      const opened = answer.headers['mcp-session-id'];
      if (typeof opened === 'string') sessions.set(connectorId, opened);
      statuses.set(name(route), [...(statuses.get(name(route)) ?? []), answer.status]);
    }
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portico-scan-'));
    issuer = await startScriptedIssuer();
    server = await startGuardedServer(issuer);
    const model = { apiKey: 'canary-model-key', baseUrl: 'http://127.0.0.1:9', model: 'none' };
    host = await startInProcessHost({ folder, keys: memoryKeys(), model });
    stream = await recordStream(host.origin, host.cookie);
    const [demo] = (await host.bootstrap()).connectors;
    await host.untilConnector(demo!.id, 'ready');
    const mail = await signIn.add(server.url);
    await signIn.finish(await followToCallback((await signIn.begin(mail.id))!));
    await host.untilConnector(mail.id, 'ready');
    const added = [
      await addConnector(web({ 'x-key': 'canary-header-1' }), 'Keyed'),
      await addConnector(stdio('canary-variable-1'), 'Child'),
    ];
    connectorIds = [mail.id, demo!.id, ...added.map(({ id }) => id)];
    const conversation = await host.newConversation();
    ids = { connectorId: mail.id, demo: demo!.id, conversationId: conversation.id };
    const shown = await startCall('show_weather');
    await host.untilItem(conversation.id, ended(shown.id));
    const view = await host.call<ViewSession>('POST', '/api/views', {
      conversationId: conversation.id,
      callId: shown.id,
    });
    const [artifact] = (await host.bootstrap()).artifacts;
    const frame = await host.call<FrameSession>('POST', '/api/frames', { artifactId: artifact!.id });
    Object.assign(ids, {
      viewCallId: shown.id,
      viewId: view.viewId,
      frameId: frame.frameId,
      artifactId: artifact!.id,
      callId: shown.id,
    });
    urls = [view.url, `${view.url}/app`, frame.url];
  });
  afterAll(async () => {
    stream.close();
    await host.close();
    await server.close();
    await issuer.close();
    rmSync(folder, { recursive: true });
  });

  it('K34 come back from no route of the host, no stream, no log and no file', async () => {
    const ends = ROUTES_OF_CONSOLE.filter(isEnd).toSorted((a, b) => b.path.length - a.path.length);
    for (const route of [...ROUTES_OF_CONSOLE.filter((each) => !isEnd(each)), ...ends]) await visit(route);
    for (const url of urls) seen.push({ where: url, bytes: Buffer.from((await http(url)).text) });
    const { seq } = await host.bootstrap();
    await stream.waitFor(`id: ${seq}\n`);
    const canaries = [
      'canary-',
      ...new Set(issuer.sent.filter((secret) => secret.length > 30 && !isState(secret))),
    ];
    expect(canaries.length).toBeGreaterThan(1);
    await host.kill();
    seen.push(stream.seen(), { where: 'log', bytes: Buffer.from(JSON.stringify(host.log.lines)) });
    for (const [index, text] of host.answers.entries())
      seen.push({ where: `answer ${index}`, bytes: Buffer.from(text) });
    for (const file of readdirSync(folder).filter((each) => each.startsWith('portico.db')))
      seen.push({ where: file, bytes: readFileSync(join(folder, file)) });
    expect(placesOf(canaries, seen)).toEqual([]);
  });

  /** States are in the address that the browser is sent to, and are no secret to it. */
  const isState = (secret: string): boolean => host.answers.some((text) => text.includes(`state=${secret}`));

  it('K34 were there to come back from every route: each did what it is for', () => {
    const idle = ROUTES_OF_CONSOLE.filter((route) => !isStream(route))
      .map(name)
      .filter((route) => !(statuses.get(route) ?? []).some((status) => status < 400));
    expect(new Set(idle)).toEqual(REFUSED);
    expect(ROUTES_OF_SANDBOX.map(({ path }) => path).filter((path) => !path.startsWith('/sandbox'))).toEqual([
      '/view/:token',
      '/view/:token/app',
      '/frame/:token',
      '/probe',
    ]);
  });
});
