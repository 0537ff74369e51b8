import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MODES, addWebConnector, connectorClients } from '../../../../testing/connector-clients.ts';
import type { Mode } from '../../../../testing/connector-clients.ts';
import { http } from '../../../../testing/http.ts';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { messagesOf } from '../../../../testing/mcp-http.ts';
import { headersOf } from '../../../../testing/mcp-headers.ts';
import { modern } from '../../../../testing/mcp-wire.ts';
import { startTalkativeServer } from '../../../../testing/talkative-server.ts';
import type { TalkativeServer } from '../../../../testing/talkative-server.ts';

const PAIRS = MODES.flatMap((front) => MODES.map((back) => [front, back] as const));

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly message?: unknown; readonly data?: { readonly text?: unknown } };
  readonly result?: { readonly content: readonly { readonly text: unknown }[] };
}

describe('pages that number their requests alike', () => {
  let host: InProcessHost;
  const servers = new Map<Mode, TalkativeServer>();
  const urls = new Map<Mode, string>();
  beforeAll(async () => {
    host = await startInProcessHost();
    for (const era of MODES) {
      const server = await startTalkativeServer(era);
      servers.set(era, server);
      const { id } = await addWebConnector(host, server.url, { name: era });
      urls.set(era, connectorClients(host).urlOf(id).href);
    }
  });
  afterAll(async () => {
    await host.close();
    await Promise.all([...servers.values()].map((server) => server.close()));
  });

  const send = (back: Mode, body: object, session?: string) =>
    http(urls.get(back)!, {
      method: 'POST',
      headers: {
        ...connectorClients(host).headers,
        ...headersOf(body),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session === undefined ? {} : { 'mcp-session-id': session }),
      },
      body: JSON.stringify(body),
    });
  const openSession = async (back: Mode): Promise<string> => {
    const clientInfo = { name: 'page', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const answer = await send(back, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const session = String(answer.headers['mcp-session-id']);
    const level = { jsonrpc: '2.0', id: 1, method: 'logging/setLevel', params: { level: 'debug' } };
    expect((await send(back, level, session)).status).toBe(200);
    return session;
  };

  it.each(PAIRS)(
    'get, in the %s era, the answers, the progress and the log of their own 64 calls of a %s server',
    async (front, back) => {
      const sessions =
        front === 'legacy' ? [await openSession(back), await openSession(back)] : [undefined, undefined];
      const asked = Array.from({ length: 64 }, (_, index) => `call ${index}`);
      const answers = await Promise.all(
        asked.map(async (text, index) => {
          const call = { name: 'echo', arguments: { text }, _meta: { progressToken: 1 } };
          const params = front === 'legacy' ? call : modern(call, { logLevel: 'debug' });
          const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
          return messagesOf((await send(back, body, sessions[index % 2])).text) as Message[];
        }),
      );
      const own = answers.map((messages) => ({
        progress: messages.flatMap(({ params }) => (params?.message === undefined ? [] : [params.message])),
        log: messages.flatMap(({ params }) => (params?.data === undefined ? [] : [params.data.text])),
        results: messages.flatMap(({ id, result }) =>
          result === undefined ? [] : [[id, result.content[0]?.text]],
        ),
      }));
      expect(own).toEqual(
        asked.map((text) => ({ progress: [text, text], log: [text], results: [[1, text]] })),
      );
    },
  );
});
