import { createScriptedHosts, signInHosts } from './scripted-hosts.ts';
import type { HostAnswer, HostRequest, ScriptedHosts } from './scripted-hosts.ts';

/** Where the protected server of tests is. */
export const PROTECTED_SERVER = 'https://api.test/mcp';

/** Says no to a request, or nothing. */
export type Guard = (request: HostRequest, rpc: string) => Response | undefined;

export interface ProtectedServerOptions {
  readonly guard: Guard;
  readonly places?: Readonly<Record<string, HostAnswer>>;
  readonly metadata?: Record<string, unknown>;
  readonly resource?: Record<string, unknown>;
  /** What it speaks; the handshake alone by default. */
  readonly era?: 'legacy' | 'modern';
}

interface Rpc {
  readonly id?: string | number;
  readonly method?: string;
}

/** A refusal with a challenge. */
export function challenge(status: 401 | 403, params = '', scheme = 'Bearer'): Response {
  return Response.json(
    { error: 'refused' },
    { status, headers: { 'www-authenticate': `${scheme} ${params}`.trim() } },
  );
}

/** The token of a request, with its scheme. */
export function authorizationOf({ headers }: HostRequest): string | null {
  return headers.get('authorization');
}

function answer(request: HostRequest, era: 'legacy' | 'modern'): object | Response {
  const { id, method } = JSON.parse(request.text) as Rpc;
  if (id === undefined) return new Response(null, { status: 202 });
  const reply = (result: object, headers = {}): Response =>
    Response.json({ jsonrpc: '2.0', id, result }, { headers });
  const cached = era === 'modern' ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
  switch (method ?? '') {
    case 'initialize':
      return reply(
        {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 's', version: '1' },
        },
        { 'mcp-session-id': 'session' },
      );
    case 'server/discover':
      if (era === 'modern')
        return reply({ ...cached, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
      break;
    case 'tools/list':
      return reply({ ...cached, tools: [{ name: 'echo', inputSchema: { type: 'object' } }] });
    case 'tools/call':
      return reply({
        ...(era === 'modern' ? { resultType: 'complete' } : {}),
        content: [{ type: 'text', text: 'hi' }],
      });
  }
  return Response.json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } });
}

/** An MCP server that a guard stands before, and its authorization server, both behind one fetch. */
export function createProtectedServer(options: ProtectedServerOptions): ScriptedHosts {
  const { guard, era = 'legacy' } = options;
  const rpcOf = (request: HostRequest): string =>
    request.text === '' ? request.method : ((JSON.parse(request.text) as Rpc).method ?? '-');
  const guarded =
    (serve: (request: HostRequest) => object | number | Response): HostAnswer =>
    (request) =>
      guard(request, rpcOf(request)) ?? serve(request);
  return createScriptedHosts({
    ...signInHosts({
      server: PROTECTED_SERVER,
      metadata: options.metadata ?? {},
      resource: options.resource ?? {},
    }),
    [`POST ${PROTECTED_SERVER}`]: guarded((request) => answer(request, era)),
    [`GET ${PROTECTED_SERVER}`]: guarded(() => 405),
    [`DELETE ${PROTECTED_SERVER}`]: guarded(() => 200),
    ...options.places,
  });
}
