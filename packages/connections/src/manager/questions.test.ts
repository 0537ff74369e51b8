import { describe, expect, it } from 'vitest';
import { createManagedWorld } from '../../../../testing/managed-world.ts';
import type { WorldScript } from '../../../../testing/managed-world.ts';

/** Answers calls in place of a server of that era: each asks to open an address, and tells what came of it. */
function askToOpen(era: 'legacy' | 'modern', url: string): WorldScript {
  const question = {
    method: 'elicitation/create',
    params: { mode: 'url', message: 'Pay there', url, elicitationId: 'e1' },
  };
  const told = (id: unknown, answer: unknown, more = {}) => ({
    jsonrpc: '2.0',
    id,
    result: { content: [{ type: 'text', text: JSON.stringify(answer) }], ...more },
  });
  if (era === 'modern') {
    return ({ rpc, message }) => {
      if (rpc !== 'tools/call') return undefined;
      const { inputResponses } = message['params'] as { readonly inputResponses?: { readonly q: unknown } };
      return Response.json(
        inputResponses === undefined
          ? {
              jsonrpc: '2.0',
              id: message['id'],
              result: { resultType: 'input_required', inputRequests: { q: question } },
            }
          : told(message['id'], inputResponses.q, { resultType: 'complete' }),
      );
    };
  }
  let say: (message: object, isLast?: boolean) => void;
  let call: unknown;
  return ({ rpc, message }) => {
    if (message['id'] === 'asked') {
      say(told(call, message['result'] ?? message['error']), true);
      return new Response(null, { status: 202 });
    }
    if (rpc !== 'tools/call') return undefined;
    call = message['id'];
    const body = new ReadableStream({
      start(controller) {
        const encoder = new TextEncoder();
        say = (next, isLast = false) => {
          controller.enqueue(encoder.encode(`data: ${JSON.stringify(next)}\n\n`));
          if (isLast) controller.close();
        };
        say({ jsonrpc: '2.0', id: 'asked', ...question });
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
}

describe.each(['legacy', 'modern'] as const)('pages that a server asks to open, %s', (era) => {
  it.each(['https://pay.test/x?y', 'http://pay.test/'])(
    'R116 R109 are shown when they are of the web, and neither fetched nor opened: %s',
    async (url) => {
      const world = createManagedWorld({ era });
      const server = await world.add('a');
      world.script(askToOpen(era, url));
      const call = server.callTool('echo');
      await world.settle();
      const [asked] = world.server().pendingElicitationRequests;
      expect(asked?.request).toMatchObject({ mode: 'url', url, message: 'Pay there' });
      world.server().approveElicitation(asked?.id ?? '', { action: 'accept' });
      expect((await call).content).toEqual([{ type: 'text', text: '{"action":"accept"}' }]);
      const hosts = new Set(world.sent.map(({ url: { host } }) => host));
      expect([[...hosts], world.tab.page.windows, world.tab.page.sentTo]).toEqual([['mcp.test'], [], []]);
      expect(world.server().log.filter(({ level }) => level === 'warn')).toEqual([]);
    },
  );

  it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'pay.test', ''])(
    'R116 are declined, with an entry in the log, when they are none of the web: %j',
    async (url) => {
      const world = createManagedWorld({ era });
      const server = await world.add('a');
      const seen = world.record();
      world.script(askToOpen(era, url));
      const { content } = await server.callTool('echo');
      expect(content).toEqual([{ type: 'text', text: '{"action":"decline"}' }]);
      expect(seen.flatMap(({ pendingElicitationRequests }) => pendingElicitationRequests)).toEqual([]);
      const warnings = world.server().log.filter(({ level }) => level === 'warn');
      expect(warnings.map(({ message }) => message)).toEqual([
        'the server asked to open what is no http or https URL',
      ]);
    },
  );
});
