import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LAYERS } from './layers.mjs';

const root = join(import.meta.dirname, '..');

/** Ways out of a process. */
const WAYS: Readonly<Record<string, RegExp>> = {
  fetch: /\bglobalThis\.fetch\b|(?<![\w.#'])fetch\(|=\s*fetch\b(?!:)/,
  undici: /\bfrom 'undici'|import\('undici'\)/,
  node: /\bfrom 'node:(?:http|https|http2|net|tls|dgram|dns)(?:\/promises)?'/,
  socket: /\bnew (?:WebSocket|EventSource)\(/,
  pool: /\bcreateHttpPool\(/,
  server: /\bopenServer\(/,
  transport: /\bnew (?:StreamableHTTP|SSE)ClientTransport\(/,
  guarded: /\bcreateGuardedFetch\(/,
  model: /\bfrom '@anthropic-ai\/sdk'|import\('@anthropic-ai\/sdk'\)/,
};

/** Packages of which nothing runs in the process of a host. */
const NOT_IN_HOST = new Set(['console', 'frames', 'views', 'react']);

/** Why a way out leads nowhere that the guard of addresses does not know of. */
type Reason =
  /** Makes or is the guard. */
  | 'guard'
  /** Is given what does its requests; its users below are guarded. */
  | 'injected'
  /** Only answers requests, or only looks at addresses. */
  | 'inward'
  /** Talks to the control socket of the host on this machine. */
  | 'control'
  /** For programs that use the package by themselves: nothing in the host calls it. */
  | 'not used';

/** Every file of those packages that has a way out. */
const SITES: Readonly<Record<string, Reason>> = {
  'spec/src/fetch-with-init.ts fetch': 'injected',
  'oauth/src/client/assertion-providers.ts fetch': 'not used',
  'oauth/src/client/requests.ts fetch': 'injected',
  'oauth/src/resource/upstream.ts fetch': 'not used',
  'client/src/http/fetch-client.ts fetch': 'injected',
  'client/src/http/sign-in.ts fetch': 'injected',
  'client/src/http/sse-transport.ts fetch': 'not used',
  'client/src/http/transport.ts fetch': 'injected',
  'client/src/node/http-pool.ts undici,pool': 'injected',
  'server/src/http/cors.ts fetch': 'inward',
  'server/src/http/with-bearer-auth.ts fetch': 'inward',
  'server/src/node/express-auth-router.ts fetch': 'inward',
  'connections/src/manager/proxied-fetch.ts fetch': 'not used',
  'connections/src/manager/server-transport.ts transport': 'not used',
  'connections/src/manager/stream-budget.ts fetch': 'not used',
  'connections/src/node/server-transport.ts pool,server,transport': 'injected',
  'connections/src/manager/server-icon.ts fetch': 'not used',
  'agent/src/anthropic/index.ts fetch,model': 'injected',
  'agent/src/mcp/server-transport.ts server': 'not used',
  'host/src/agent-runs/model-connection.ts fetch,guarded': 'guard',
  'host/src/cli/doctor.ts node': 'inward',
  'host/src/control/control-client.ts node': 'control',
  'host/src/control/control-server.ts node': 'control',
  'host/src/gateway/connector-transports.ts server': 'guard',
  'host/src/http/node-listener.ts node': 'inward',
  'host/src/listen-port.ts node': 'inward',
  'host/src/net/address-class.ts node': 'inward',
  'host/src/net/address-guard.ts node': 'guard',
  'host/src/net/guarded-fetch.ts undici,guarded': 'guard',
  'host/src/sign-in/account-http.ts guarded': 'guard',
};

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** Code without comments and types, which name ways out without taking them. */
function codeOf(path: string): string {
  return readFileSync(path, 'utf8')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/^import type .*$/gm, '');
}

describe('ways out of a host', () => {
  const found = LAYERS.filter(({ name }) => !NOT_IN_HOST.has(name))
    .flatMap(({ name }) => filesBelow(join(root, 'packages', name, 'src')))
    .filter((path) => path.endsWith('.ts') && !/\.(test|test-d|examples)\.ts$/.test(path))
    .map((path) => ({
      path: relative(join(root, 'packages'), path),
      ways: Object.keys(WAYS).filter((way) => WAYS[way]?.test(codeOf(path))),
    }))
    .filter(({ ways }) => ways.length > 0);

  it('K195 are known one by one, so that none goes round the guard of addresses', () => {
    const sites = found.map(({ path, ways }) => `${path} ${ways.join()}`);
    expect(sites.sort()).toEqual(Object.keys(SITES).sort());
  });
});
