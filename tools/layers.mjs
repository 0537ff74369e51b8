// The one table of packages: floors, allowed imports, runtimes and public entries.
// Plain JavaScript so that scripts can read it before anything is installed or built.

/**
 * @typedef {"neutral" | "node" | "dom" | "worker"} Runtime
 *   neutral: no Node and no window names; node: Node types; dom: browser page types.
 * @typedef {object} Layer
 * @property {string} name           folder below packages/ and last part of the package name
 * @property {number} floor          imports go to lower floors only
 * @property {string[]} mayImport    workspace packages it may import
 * @property {Runtime} runtime       what the package root compiles against
 * @property {Record<string, string | {node: string, default: string}>} entries
 *   public subpath → source file below the package, or one for Node and one for everything else
 * @property {string} charter        what belongs here, in one sentence
 */

/** Scope of every workspace package. */
export const SCOPE = '@portico';

/** @type {readonly Layer[]} */
export const LAYERS = [
  {
    name: 'rpc',
    floor: 0,
    mayImport: [],
    runtime: 'neutral',
    entries: { '.': 'src/index.ts' },
    charter: 'JSON-RPC 2.0 over any channel; does not know MCP.',
  },
  {
    name: 'spec',
    floor: 1,
    mayImport: ['rpc'],
    runtime: 'neutral',
    entries: {
      '.': 'src/index.ts',
      './schemas': 'src/schemas/index.ts',
      './skills': 'src/skills/index.ts',
      './json-schema': 'src/json-schema/index.ts',
      './json-schema/ajv': 'src/json-schema/ajv.ts',
      './json-schema/default': {
        node: 'src/node/default-validator.ts',
        default: 'src/json-schema/default-validator.ts',
      },
    },
    charter: 'What MCP says on the wire: types, method tables, one codec a revision.',
  },
  {
    name: 'oauth',
    floor: 2,
    mayImport: ['rpc', 'spec'],
    runtime: 'neutral',
    entries: {
      '.': 'src/index.ts',
      './resource': 'src/resource/index.ts',
      './resource/jwt': 'src/resource/jwt/index.ts',
      './resource/introspection': 'src/resource/introspection/index.ts',
    },
    charter: 'Authorization, client and resource side: discovery, registration, tokens, challenges.',
  },
  {
    name: 'client',
    floor: 3,
    mayImport: ['rpc', 'spec', 'oauth'],
    runtime: 'neutral',
    entries: {
      '.': 'src/index.ts',
      './stdio': 'src/node/stdio.ts',
      './node': 'src/node/http-pool.ts',
      './ext/skills': 'src/ext/skills/index.ts',
      './validators/ajv': 'src/validators/ajv.ts',
      './validators/cf-worker': 'src/validators/cf-worker.ts',
    },
    charter: 'The MCP client; the root entry is browser-safe.',
  },
  {
    name: 'server',
    floor: 3,
    mayImport: ['rpc', 'spec', 'oauth'],
    runtime: 'neutral',
    entries: {
      '.': 'src/index.ts',
      './stdio': 'src/node/stdio.ts',
      './node': 'src/node/http.ts',
      './ext/skills': 'src/ext/skills/index.ts',
      './ext/skills/node': 'src/node/skills.ts',
      './validators/ajv': 'src/validators/ajv.ts',
      './validators/cf-worker': 'src/validators/cf-worker.ts',
      './express': 'src/node/express.ts',
      './fastify': 'src/node/fastify.ts',
      './hono': 'src/hono/hono-app.ts',
      './sse': 'src/node/sse.ts',
      './auth': 'src/auth/index.ts',
    },
    charter: 'The MCP server: Server, McpServer and the fetch handler.',
  },
  {
    name: 'connections',
    floor: 4,
    mayImport: ['client', 'oauth', 'spec', 'rpc'],
    runtime: 'neutral',
    entries: {
      '.': 'src/index.ts',
      './manager': 'src/manager/index.ts',
      './node': 'src/node/server-transport.ts',
    },
    charter: 'Many servers as observable state, without React, DOM or storage of its own.',
  },
  {
    name: 'views',
    floor: 5,
    mayImport: ['connections', 'spec', 'rpc'],
    runtime: 'neutral',
    entries: { '.': 'src/index.ts', './dom': 'src/dom/index.ts', './proxy': 'src/dom/proxy.ts' },
    charter: 'MCP Apps host without a framework; the DOM only behind ./dom.',
  },
  {
    name: 'frames',
    floor: 5,
    mayImport: ['connections', 'spec', 'rpc'],
    runtime: 'neutral',
    entries: {
      '.': 'src/index.ts',
      './kernel': 'src/dom/kernel.ts',
      './broker': 'src/broker/index.ts',
      './dom': 'src/dom/index.ts',
    },
    charter: 'window.claude.mcp for published pages: kernel, broker, manifest, serving.',
  },
  {
    name: 'agent',
    floor: 5,
    mayImport: ['connections', 'server', 'spec', 'rpc'],
    runtime: 'node',
    entries: {
      '.': 'src/index.ts',
      './anthropic': 'src/anthropic/index.ts',
      './provider': 'src/provider/index.ts',
      './session': 'src/session/index.ts',
    },
    charter: 'query(): loop, permissions, sessions; owns the ModelProvider port.',
  },
  {
    name: 'react',
    floor: 6,
    mayImport: ['connections', 'views', 'frames', 'oauth', 'spec', 'rpc'],
    runtime: 'dom',
    entries: {
      '.': 'src/index.ts',
      './observe': 'src/observe.ts',
      './artifact': 'src/artifact.ts',
      './views': 'src/views.ts',
    },
    charter: 'Hooks and components that subscribe and return.',
  },
  {
    name: 'api',
    floor: 6,
    mayImport: ['spec'],
    runtime: 'neutral',
    entries: { '.': 'src/index.ts' },
    charter: 'What console and host say to each other: requests, answers, events, error codes.',
  },
  {
    name: 'host',
    floor: 7,
    mayImport: ['rpc', 'spec', 'oauth', 'client', 'server', 'connections', 'views', 'frames', 'agent', 'api'],
    runtime: 'node',
    entries: { '.': 'src/index.ts' },
    charter: 'The server program and the portico command; the only reader of the environment.',
  },
  {
    name: 'console',
    floor: 7,
    mayImport: ['react', 'api', 'spec'],
    runtime: 'dom',
    entries: {},
    charter: 'The web page people use, served by host.',
  },
];

/** @param {string} name @returns {Layer} */
export function layerOf(name) {
  const layer = LAYERS.find((candidate) => candidate.name === name);
  if (layer === undefined) throw new Error(`no layer is called ${name}; add it to tools/layers.mjs`);
  return layer;
}

/**
 * Every public import specifier with its source file, e.g. `@portico/client/stdio`.
 * @param {"node" | "default"} [condition] which source of an entry that has two
 */
export function sourceAliases(condition = 'default') {
  /** @type {{specifier: string, source: string}[]} */
  const aliases = [];
  for (const layer of LAYERS) {
    for (const [subpath, entry] of Object.entries(layer.entries)) {
      const source = typeof entry === 'string' ? entry : entry[condition];
      aliases.push({
        specifier: `${SCOPE}/${layer.name}${subpath.slice(1)}`,
        source: `packages/${layer.name}/${source}`,
      });
    }
  }
  return aliases;
}
