import { ProtocolError, createMemoryTransportPair, createPeer } from '@portico/rpc';
import type { Clock, JSONRPCRequest, Peer, RequestContext, Transport } from '@portico/rpc';

/** Answers a method: with a result, by throwing a ProtocolError, or never. */
export type ScriptedAnswer = (params: Record<string, unknown>, context: RequestContext) => unknown;

export interface ScriptedServer {
  /** The client's end; start it by connecting a client. */
  readonly transport: Transport;
  readonly peer: Peer;
  /** Methods of the requests that came, in order. */
  readonly requests: readonly string[];
  /** The requests themselves. */
  readonly messages: readonly JSONRPCRequest[];
  readonly notifications: readonly { readonly method: string; readonly params?: unknown }[];
}

export interface ScriptedServerOptions {
  readonly clock: Clock;
  /** Capabilities of the handshake; tools by default. */
  readonly capabilities?: Record<string, unknown>;
  readonly protocolVersion?: string;
  readonly answers?: Readonly<Record<string, ScriptedAnswer>>;
}

/** A legacy server in memory that answers as the test says. Methods nobody scripted are -32601. */
export async function createScriptedServer(options: ScriptedServerOptions): Promise<ScriptedServer> {
  const [transport, other] = createMemoryTransportPair();
  const requests: string[] = [];
  const messages: JSONRPCRequest[] = [];
  const notifications: { method: string; params?: unknown }[] = [];
  const answers: Record<string, ScriptedAnswer> = {
    initialize: () => ({
      protocolVersion: options.protocolVersion ?? '2025-11-25',
      capabilities: options.capabilities ?? { tools: { listChanged: true } },
      serverInfo: { name: 'scripted', version: '1' },
    }),
    ping: () => ({}),
    'tools/list': () => ({ tools: [] }),
    ...options.answers,
  };
  const peer = createPeer({
    transport: other,
    clock: options.clock,
    onRequest: (request: JSONRPCRequest, context) => {
      requests.push(request.method);
      messages.push(request);
      const answer = answers[request.method];
      if (answer === undefined) throw new ProtocolError(-32601, 'no such method');
      return answer({ ...request.params }, context);
    },
    onNotification: (notification) => void notifications.push(notification),
  });
  await peer.start();
  return { transport, peer, requests, messages, notifications };
}

/** What a modern server answers to the question that finds out its era. */
export function discovered(
  capabilities: object = { tools: {}, resources: {}, prompts: {} },
  name = 'scripted',
): Record<string, unknown> {
  return {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities,
    _meta: { 'io.modelcontextprotocol/serverInfo': { name, version: '1' } },
  };
}

/** A tool as lists hold it. */
export function scriptedTool(name: string): Record<string, unknown> {
  return { name, inputSchema: { type: 'object' } };
}
