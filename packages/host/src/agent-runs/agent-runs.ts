import type { ApprovalDecision, Item, ToolCall, UserMessage } from '@portico/api';
import { ApiRefusal } from '../api-refusal.ts';
import type { CallRunner } from '../conversations/call-runner.ts';
import type { ConversationBook } from '../conversations/conversation-book.ts';
import { itemId } from '../conversations/direct-calls.ts';
import type { ConnectorService } from '../gateway/connector-service.ts';
import { createKeyedQueue } from '../gateway/keyed-queue.ts';
import type { Log } from '../host-options.ts';
import type { Clock } from '../ports/clock.ts';
import { createApprovals } from './approvals.ts';
import type { ModelConnection } from './model-connection.ts';
import { resumeCall } from './resume-call.ts';
import type { SessionHistory } from './session-history.ts';
import { startTurn } from './turn.ts';
import type { StopReason, Turn } from './turn.ts';
import { createTurnText } from './turn-text.ts';
import { createTurnTools } from './turn-tools.ts';

/** Said to the model in the person's place when a turn goes on that had already begun to be answered. */
const GO_ON = '[The previous turn was cut off. Go on where it stopped.]';

export interface AgentRunOptions {
  readonly model: ModelConnection | undefined;
  readonly book: ConversationBook;
  readonly runner: CallRunner;
  readonly connectors: ConnectorService;
  readonly history: SessionHistory;
  readonly clock: Clock;
  readonly log: Log;
}

/** The agent's turns. They belong to the host: no page needs to stay open for them (K163). */
export interface AgentRuns {
  readonly running: number;
  /**
   * Stores a message and begins a turn. The same `clientId` has one effect.
   * @throws ApiRefusal not_found, no_model, turn_running
   */
  send(
    conversationId: string,
    message: { readonly text: string; readonly clientId?: string | undefined },
  ): Promise<Item>;
  /** Ends the running turn and its calls; without one it changes nothing. */
  stop(conversationId: string): Promise<void>;
  /** Goes on after a failure without repeating the message. */
  retry(conversationId: string): Promise<void>;
  /**
   * Answers a waiting call, also one that waits since before a restart: then the turn goes on.
   * @throws ApiRefusal not_found, call_not_waiting
   */
  decide(conversationId: string, callId: string, decision: ApprovalDecision): Promise<ToolCall>;
  /** Ends every turn and waits until that is written. */
  close(): Promise<void>;
}

export function createAgentRuns(options: AgentRunOptions): AgentRuns {
  const { book, runner, connectors, history, clock, log } = options;
  const turns = new Map<string, Turn>();
  const queue = createKeyedQueue();
  const approvals = createApprovals();

  let closing = false;

  const begin = async (conversationId: string, prompt: string): Promise<void> => {
    if (closing || turns.has(conversationId)) return;
    const model = modelOf(options);
    await book.setStatus(conversationId, 'running');
    const text = createTurnText({ conversationId, book, clock, model: model.model });
    const endText = text.end;
    const isClosing = (): boolean => closing;
    const tools = createTurnTools({
      conversationId,
      connectors,
      book,
      runner,
      approvals,
      clock,
      endText,
      isClosing,
    });
    const turn = startTurn({ conversationId, prompt, model, history, tools, text, book, clock, log });
    turns.set(conversationId, turn);
    void turn.done.then(() => turns.delete(conversationId));
  };
  const refuseWhileRunning = (conversationId: string): void => {
    if (turns.has(conversationId))
      throw new ApiRefusal('turn_running', 'A turn is running. Wait for its end or stop it.');
  };
  const send: AgentRuns['send'] = async (conversationId, { text, clientId }) => {
    await book.get(conversationId);
    const id = itemId('message', conversationId, clientId);
    const known = await book.item(conversationId, id);
    if (known !== undefined) return known;
    modelOf(options);
    refuseWhileRunning(conversationId);
    await giveUpWaiting(options, conversationId);
    const item: UserMessage = { type: 'user_message', id, createdAtMs: clock.now(), text };
    await book.putItem(conversationId, item);
    await book.suggestTitle(conversationId, text);
    await begin(conversationId, text);
    return item;
  };
  const retry = async (conversationId: string): Promise<void> => {
    await book.get(conversationId);
    refuseWhileRunning(conversationId);
    const question = (await book.items(conversationId)).findLast((item) => item.type === 'user_message');
    if (question === undefined)
      throw new ApiRefusal('conflict', 'There is no message that could be asked again.');
    await giveUpWaiting(options, conversationId);
    if (!(await history.isUnanswered(conversationId))) return await begin(conversationId, GO_ON);
    await history.takeBackQuestion(conversationId);
    await begin(conversationId, question.text);
  };
  const decide: AgentRuns['decide'] = async (conversationId, callId, decision) => {
    const call = await book.item(conversationId, callId);
    if (call?.type !== 'tool_call') throw new ApiRefusal('not_found', 'There is no such call.');
    if (call.status !== 'waiting_approval')
      throw new ApiRefusal('call_not_waiting', 'This call does not wait for an answer any more.');
    if (approvals.decide(callId, decision)) {
      return { ...call, status: decision.decision === 'allow' ? 'running' : 'denied' };
    }
    refuseWhileRunning(conversationId);
    modelOf(options);
    return await resumeCall({
      conversationId,
      call,
      decision,
      book,
      runner,
      history,
      clock,
      log,
      goOn: (prompt) => begin(conversationId, prompt),
    });
  };
  const stop = async (conversationId: string, reason: StopReason): Promise<void> => {
    const turn = turns.get(conversationId);
    turn?.stop(reason);
    runner.cancelAll(conversationId);
    await turn?.done;
  };

  return {
    get running() {
      return turns.size;
    },
    send: (conversationId, message) => queue.run(conversationId, () => send(conversationId, message)),
    retry: (conversationId) => queue.run(conversationId, () => retry(conversationId)),
    decide: (conversationId, callId, decision) =>
      queue.run(conversationId, () => decide(conversationId, callId, decision)),
    stop: (conversationId) => stop(conversationId, 'person'),
    async close() {
      closing = true;
      await Promise.all([...turns.keys()].map((conversationId) => stop(conversationId, 'shutdown')));
    },
  };
}

function modelOf(options: AgentRunOptions): ModelConnection {
  if (options.model !== undefined) return options.model;
  throw new ApiRefusal(
    'no_model',
    'No model is configured: call tools yourself, or start Portico with ANTHROPIC_API_KEY.',
  );
}

/** Calls that wait since before a restart are given up when the person goes on in another way. */
async function giveUpWaiting(options: AgentRunOptions, conversationId: string): Promise<void> {
  for (const item of await options.book.items(conversationId)) {
    if (item.type !== 'tool_call' || item.status !== 'waiting_approval') continue;
    await options.book.putItem(conversationId, {
      ...item,
      status: 'cancelled',
      endedAtMs: options.clock.now(),
    });
  }
}
