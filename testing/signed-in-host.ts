import type { Connector, ConnectorStatus, Item, ToolCall } from '@portico/api';
import { bootstrapSchema, conversationDetailSchema } from '@portico/api';
import { expect } from 'vitest';
import { startHost } from './host-process.ts';
import type { HostProcess, HostProcessOptions } from './host-process.ts';
import { http } from './http.ts';

/** The built host, and a browser's session on it. */
export interface SignedInHost extends HostProcess {
  /** Asks the API, where success is expected; rejects with code and message otherwise. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Adds a program as a connector and approves it. */
  addProgram(name: string, args: readonly string[]): Promise<Connector>;
  connector(id: string): Promise<Connector>;
  /** Polls until the connector is in one of these states. */
  untilConnector(id: string, ...statuses: ConnectorStatus[]): Promise<Connector>;
  /** Begins a call of a tool in a conversation of its own. */
  callTool(connectorId: string, tool: string, input?: object): Promise<StartedCall>;
}

export interface StartedCall {
  /** Resolves with the call once it has ended, well or not; waits for a minute unless told otherwise. */
  ended(timeoutMs?: number): Promise<ToolCall>;
}

export async function startSignedInHost(options: HostProcessOptions = {}): Promise<SignedInHost> {
  const host = await startHost(options);
  const { origin } = host;
  const launch = await http(host.launchLink);
  const cookie = launch.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const change = { origin, 'content-type': 'application/json' };
    const answer = await http(origin + path, {
      method,
      headers: { cookie, ...(method === 'GET' ? {} : change) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return (answer.status === 204 ? undefined : answer.json()) as T;
  };
  const connector = async (id: string): Promise<Connector> => {
    const { connectors } = bootstrapSchema.parse(await call('GET', '/api/bootstrap'));
    const found = connectors.find((one) => one.id === id);
    if (found === undefined) throw new Error(`there is no connector ${id}`);
    return found;
  };
  return {
    ...host,
    call,
    connector,
    async addProgram(name, args) {
      const transport = { kind: 'stdio', command: process.execPath, args };
      const { id, pendingApproval } = await call<Connector>('POST', '/api/connectors', { name, transport });
      return await call('POST', `/api/connectors/${id}/approval`, { hash: pendingApproval?.hash });
    },
    async untilConnector(id, ...statuses) {
      await expect.poll(async () => (await connector(id)).status).toBeOneOf(statuses);
      return await connector(id);
    },
    async callTool(connectorId, tool, input = {}) {
      const conversation = await call<{ id: string }>('POST', '/api/conversations', {});
      const path = `/api/conversations/${conversation.id}`;
      const { id } = await call<ToolCall>('POST', `${path}/calls`, { connectorId, tool, arguments: input });
      const item = async (): Promise<Item | undefined> =>
        conversationDetailSchema.parse(await call('GET', path)).items.find((one) => one.id === id);
      const status = async (): Promise<string | undefined> => {
        const found = await item();
        return found?.type === 'tool_call' ? found.status : undefined;
      };
      return {
        async ended(timeoutMs = 60_000) {
          await expect.poll(status, { timeout: timeoutMs }).not.toBe('running');
          return (await item()) as ToolCall;
        },
      };
    },
  };
}
