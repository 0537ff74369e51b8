import {
  ROUTES,
  approvalDecisionSchema,
  createConversationSchema,
  renameConversationSchema,
  sendMessageSchema,
  startCallSchema,
} from '@portico/api';
import type { Hono } from 'hono';
import { z } from 'zod';
import type { AgentRuns } from '../../agent-runs/agent-runs.ts';
import { ApiRefusal } from '../../api-refusal.ts';
import type { CallRunner } from '../../conversations/call-runner.ts';
import type { ConversationBook } from '../../conversations/conversation-book.ts';
import type { DirectCalls } from '../../conversations/direct-calls.ts';
import { readBody } from '../request-body.ts';

export interface ConversationServices {
  readonly book: ConversationBook;
  readonly directCalls: DirectCalls;
  readonly runner: CallRunner;
  readonly runs: AgentRuns;
}

const nothing = z.object({});

/** Routes of conversations: their messages, turns and calls. */
export function addConversationRoutes(app: Hono, services: ConversationServices): void {
  const { book, directCalls, runner, runs } = services;
  app.post(ROUTES.conversations, async (context) => {
    const { title } = await readBody(context, createConversationSchema);
    return context.json(await book.create(title));
  });
  app.get(ROUTES.conversation, async (context) =>
    context.json(await book.detail(context.req.param('conversationId'))),
  );
  app.patch(ROUTES.conversation, async (context) => {
    const { title } = await readBody(context, renameConversationSchema);
    return context.json(await book.rename(context.req.param('conversationId'), title));
  });
  app.delete(ROUTES.conversation, async (context) => {
    const id = context.req.param('conversationId');
    await book.get(id);
    await runs.stop(id);
    await book.remove(id);
    // What began between the two has nowhere left to be written.
    await runs.stop(id);
    return context.body(null, 204);
  });
  app.post(ROUTES.messages, async (context) => {
    const message = await readBody(context, sendMessageSchema);
    return context.json(await runs.send(context.req.param('conversationId'), message));
  });
  app.post(ROUTES.stop, async (context) => {
    await readBody(context, nothing);
    await runs.stop(context.req.param('conversationId'));
    return context.body(null, 204);
  });
  app.post(ROUTES.retry, async (context) => {
    await readBody(context, nothing);
    await runs.retry(context.req.param('conversationId'));
    return context.body(null, 204);
  });
  addCallRoutes(app, { book, directCalls, runner, runs });
}

function addCallRoutes(app: Hono, { directCalls, runner, runs }: ConversationServices): void {
  app.post(ROUTES.calls, async (context) => {
    const call = await readBody(context, startCallSchema);
    return context.json(await directCalls.start(context.req.param('conversationId'), call));
  });
  app.post(ROUTES.callCancel, async (context) => {
    await readBody(context, nothing);
    const { conversationId, callId } = context.req.param();
    if (!runner.cancel(conversationId, callId)) throw new ApiRefusal('conflict', 'This call is not running.');
    return context.body(null, 204);
  });
  app.post(ROUTES.callDecision, async (context) => {
    const decision = await readBody(context, approvalDecisionSchema);
    const { conversationId, callId } = context.req.param();
    return context.json(await runs.decide(conversationId, callId, decision));
  });
}
