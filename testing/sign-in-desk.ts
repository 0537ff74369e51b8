import type { Connector, SignInAttempt, SignInResult, ToolCall } from '@portico/api';
import { vi } from 'vitest';
import { startAuthorizationServer, walkToCallback } from './authorization-server.ts';
import type { AuthorizationServer, AuthorizationServerOptions } from './authorization-server.ts';
import { startGuardedServer } from './guarded-server.ts';
import type { GuardedServer, GuardedServerOptions } from './guarded-server.ts';
import { startInProcessHost } from './in-process-host.ts';
import type { InProcessHost, InProcessOptions } from './in-process-host.ts';

/** A host with a person at it, an MCP server, and who signs people in to that. */
export interface SignInDesk {
  readonly running: InProcessHost;
  readonly guard: AuthorizationServer;
  readonly server: GuardedServer;
  add(): Promise<string>;
  connector(id: string): Promise<Connector>;
  /** The connector, as soon as it fits. */
  until(id: string, fits: (connector: Connector) => boolean): Promise<Connector>;
  /** As the window does: to our page, and answers where the other site is. */
  begin(id: string): Promise<URL>;
  /** The person agrees there and comes back. */
  finish(authorizationUrl: URL): Promise<SignInResult>;
  signIn(id: string): Promise<SignInResult>;
  attempts(id: string): Promise<readonly SignInAttempt[]>;
  /** Calls the server's tool and answers how that ended, or what it waits for. */
  callTool(id: string): Promise<ToolCall>;
  /** How a call ended that waited. */
  ended(waiting: ToolCall): Promise<ToolCall>;
  close(): Promise<void>;
}

export async function openSignInDesk(
  options: AuthorizationServerOptions & GuardedServerOptions & Pick<InProcessOptions, 'clock'> = {},
): Promise<SignInDesk> {
  const guard = await startAuthorizationServer(options);
  const server = await startGuardedServer(guard, options);
  const running = await startInProcessHost(options.clock === undefined ? {} : { clock: options.clock });
  const connector = (id: string): Promise<Connector> => connectorOf(running, id);
  /** Conversations by their call. */
  const conversations = new Map<string, string>();
  const begin = async (id: string): Promise<URL> => {
    const { status, headers, text } = await running.request('GET', `/sign-in/${id}?mode=window`);
    if (status !== 303) throw new TypeError(`the sign-in does not begin: ${status} ${text}`);
    return new URL(String(headers.location));
  };
  const finish = async (url: URL): Promise<SignInResult> => {
    const redirectUrl = `http://127.0.0.1:${running.host.port}/oauth/callback`;
    const query = `?${(await walkToCallback(url, redirectUrl)).toString()}`;
    return await running.call('POST', '/api/sign-in/callback', { query });
  };
  return {
    running,
    guard,
    server,
    connector,
    begin,
    finish,
    async add() {
      const transport = { kind: 'http', url: server.url, headers: {} };
      return (await running.call<Connector>('POST', '/api/connectors', { name: 'Mail', transport })).id;
    },
    // Asked for again and again: events of the past may fit as well.
    until: (id, fits) =>
      vi.waitFor(
        async () => {
          const now = await connector(id);
          if (fits(now)) return now;
          throw new TypeError(`it is ${JSON.stringify(now)}`);
        },
        { timeout: 10_000, interval: 25 },
      ),
    signIn: async (id) => await finish(await begin(id)),
    attempts: async (id) =>
      (await running.call<{ attempts: SignInAttempt[] }>('GET', `/api/connectors/${id}/sign-ins`)).attempts,
    async callTool(id) {
      const conversation = await running.newConversation();
      const call = await running.call<{ id: string }>('POST', `/api/conversations/${conversation.id}/calls`, {
        connectorId: id,
        tool: 'whoami',
        arguments: {},
      });
      conversations.set(call.id, conversation.id);
      return await untilCall(running, conversation.id, (item) => item.id === call.id && !isRunning(item));
    },
    ended: (waiting) =>
      untilCall(
        running,
        conversations.get(waiting.id) ?? '',
        (item) => item.id === waiting.id && !isRunning(item) && item.status !== 'waiting_sign_in',
      ),
    async close() {
      await running.close();
      await server.close();
      await guard.close();
    },
  };
}

async function connectorOf(running: InProcessHost, id: string): Promise<Connector> {
  const { connectors } = await running.bootstrap();
  const found = connectors.find((connector) => connector.id === id);
  if (found === undefined) throw new TypeError(`there is no connector ${id}`);
  return found;
}

async function untilCall(
  running: InProcessHost,
  conversationId: string,
  fits: (call: ToolCall) => boolean,
): Promise<ToolCall> {
  const found = await running.untilItem(conversationId, (item) => item.type === 'tool_call' && fits(item));
  if (found.type !== 'tool_call') throw new TypeError(`a ${found.type} is no call`);
  return found;
}

function isRunning({ status }: ToolCall): boolean {
  return status === 'running';
}
