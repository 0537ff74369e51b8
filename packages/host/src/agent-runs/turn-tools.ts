import type { AgentTool, CanUseTool, PermissionResult, ToolSource } from '@portico/agent';
import { modelToolName } from '@portico/agent/provider';
import type { ApprovalDecision, ToolCall } from '@portico/api';
import type { CallToolResult } from '@portico/spec';
import { ApiRefusal } from '../api-refusal.ts';
import type { CallRunner } from '../conversations/call-runner.ts';
import type { ConversationBook } from '../conversations/conversation-book.ts';
import { describeCall, itemId } from '../conversations/direct-calls.ts';
import type { ConnectorService } from '../gateway/connector-service.ts';
import { FIRST_LIST_WAIT_MS } from '../gateway/first-use.ts';
import type { FirstUse } from '../gateway/first-use.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConnectorRecord } from '../ports/stores.ts';
import type { Approvals } from './approvals.ts';
import { createDenials } from './denials.ts';

export interface TurnToolsOptions {
  readonly conversationId: string;
  readonly connectors: ConnectorService;
  readonly book: ConversationBook;
  readonly runner: CallRunner;
  readonly firstUse: Pick<FirstUse, 'beginAll'>;
  readonly approvals: Approvals;
  readonly clock: Clock;
  /** Called before a call shows, so that the text before it is complete. */
  endText(): Promise<void>;
  /** Whether the host is ending: then what waits for the person goes on waiting. */
  isClosing(): boolean;
}

/** What the model of one turn may use, and who is asked before it does. */
export interface TurnTools {
  /** Starts what waits for its first use, since nobody knows otherwise what there is to use. Never rejects. */
  begin(signal: AbortSignal): Promise<void>;
  readonly source: ToolSource;
  readonly canUseTool: CanUseTool;
}

export function createTurnTools(options: TurnToolsOptions): TurnTools {
  const { conversationId, connectors, runner, clock } = options;
  /** The model's name of a tool → where it is. */
  const places = new Map<string, ToolPlace>();
  const approved = new Map<string, ToolCall>();
  const ask = createAsking(options, approved);

  const propose = (name: string, input: Record<string, unknown>, toolUseId: string | undefined): ToolCall => {
    const place = places.get(name);
    if (place === undefined) throw new ApiRefusal('not_found', 'There is no such tool.');
    const { connectorId, tool } = place;
    const id = itemId('call', conversationId, toolUseId);
    const call = { id, connectorId, tool, arguments: input, createdAtMs: clock.now() };
    return describeCall(connectors, { ...call, origin: 'model' });
  };

  return {
    begin: (signal) => options.firstUse.beginAll({ signal, limitMs: FIRST_LIST_WAIT_MS }),
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
      list() {
        places.clear();
        const offered = offeredTools(connectors);
        for (const place of offered) places.set(modelToolName(place.offer.name), place);
        return offered.map(({ offer }) => offer);
      },
      async call(_name, _input, { signal, toolUseId }): Promise<CallToolResult> {
        const id = itemId('call', conversationId, toolUseId);
        const call = approved.get(id);
        // Whatever the agent's own rules say, nothing runs here that the person did not allow.
        if (call === undefined) return textFailure('The call was not approved.');
        approved.delete(id);
        const { item, result } = await runner.run(conversationId, call, { signal });
        return result ?? failureResult(item);
      },
    },
  };
}

interface ToolPlace {
  readonly connectorId: string;
  readonly tool: string;
  readonly offer: AgentTool;
}

/** The tools of every connector that is ready, but for those that only views may use (P2). */
function offeredTools(connectors: ConnectorService): ToolPlace[] {
  const taken = new Set<string>();
  return connectors.records().flatMap((record) => {
    const server = serverName(record, taken);
    const status = connectors.state(record.id)?.status;
    if (!record.enabled || (status !== 'ready' && status !== 'degraded')) return [];
    const tools = connectors.tools(record.id).filter((tool) => tool.visibility.includes('model'));
    return tools.map((tool): ToolPlace => {
      const offer: AgentTool = {
        name: `mcp__${server}__${tool.name}`,
        server,
        ...(tool.title === undefined ? {} : { title: tool.title }),
        ...(tool.description === undefined ? {} : { description: tool.description }),
        inputSchema: tool.inputSchema,
        ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
      };
      return { connectorId: record.id, tool: tool.name, offer };
    });
  });
}

/** The names of connector and account in letters that a model's tool names may have, its own among all of them. */
function serverName(record: ConnectorRecord, taken: Set<string>): string {
  const named = `${record.name} ${record.label}`.trim();
  const plain = named.replaceAll(/[^a-zA-Z0-9-]+/g, '_').replaceAll(/^_+|_+$/g, '') || 'connector';
  const name = taken.has(plain) ? `${plain}_${record.id.slice(-6)}` : plain;
  taken.add(name);
  return name;
}

/** Asks the person about each call; the same call that was denied before is declined without asking (K68). */
function createAsking(options: TurnToolsOptions, approved: Map<string, ToolCall>) {
  const denials = createDenials();
  const put = (call: ToolCall): Promise<void> => options.book.putItem(options.conversationId, call);
  const refuse = async (call: ToolCall, message: string): Promise<PermissionResult> => {
    await put({ ...call, status: 'denied', endedAtMs: options.clock.now() });
    return { behavior: 'deny', message };
  };
  const settle = async (
    call: ToolCall,
    decision: ApprovalDecision | undefined,
  ): Promise<PermissionResult> => {
    if (decision?.decision === 'allow') {
      approved.set(call.id, call);
      return { behavior: 'allow', updatedInput: call.arguments };
    }
    if (decision !== undefined) return await refuse(call, denials.add(call, decision.message));
    if (!options.isClosing()) await put({ ...call, status: 'cancelled', endedAtMs: options.clock.now() });
    return { behavior: 'deny', message: 'The turn was stopped.' };
  };
  return async (call: ToolCall, signal: AbortSignal): Promise<PermissionResult> => {
    const earlier = denials.find(call);
    if (earlier !== undefined) return await refuse(call, earlier);
    // Listening begins first: the answer may come as soon as the question shows.
    const answer = options.approvals.wait(call.id, signal);
    await put({ ...call, status: 'waiting_approval' });
    return await settle(call, await answer);
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
