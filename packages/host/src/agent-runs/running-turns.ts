import { ApiRefusal } from '../api-refusal.ts';
import type { CallRunner } from '../conversations/call-runner.ts';
import type { ConversationBook } from '../conversations/conversation-book.ts';
import type { ConnectorService } from '../gateway/connector-service.ts';
import type { FirstUse } from '../gateway/first-use.ts';
import type { Log } from '../host-options.ts';
import type { Clock } from '../ports/clock.ts';
import type { Approvals } from './approvals.ts';
import type { ModelConnection } from './model-connection.ts';
import type { SessionHistory } from './session-history.ts';
import { startTurn } from './turn.ts';
import type { StopReason, Turn } from './turn.ts';
import { createTurnText } from './turn-text.ts';
import { createTurnTools } from './turn-tools.ts';

export interface RunningTurnsOptions {
  readonly model: ModelConnection | undefined;
  readonly book: ConversationBook;
  readonly runner: CallRunner;
  readonly connectors: ConnectorService;
  readonly firstUse: Pick<FirstUse, 'beginAll'>;
  readonly history: SessionHistory;
  readonly approvals: Approvals;
  readonly clock: Clock;
  readonly log: Log;
}

/** The turns that run now, at most one a conversation. */
export interface RunningTurns {
  readonly size: number;
  isRunning(conversationId: string): boolean;
  /** @throws ApiRefusal turn_running, no_model */
  checkFree(conversationId: string): void;
  /** Begins a turn; does nothing while one runs or when the host is ending. */
  begin(conversationId: string, prompt: string): Promise<void>;
  /** Ends the turn and the calls of a conversation, and waits until that is written. */
  stop(conversationId: string, reason: StopReason): Promise<void>;
  close(): Promise<void>;
}

export function createRunningTurns(options: RunningTurnsOptions): RunningTurns {
  const { book, runner, connectors, firstUse, history, approvals, clock, log } = options;
  const turns = new Map<string, Turn>();
  let closing = false;

  const modelOf = (): ModelConnection => {
    if (options.model !== undefined) return options.model;
    throw new ApiRefusal(
      'no_model',
      'No model is configured: call tools yourself, or start Portico with ANTHROPIC_API_KEY.',
    );
  };
  const stop: RunningTurns['stop'] = async (conversationId, reason) => {
    const turn = turns.get(conversationId);
    turn?.stop(reason);
    runner.cancelAll(conversationId);
    await turn?.done;
  };

  return {
    get size() {
      return turns.size;
    },
    isRunning: (conversationId) => turns.has(conversationId),
    checkFree(conversationId) {
      modelOf();
      if (turns.has(conversationId)) {
        throw new ApiRefusal('turn_running', 'A turn is running. Wait for its end or stop it.');
      }
    },
    async begin(conversationId, prompt) {
      const model = modelOf();
      if (closing || turns.has(conversationId)) return;
      await book.setStatus(conversationId, 'running');
      const text = createTurnText({ conversationId, book, clock, model: model.model });
      const tools = createTurnTools({
        conversationId,
        connectors,
        book,
        runner,
        firstUse,
        approvals,
        clock,
        endText: () => text.end(),
        isClosing: () => closing,
      });
      const turn = startTurn({ conversationId, prompt, model, history, tools, text, book, clock, log });
      turns.set(conversationId, turn);
      void turn.done.then(() => turns.delete(conversationId));
    },
    stop,
    async close() {
      closing = true;
      await Promise.all([...turns.keys()].map((conversationId) => stop(conversationId, 'shutdown')));
    },
  };
}
