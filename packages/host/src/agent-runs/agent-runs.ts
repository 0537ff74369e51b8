import type { ApprovalDecision, Item, ToolCall, UserMessage } from '@portico/api';
import { ApiRefusal } from '../api-refusal.ts';
import { itemId } from '../conversations/direct-calls.ts';
import { waitsForPerson } from '../conversations/waiting.ts';
import { createKeyedQueue } from '../gateway/keyed-queue.ts';
import { createApprovals, withDecision } from './approvals.ts';
import { resumeCall, resumeSignedOut } from './resume-call.ts';
import { createRunningTurns } from './running-turns.ts';
import type { RunningTurns, RunningTurnsOptions } from './running-turns.ts';

/** Said to the model in the person's place when a turn goes on that had already begun to be answered. */
const GO_ON = '[The previous turn was cut off. Go on where it stopped.]';

export type AgentRunOptions = Omit<RunningTurnsOptions, 'approvals'>;

interface NewMessage {
  readonly text: string;
  readonly clientId?: string | undefined;
}

/** The agent's turns. They belong to the host: no page needs to stay open for them. */
export interface AgentRuns {
  readonly running: number;
  /**
   * Stores a message and begins a turn. The same `clientId` has one effect.
   * @throws ApiRefusal not_found, no_model, turn_running
   */
  send(conversationId: string, message: NewMessage): Promise<Item>;
  /** Ends the running turn and its calls; without one it changes nothing. */
  stop(conversationId: string): Promise<void>;
  /** Goes on after a failure without repeating the message. */
  retry(conversationId: string): Promise<void>;
  /**
   * Answers a waiting call, also one that waits since before a restart: then the turn goes on.
   * @throws ApiRefusal not_found, call_not_waiting
   */
  decide(conversationId: string, callId: string, decision: ApprovalDecision): Promise<ToolCall>;
  /** Lets the calls wait on that waited for a sign-in when the host stopped; each is sent once after it. */
  resumeWaiting(): Promise<void>;
  /** Ends every turn and waits until that is written. */
  close(): Promise<void>;
}

export function createAgentRuns(options: AgentRunOptions): AgentRuns {
  const { book, history, clock } = options;
  const queue = createKeyedQueue();
  const approvals = createApprovals();
  const turns = createRunningTurns({ ...options, approvals });

  const send = async (conversationId: string, { text, clientId }: NewMessage): Promise<Item> => {
    await book.get(conversationId);
    const id = itemId('message', conversationId, clientId);
    const known = await book.item(conversationId, id);
    if (known !== undefined) return known;
    turns.checkFree(conversationId);
    await giveUpWaiting(options, conversationId);
    const item: UserMessage = { type: 'user_message', id, createdAtMs: clock.now(), text };
    await book.putItem(conversationId, item);
    await book.suggestTitle(conversationId, text);
    await turns.begin(conversationId, text);
    return item;
  };
  const retry = async (conversationId: string): Promise<void> => {
    await book.get(conversationId);
    turns.checkFree(conversationId);
    const question = (await book.items(conversationId)).findLast((item) => item.type === 'user_message');
    if (question === undefined)
      throw new ApiRefusal('conflict', 'There is no message that could be asked again.');
    await giveUpWaiting(options, conversationId);
    const unanswered = await history.isUnanswered(conversationId);
    if (unanswered) await history.takeBackQuestion(conversationId);
    await turns.begin(conversationId, unanswered ? question.text : GO_ON);
  };
  const decide: AgentRuns['decide'] = async (conversationId, callId, decision) => {
    const call = await book.item(conversationId, callId);
    if (call?.type !== 'tool_call') throw new ApiRefusal('not_found', 'There is no such call.');
    const notWaiting = new ApiRefusal('call_not_waiting', 'This call does not wait for an answer any more.');
    if (call.status !== 'waiting_approval') throw notWaiting;
    if (approvals.isWaiting(callId)) {
      // Stored before it is acted on and answered: no sudden end may lose the choice (K164).
      const decided = withDecision(call, decision, clock.now());
      await book.putItem(conversationId, decided);
      if (!approvals.decide(callId, decision)) throw notWaiting;
      return decided;
    }
    if (turns.isRunning(conversationId)) throw notWaiting;
    turns.checkFree(conversationId);
    const goOn = (prompt: string): Promise<void> => turns.begin(conversationId, prompt);
    return await resumeCall({ ...options, conversationId, call, decision, goOn });
  };

  return {
    get running() {
      return turns.size;
    },
    send: (conversationId, message) => queue.run(conversationId, () => send(conversationId, message)),
    retry: (conversationId) => queue.run(conversationId, () => retry(conversationId)),
    decide: (conversationId, callId, decision) =>
      queue.run(conversationId, () => decide(conversationId, callId, decision)),
    stop: (conversationId) => turns.stop(conversationId, 'person'),
    resumeWaiting: () => resumeWaiting(options, turns),
    close: () => turns.close(),
  };
}

async function resumeWaiting(options: AgentRunOptions, turns: RunningTurns): Promise<void> {
  const { book } = options;
  for (const { id: conversationId, waitingApprovals } of await book.list()) {
    if (waitingApprovals === 0) continue;
    const goOn = (prompt: string): Promise<void> => turns.begin(conversationId, prompt);
    for (const call of await book.items(conversationId)) {
      if (call.type !== 'tool_call' || call.status !== 'waiting_sign_in') continue;
      resumeSignedOut({ ...options, conversationId, call, goOn });
    }
  }
}

/** Calls that wait since before a restart are given up when the person goes on in another way. */
async function giveUpWaiting(
  { book, runner, clock }: AgentRunOptions,
  conversationId: string,
): Promise<void> {
  for (const item of await book.items(conversationId)) {
    if (!waitsForPerson(item)) continue;
    // One that waits for a sign-in is told by who waits with it.
    if (runner.cancel(conversationId, item.id)) continue;
    await book.putItem(conversationId, { ...item, status: 'cancelled', endedAtMs: clock.now() });
  }
}
