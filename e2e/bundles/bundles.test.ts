import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bundlePage, bundleProgram } from './bundle-entry.ts';

/** Minified and gzipped; the client with its HTTP transport, without authorization. */
const CLIENT_BUDGET_BYTES = 25 * 1024;

/**
 * What a page loads at first use, by the modules of those chunks, so that nothing of the core hides
 * there. Connecting by the handshake, listing, calling and reading need none.
 */
const LOADED_LATER = [
  // The interpreter of output schemas, with the first schema.
  'default-validator',
  // `auto` and pinned negotiation ask the server first; a store remembers what was found out.
  'probing',
  'probe',
  'era-memory',
  // Sampling, elicitation and roots: rules around the handlers, with the first handler.
  'feature-guards',
  // Answers that are event streams, and taking up broken ones.
  'follow-stream',
  // Telling a server that a session is over.
  'end-session',
  // What a status that is no success means.
  'refusal',
  // Where a redirect leads.
  'redirect-following',
  // Signing in, with the first request of a transport that has a provider for it.
  'sign-in',
  // Rounds of input, tasks, and the waiting that both do.
  'input-required',
  'task-run',
  'waiting',
  // Change notices: the `listChanged` option, and the modern stream of them.
  'list-changed',
  'subscription',
  // The observer of requests.
  'observing',
  // Headers that repeat arguments, in lists and calls of tools over modern HTTP.
  'tool-headers',
];
/** The client with its HTTP transport and with what signs in: all of the code flow. */
const SIGN_IN_BUDGET_BYTES = 40 * 1024;
/** All of that but the interpreter and signing in. */
const LATER_BUDGET_BYTES = 15 * 1024;

function gzippedBytes(code: string): number {
  return gzipSync(code, { level: 9 }).length;
}

/** Runs a bundle where there is nothing of Node: only what pages and workers have, too. */
function runAlone(code: string): Record<string, unknown> {
  const globals = {
    AbortController,
    AbortSignal,
    Headers,
    Request,
    Response,
    TextDecoder,
    TextEncoder,
    URL,
    URLSearchParams,
    clearTimeout,
    crypto,
    queueMicrotask,
    setTimeout,
    structuredClone,
  };
  const sandbox = createContext({ ...globals });
  return runInContext(`${code}; program`, sandbox) as Record<string, unknown>;
}

