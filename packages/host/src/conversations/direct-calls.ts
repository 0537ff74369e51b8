import { createHash } from 'node:crypto';
import type { StartCall, ToolCall } from '@portico/api';
import { ApiRefusal } from '../api-refusal.ts';
import type { ConnectorService } from '../gateway/connector-service.ts';
import type { FirstUse } from '../gateway/first-use.ts';
import type { Log } from '../host-options.ts';
import type { Clock } from '../ports/clock.ts';
import { newId } from '../random-ids.ts';
import type { CallRunner } from './call-runner.ts';
import type { ConversationBook } from './conversation-book.ts';

export interface DirectCallOptions {
  readonly book: ConversationBook;
  readonly connectors: Pick<ConnectorService, 'record' | 'state' | 'tools'>;
  readonly runner: CallRunner;
  readonly firstUse: Pick<FirstUse, 'begin'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Calls that the person makes with their own hands (K53). */
export interface DirectCalls {
  /**
   * Starts a call and answers with its running item: at once, unless its connector has to be started first. The same `clientId` starts it once.
   * @throws ApiRefusal not_found, connector_not_ready
   */
  start(conversationId: string, request: StartCall): Promise<ToolCall>;
}

export function createDirectCalls(options: DirectCallOptions): DirectCalls {
  const { book, connectors, runner, firstUse, clock, log } = options;
  const starting = new Map<string, Promise<ToolCall>>();

  const begin = async (conversationId: string, request: StartCall, id: string): Promise<ToolCall> => {
    await book.get(conversationId);
    const known = await book.item(conversationId, id);
    if (known?.type === 'tool_call') return known;
    await firstUse.begin(request.connectorId);
    const item = describeCall(connectors, { ...request, id, origin: 'person', createdAtMs: clock.now() });
    await book.suggestTitle(conversationId, item.title ?? item.tool);
    await book.putItem(conversationId, { ...item, status: 'running' });
    runner
      .run(conversationId, item)
      .catch((error: unknown) => log.error('a call was not written', { error: String(error) }));
    return { ...item, status: 'running' };
  };

  return {
    async start(conversationId, request) {
      const id = itemId('call', conversationId, request.clientId);
      const running = starting.get(id) ?? begin(conversationId, request, id);
      starting.set(id, running);
      try {
        return await running;
      } finally {
        starting.delete(id);
      }
    },
  };
}

/** Id of an item, always the same for one client id of one conversation (K162). */
export function itemId(kind: string, conversationId: string, clientId: string | undefined): string {
  if (clientId === undefined) return newId(kind);
  const hash = createHash('sha256')
    .update(JSON.stringify([kind, conversationId, clientId]))
    .digest('hex');
  return `${kind}_${hash.slice(0, 24)}`;
}

export interface CallDescription {
  readonly id: string;
  readonly connectorId: string;
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  readonly origin: ToolCall['origin'];
  readonly createdAtMs: number;
}

/**
 * The item of a call that is about to run, with what its server says about the tool.
 * @throws ApiRefusal not_found for an unknown connector or tool, connector_not_ready
 */
export function describeCall(
  connectors: Pick<ConnectorService, 'record' | 'state' | 'tools'>,
  call: CallDescription,
): ToolCall {
  const record = connectors.record(call.connectorId);
  if (record === undefined) throw new ApiRefusal('not_found', 'There is no such connector.');
  const status = connectors.state(record.id)?.status;
  if (!record.enabled || (status !== 'ready' && status !== 'degraded')) {
    throw new ApiRefusal('connector_not_ready', `The connector "${record.name}" is not ready.`);
  }
  const tool = connectors.tools(record.id).find((candidate) => candidate.name === call.tool);
  if (tool === undefined)
    throw new ApiRefusal('not_found', `"${record.name}" has no tool called "${call.tool}".`);
  return {
    type: 'tool_call',
    id: call.id,
    createdAtMs: call.createdAtMs,
    connectorId: record.id,
    connectorName: record.name,
    tool: tool.name,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    ...(tool.description === undefined ? {} : { description: tool.description }),
    ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
    ...(tool.viewUri === undefined ? {} : { viewUri: tool.viewUri }),
    arguments: call.arguments,
    origin: call.origin,
    status: 'running',
  };
}
