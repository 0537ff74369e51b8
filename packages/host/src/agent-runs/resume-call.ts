import { randomUUID } from 'node:crypto';
import type { SessionEntry } from '@portico/agent';
import type { ApprovalDecision, ToolCall } from '@portico/api';
import type { CallToolResult } from '@portico/spec';
import type { CallRunner } from '../conversations/call-runner.ts';
import type { ConversationBook } from '../conversations/conversation-book.ts';
import { itemId } from '../conversations/direct-calls.ts';
import type { Log } from '../host-options.ts';
import type { Clock } from '../ports/clock.ts';
import { withDecision } from './approvals.ts';
import type { SessionHistory } from './session-history.ts';

/** Most text of a result that goes back to the model, in characters. */
const MAX_RESULT_TEXT = 100_000;

const ANSWERED_LATE =
  '[Portico was restarted while the call waited for approval; the person has answered now. Go on.]';

const SIGNED_IN_LATE =
  '[Portico was restarted while the call waited for a sign-in; it has ended now. Go on.]';

export interface ResumedCall {
  readonly conversationId: string;
  readonly call: ToolCall;
  readonly decision: ApprovalDecision;
  readonly book: ConversationBook;
  readonly runner: CallRunner;
  readonly history: SessionHistory;
  readonly clock: Clock;
  readonly log: Log;
  goOn(prompt: string): Promise<void>;
}

/**
 * Answers a call whose turn ended with an earlier run of the host: the call is run or refused here,
 * its result is put into the agent's history, and the turn goes on (K164).
 */
export async function resumeCall(resumed: ResumedCall): Promise<ToolCall> {
  const { conversationId, call, decision, book, log } = resumed;
  const next = withDecision(call, decision, resumed.clock.now());
  await book.putItem(conversationId, next);
  finish(resumed, next).catch((error: unknown) =>
    log.error('a turn could not go on', { conversationId, error: String(error) }),
  );
  return next;
}

async function finish(resumed: ResumedCall, call: ToolCall): Promise<void> {
  const { conversationId, decision, runner } = resumed;
  const result =
    decision.decision === 'allow'
      ? await runner
          .run(conversationId, call)
          .then((outcome) => outcome.result ?? failure(outcome.item.problem?.message))
      : failure(`The person declined this call. ${decision.message ?? ''}`.trim());
  await tellModel(resumed, result);
  await resumed.goOn(ANSWERED_LATE);
}

/**
 * Waits on with a call that waited for a sign-in in an earlier run of the host. Whoever asked for it is
 * told then: a model's turn goes on (K46, K164).
 */
export function resumeSignedOut(resumed: Omit<ResumedCall, 'decision'>): void {
  const { conversationId, call, runner, log } = resumed;
  const finished = async (): Promise<void> => {
    const { item, result } = await runner.run(conversationId, call, { waitsForSignIn: true });
    const isOver = item.status !== 'cancelled' && item.status !== 'waiting_sign_in';
    if (call.origin !== 'model' || !isOver) return;
    await tellModel(resumed, result ?? failure(item.problem?.message));
    await resumed.goOn(SIGNED_IN_LATE);
  };
  finished().catch((error: unknown) =>
    log.error('a call could not go on', { conversationId, error: String(error) }),
  );
}

async function tellModel(resumed: Omit<ResumedCall, 'decision'>, result: CallToolResult): Promise<void> {
  const toolUseId = await toolUseOf(resumed);
  if (toolUseId === undefined) return;
  await resumed.history.append(resumed.conversationId, [resultEntry(toolUseId, result)]);
}

function failure(text = 'The call failed.'): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** The model's own id of the call, found by the item that was made of it. */
async function toolUseOf({
  history,
  conversationId,
  call,
}: Omit<ResumedCall, 'decision'>): Promise<string | undefined> {
  for (const entry of (await history.load(conversationId)).toReversed()) {
    if (entry.type !== 'assistant') continue;
    for (const block of entry.content) {
      if (block.type === 'tool_use' && itemId('call', conversationId, block.id) === call.id) return block.id;
    }
  }
  return undefined;
}

function resultEntry(toolUseId: string, result: CallToolResult): SessionEntry {
  const text = result.content
    .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join('\n')
    .slice(0, MAX_RESULT_TEXT);
  return {
    type: 'user',
    uuid: randomUUID(),
    origin: 'tool_result',
    content: [
      {
        type: 'tool_result',
        tool_use_id: toolUseId,
        content: [{ type: 'text', text: text === '' ? '(no text)' : text }],
        is_error: result.isError === true,
      },
    ],
  };
}
