import { Hono } from 'hono';
import { expect, it } from 'vitest';
import type { ConversationServices } from './conversation-routes.ts';
import { addConversationRoutes } from './conversation-routes.ts';

it('no turn lives on in a conversation that is deleted while it begins', async () => {
  let isThere = true;
  let turns = 1;
  const app = new Hono();
  addConversationRoutes(app, {
    book: {
      get: () => Promise.resolve({}),
      async remove() {
        // Begun by another request while the store was waited for.
        turns += 1;
        isThere = false;
      },
    },
    runs: {
      async stop() {
        turns = 0;
      },
    },
  } as unknown as ConversationServices);
  const response = await app.request('/api/conversations/c', { method: 'DELETE' });
  expect([response.status, isThere, turns]).toEqual([204, false, 0]);
});
