import type { AgentTool, CanUseTool, PermissionResult, ToolSource } from '@portico/agent';
import type { ToolCall } from '@portico/api';
import type { CallToolResult } from '@portico/spec';
import { ApiRefusal } from '../api-refusal.ts';
import type { CallRunner } from '../conversations/call-runner.ts';
import type { ConversationBook } from '../conversations/conversation-book.ts';
import { describeCall, itemId } from '../conversations/direct-calls.ts';
import type { ConnectorService } from '../gateway/connector-service.ts';
import type { Clock } from '../ports/clock.ts';
import type { Approvals } from './approvals.ts';

const DENIED = 'The person declined this call.';

export interface TurnToolsOptions {
  readonly conversationId: string;
  readonly connectors: ConnectorService;
  readonly book: ConversationBook;
  readonly runner: CallRunner;
  readonly approvals: Approvals;
  readonly clock: Clock;
  /** Called before a call shows, so that the text before it is complete. */
  endText(): Promise<void>;
  /** Whether the host is ending: then what waits for the person goes on waiting. */
  isClosing(): boolean;
}

/** What the model of one turn may use, and who is asked before it does. */
export interface TurnTools {
  readonly source: ToolSource;
  readonly canUseTool: CanUseTool;
}

interface Place {
  readonly connectorId: string;
  readonly tool: string;
}

export function createTurnTools(options: TurnToolsOptions): TurnTools {
  const { conversationId, connectors, book, runner, approvals, clock } = options;
  const places = new Map<string, Place>();
  const approved = new Map<string, ToolCall>();
  /** Calls that the person denied in this turn: the same again is declined without asking (K68). */
  const denied = new Map<string, string>();

  const list = (): AgentTool[] => {
    places.clear();
    return connectors.records().flatMap((record) => {
      const status = connectors.state(record.id)?.status;
      if (!record.enabled || (status !== 'ready' && status !== 'degraded')) return [];
      const tools = connectors.tools(record.id).filter((tool) => tool.visibility.includes('model'));
      return tools.map((tool): AgentTool => {
        const name = `mcp__${record.name}__${tool.name}`;
        places.set(name, { connectorId: record.id, tool: tool.name });
        return {
          name,
          server: record.name,
          ...(tool.title === undefined ? {} : { title: tool.title }),
          ...(tool.description === undefined ? {} : { description: tool.description }),
          inputSchema: tool.inputSchema,
          ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
        };
      });
    });
  };
  const propose = (name: string, input: Record<string, unknown>, toolUseId: string | undefined): ToolCall => {
    const place = places.get(name);
    if (place === undefined) throw new ApiRefusal('not_found', 'There is no such tool.');
    const id = itemId('call', conversationId, toolUseId);
    return describeCall(connectors, {
      ...place,
      id,
      arguments: input,
      origin: 'model',
      createdAtMs: clock.now(),
    });
  };
  const put = (call: ToolCall): Promise<void> => book.putItem(conversationId, call);
  const refuse = async (call: ToolCall, message: string): Promise<PermissionResult> => {
    await put({ ...call, status: 'denied', endedAtMs: clock.now() });
    return { behavior: 'deny', message };
  };
  const ask = async (call: ToolCall, signal: AbortSignal): Promise<PermissionResult> => {
    const identity = JSON.stringify([call.connectorId, call.tool, sorted(call.arguments)]);
    const earlier = denied.get(identity);
    if (earlier !== undefined) return await refuse(call, earlier);
    await put({ ...call, status: 'waiting_approval' });
    const decision = await approvals.wait(call.id, signal);
    if (decision === undefined) {
      if (!options.isClosing()) await put({ ...call, status: 'cancelled', endedAtMs: clock.now() });
      return { behavior: 'deny', message: 'The turn was stopped.' };
    }
    if (decision.decision === 'deny') {
      const message = decision.message === undefined ? DENIED : `${DENIED} They say: ${decision.message}`;
      denied.set(identity, message);
      return await refuse(call, message);
    }
    approved.set(call.id, call);
    return { behavior: 'allow', updatedInput: call.arguments };
  };

  return {
    async canUseTool(name, input, { signal, toolUseID }) {
      await options.endText();
      try {
        return await ask(propose(name, input, toolUseID), signal);
      } catch (error) {
        if (!(error instanceof ApiRefusal)) throw error;
        return { behavior: 'deny', message: error.message };
      }
    },
    source: {
      list,
      async call(_name, _input, { signal, toolUseId }): Promise<CallToolResult> {
        const id = itemId('call', conversationId, toolUseId);
        const call = approved.get(id);
        // Whatever the agent's own rules say, nothing runs here that the person did not allow.
        if (call === undefined) return textFailure('The call was not approved.');
        approved.delete(id);
        const { item, result } = await runner.run(conversationId, call, signal);
        return result ?? failureResult(item);
      },
      servers: () => connectors.records().map(({ name }) => ({ name, status: 'connected' })),
    },
  };
}

function failureResult(item: ToolCall): CallToolResult {
  return item.status === 'cancelled'
    ? textFailure('The call was cancelled; it may have had an effect.')
    : textFailure(item.problem?.message ?? 'The call failed.');
}

function textFailure(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** The same value with members in one order, so that equal arguments give equal text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member)]));
}
