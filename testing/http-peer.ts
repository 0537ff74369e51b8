import { Client, StreamableHTTPClientTransport } from '@portico/client';
import type { ClientOptions, StreamableHTTPClientTransportOptions } from '@portico/client';
import type { Clock } from '@portico/rpc';
import { createScriptedFetch, initializeResult, jsonResult } from './scripted-fetch.ts';
import type { FetchScript, ScriptedFetch } from './scripted-fetch.ts';

/** A client of a scripted server over HTTP. */
export interface HttpPeer {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  readonly server: ScriptedFetch;
  /** What was told to `onerror`. */
  readonly errors: unknown[];
}

export interface HttpPeerOptions {
  readonly clock: Clock;
  readonly client?: ClientOptions;
  readonly transport?: StreamableHTTPClientTransportOptions;
  /** Headers of the answer to the handshake. */
  readonly handshake?: Readonly<Record<string, string>>;
}

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: {},
  prompts: {},
  completions: {},
};

/**
 * Connects a client over a scripted fetch. The script answers everything but what connecting takes: the
 * handshake or the probe, and the search for a stream of server messages.
 */
export async function openHttpPeer(
  era: 'legacy' | 'modern',
  script: FetchScript,
  options: HttpPeerOptions,
): Promise<HttpPeer> {
  const server = createScriptedFetch((request, index) => {
    switch (request.rpc) {
      case 'initialize':
        return jsonResult(
          request,
          { ...initializeResult(), capabilities: CAPABILITIES },
          { ...options.handshake },
        );
      case 'notifications/initialized':
        return new Response(null, { status: 202 });
      case 'server/discover':
        if (index > 0) return script(request, index);
        return jsonResult(request, {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: CAPABILITIES,
        });
      default:
        return script(request, index);
    }
  });
  const mode = era === 'legacy' ? era : { pin: '2026-07-28' };
  const client = new Client(
    { name: 'test', version: '1' },
    { clock: options.clock, versionNegotiation: { mode }, ...options.client },
  );
  const errors: unknown[] = [];
  client.onerror = (error) => errors.push(error);
  const transport = new StreamableHTTPClientTransport('http://server.test/mcp', {
    fetch: server.fetch,
    clock: options.clock,
    ...options.transport,
  });
  await client.connect(transport);
  return { client, transport, server, errors };
}