describe('root entries', () => {
  it.each(['rpc', 'spec', 'client', 'server'])(
    'W241 %s reaches no module of Node and runs without any',
    async (name) => {
      const bundle = await bundleProgram(`export * from '@portico/${name}';`, 'iife');
      expect(bundle.nodeModules).toEqual([]);
      expect(
        bundle.files.filter((file) => /\/node_modules\/(zod|ajv|undici|cross-spawn)\//.test(file)),
      ).toEqual([]);
      expect(Object.keys(runAlone(bundle.code)).length).toBeGreaterThan(20);
    },
  );

  it.each(['server', 'server/auth', 'oauth/resource'])(
    'W241 %s reaches neither keys nor clients of sign-ins, nor anything of Node',
    async (entry) => {
      const { files, nodeModules } = await bundleProgram(`export * from '@portico/${entry}';`);
      expect(nodeModules).toEqual([]);
      expect(files.filter((file) => /\/node_modules\/(jose|oauth4webapi)\//.test(file))).toEqual([]);
    },
  );

  it('W241 serve a client by a server in a place that has nothing of Node', async () => {
    const { code } = await bundleProgram(
      `import { Client, InMemoryTransport } from '@portico/client';
       import { McpServer } from '@portico/server';
       export async function run(mode) {
         const server = new McpServer({ name: 's', version: '1' });
         server.registerTool('echo', { inputSchema: { type: 'object', properties: { text: { type: 'string' } } } },
           ({ text }) => ({ content: [{ type: 'text', text }] }));
         const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode } });
         const [left, right] = InMemoryTransport.createLinkedPair();
         await server.connect(right);
         await client.connect(left);
         const { content } = await client.callTool({ name: 'echo', arguments: { text: 'hi' } });
         await client.close();
         return client.getProtocolEra() ?? content[0].text;
       }`,
      'iife',
    );
    const { run } = runAlone(code) as { run: (mode: string) => Promise<unknown> };
    expect([await run('legacy'), await run('auto')]).toEqual(['hi', 'hi']);
  });

  it('keep a page with the client and its HTTP transport within its budget', async () => {
    const { first, later } = await bundlePage(
      `import { Client, StreamableHTTPClientTransport } from '@portico/client';
       export const open = (url) => { const c = new Client({ name: 'c', version: '1' }); return c.connect(new StreamableHTTPClientTransport(url)).then(() => c); };`,
    );
    expect(gzippedBytes(first)).toBeLessThanOrEqual(CLIENT_BUDGET_BYTES);
    expect(Object.keys(later).toSorted()).toEqual(LOADED_LATER.toSorted());
    const { 'default-validator': _interpreter, 'sign-in': signIn = '', ...features } = later;
    expect(gzippedBytes(first) + gzippedBytes(signIn)).toBeLessThanOrEqual(SIGN_IN_BUDGET_BYTES);
    const total = Object.values(features).reduce((sum, code) => sum + gzippedBytes(code), 0);
    expect(total).toBeLessThanOrEqual(LATER_BUDGET_BYTES);
  });
});

describe('zod', () => {
  it('W242 is named by the schemas alone, so that no surface shows its types', () => {
    const roots = ['rpc', 'spec', 'client', 'server'].map((name) =>
      join(import.meta.dirname, '../../packages', name, 'src'),
    );
    const files = roots.flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => join(root, file)),
    );
    const users = files
      .filter((file) => file.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(file))
      .filter((file) => /from 'zod|import\('zod/.test(readFileSync(file, 'utf8')));
    expect(users.length).toBeGreaterThan(0);
    expect(users.filter((file) => !file.includes('/spec/src/schemas/'))).toEqual([]);
  });
});

describe('two copies of the same code in one process', () => {
  it('W249 recognise each other’s errors', async () => {
    const program = `export { ProtocolError, ResourceNotFoundError, SdkError, SdkHttpError, SseError, UnauthorizedError, UrlElicitationRequiredError } from '@portico/client';`;
    const { code } = await bundleProgram(program, 'cjs');
    const load = (): Copy => {
      const exports = {};
      // oxlint-disable-next-line typescript/no-implied-eval -- the point is code that no module loader shares
      new Function('exports', code)(exports);
      return exports as Copy;
    };
    const [one, two] = [load(), load()];
    expect(one.SdkError).not.toBe(two.SdkError);
    const errors = {
      SdkError: new one.SdkError('NOT_CONNECTED', 'no'),
      SdkHttpError: new one.SdkHttpError('CLIENT_HTTP_FORBIDDEN', 'no', { status: 403 }),
      ProtocolError: new one.ProtocolError(-32603, 'no'),
      ResourceNotFoundError: new one.ResourceNotFoundError('x:y'),
      UrlElicitationRequiredError: new one.UrlElicitationRequiredError([]),
      SseError: new one.SseError(404, 'no'),
      UnauthorizedError: new one.UnauthorizedError('no'),
    };
    const kinds = Object.keys(errors) as (keyof typeof errors)[];
    const matched = kinds.map((kind) => [
      kind,
      kinds.filter((other) => errors[kind] instanceof two[other] && two[other].isInstance(errors[kind])),
    ]);
    expect(Object.fromEntries(matched)).toEqual({
      SdkError: ['SdkError'],
      SdkHttpError: ['SdkError', 'SdkHttpError'],
      ProtocolError: ['ProtocolError'],
      ResourceNotFoundError: ['ProtocolError', 'ResourceNotFoundError'],
      UrlElicitationRequiredError: ['ProtocolError', 'UrlElicitationRequiredError'],
      SseError: ['SseError'],
      UnauthorizedError: ['UnauthorizedError'],
    });
  });
});

type ErrorClass = (new (...args: never[]) => Error) & { isInstance(value: unknown): boolean };
interface Copy {
  readonly SdkError: ErrorClass & (new (code: string, message: string) => Error);
  readonly SdkHttpError: ErrorClass &
    (new (code: string, message: string, data: { status: number }) => Error);
  readonly ProtocolError: ErrorClass & (new (code: number, message: string) => Error);
  readonly ResourceNotFoundError: ErrorClass & (new (uri: string) => Error);
  readonly SseError: ErrorClass & (new (status: number, message: string) => Error);
  readonly UnauthorizedError: ErrorClass & (new (message: string) => Error);
  readonly UrlElicitationRequiredError: ErrorClass & (new (pages: readonly unknown[]) => Error);
}
