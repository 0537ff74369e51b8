import { describe, expect, it } from 'vitest';
import { httpRequest, post, readReply } from '../../../../testing/mcp-http.ts';
import { modern } from '../../../../testing/mcp-wire.ts';
import { Server } from '../server.ts';
import { createMcpHandler } from './create-mcp-handler.ts';

/** An endpoint whose one tool answers when it is told to, and the servers that it has made and closed. */
function slow() {
  const answers: ((text: string) => void)[] = [];
  const closed: string[] = [];
  const handler = createMcpHandler(
    ({ era }) => {
      const server = new Server({ name: 'slow', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/call', async (_request, { mcpReq }) => {
        const text = await new Promise<string>((resolve) => {
          answers.push(resolve);
          mcpReq.signal.addEventListener('abort', () => resolve('given up'));
        });
        return { content: [{ type: 'text', text }] };
      });
      server.onclose = () => void closed.push(era);
      return server;
    },
    { legacy: 'sessions' },
  );
  return { handler, answers, closed };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
const modernCall = { ...call, params: modern({ name: 'x' }) };
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};

describe('an endpoint that is closed gracefully', () => {
  it('takes nothing new, and ends when what it had taken is answered', async () => {
    const { handler, answers, closed } = slow();
    const opened = await post(handler, initialize);
    const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') };
    const legacy = handler.fetch(httpRequest({ ...call, params: { name: 'x' } }, { headers }));
    const now = handler.fetch(httpRequest(modernCall));
    await turn();
    expect(answers).toHaveLength(2);
    let over = false;
    const closing = handler.close({ graceful: true }).then(() => (over = true));
    expect((await post(handler, modernCall)).status).toBe(503);
    answers[1]?.('modern');
    expect((await readReply(await now)).message).toMatchObject({ result: { content: [{ text: 'modern' }] } });
    await turn();
    expect([over, closed]).toEqual([false, ['modern']]);
    answers[0]?.('legacy');
    const answer = await readReply(await legacy);
    expect(answer.status).toBe(200);
    expect(answer.message).toMatchObject({ id: 1, result: { content: [{ text: 'legacy' }] } });
    await closing;
    expect(closed).toEqual(['modern', 'legacy']);
  });

  it('ends all that is left when it is closed for good', async () => {
    const { handler, answers, closed } = slow();
    const opened = await post(handler, initialize);
    const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') };
    const legacy = handler.fetch(httpRequest({ ...call, params: { name: 'x' } }, { headers }));
    const now = handler.fetch(httpRequest(modernCall));
    await turn();
    expect(answers).toHaveLength(2);
    const closing = handler.close({ graceful: true });
    await handler.close();
    await closing;
    expect([(await legacy).status, (await now).status]).toEqual([404, 503]);
    expect(closed.toSorted()).toEqual(['legacy', 'modern']);
  });
});
