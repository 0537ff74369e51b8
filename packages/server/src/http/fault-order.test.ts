import { describe, expect, it } from 'vitest';
import { type HttpReply, post } from '../../../../testing/mcp-http.ts';
import { modern } from '../../../../testing/mcp-wire.ts';
import { ErrorCode, ProtocolError } from '@portico/rpc';
import { inputRequired } from '../input-required.ts';
import { McpServer } from '../mcp/mcp-server.ts';
import { createMcpHandler } from './create-mcp-handler.ts';

function make(): McpServer {
  const server = new McpServer({ name: 'faults', version: '1' });
  server.registerTool(
    'routed',
    {
      inputSchema: {
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, n: { type: 'integer' } },
      },
    },
    () => ({ content: [] }),
  );
  server.registerTool('asks', {}, () =>
    inputRequired({
      inputRequests: {
        a: inputRequired.elicit({ message: '?', requestedSchema: { type: 'object', properties: {} } }),
      },
    }),
  );
  for (const code of [-32_700, -32_600, -32_601, -32_602, -32_603, -32_020, -32_022, -32_021, 7]) {
    server.server.setRequestHandler(`vendor/throw${String(code)}`, () => {
      throw new ProtocolError(code, 'on purpose');
    });
  }
  server.server.setRequestHandler('vendor/late', async (_request, ctx) => {
    await ctx.mcpReq.notify({ method: 'vendor/note' });
    throw new ProtocolError(ErrorCode.InvalidRequest, 'after a message');
  });
  return server;
}

interface Attempt {
  method?: string;
  headers: Record<string, string | null>;
  /** Text instead of the message. */
  text?: string;
  message: Record<string, unknown>;
}

const good = (): Attempt => ({
  headers: {},
  message: {
    jsonrpc: '2.0',
    id: 9,
    method: 'tools/call',
    params: modern({ name: 'routed', arguments: { region: 'eu' } }),
  },
});

/** Faults in the order in which they must be told. `undefined` as id: it could not be read. */
const FAULTS: readonly {
  readonly name: string;
  readonly make: (attempt: Attempt) => void;
  readonly outcome: readonly [status: number, code: number];
}[] = [
  { name: 'HTTP method', make: (a) => (a.method = 'PUT'), outcome: [405, -32_600] },
  {
    name: 'content type',
    make: (a) => (a.headers['content-type'] = 'text/plain'),
    outcome: [415, -32_600],
  },
  { name: 'JSON', make: (a) => (a.text = '{"jsonrpc":'), outcome: [400, -32_700] },
  { name: 'message form', make: (a) => (a.message['jsonrpc'] = '1.0'), outcome: [400, -32_600] },
  {
    name: 'envelope form',
    make: (a) => (metaOf(a)['io.modelcontextprotocol/clientCapabilities'] = 7),
    outcome: [400, -32_602],
  },
  {
    name: 'version',
    make: (a) => {
      metaOf(a)['io.modelcontextprotocol/protocolVersion'] = '2031-01-01';
      a.headers['mcp-protocol-version'] = '2031-01-01';
    },
    outcome: [400, -32_022],
  },
  {
    name: 'standard headers',
    make: (a) => (a.headers['mcp-method'] = 'tools/list'),
    outcome: [400, -32_020],
  },
  {
    name: 'parameter headers',
    make: (a) => (a.headers['mcp-param-region'] = 'us'),
    outcome: [400, -32_020],
  },
  { name: 'params', make: (a) => (argsOf(a)['n'] = 'no number'), outcome: [200, Number.NaN] },
];

const metaOf = ({ message }: Attempt): Record<string, unknown> =>
  (message['params'] as { _meta: Record<string, unknown> })['_meta'];
const argsOf = ({ message }: Attempt): Record<string, unknown> =>
  (message['params'] as { arguments: Record<string, unknown> }).arguments;

function outcomeOf({ status, message }: HttpReply): readonly [number, number] {
  const { error } = message as { error?: { code: number } };
  return [status, error?.code ?? Number.NaN];
}

describe('a modern request with faults', () => {
  const handler = createMcpHandler(make(), { legacy: 'reject' });
  const send = (attempt: Attempt): Promise<HttpReply> =>
    post(handler, attempt.text ?? attempt.message, {
      ...(attempt.method === undefined ? {} : { method: attempt.method }),
      headers: {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'routed',
        'mcp-param-region': 'eu',
        ...attempt.headers,
      },
    });

  it('W108 is told the first of them, in the fixed order', async () => {
    for (const [index, first] of FAULTS.entries()) {
      const single = good();
      first.make(single);
      expect([first.name, outcomeOf(await send(single))]).toEqual([first.name, first.outcome]);
      for (const second of FAULTS.slice(index + 1)) {
        const both = good();
        second.make(both);
        first.make(both);
        const label = `${first.name}, then ${second.name}`;
        expect([label, outcomeOf(await send(both))]).toEqual([label, first.outcome]);
      }
    }
    // A method that is not there comes before what is wrong with its params.
    const absent = { jsonrpc: '2.0', id: 9, method: 'prompts/get', params: modern({ name: 7 }) };
    const reply = await post(handler, absent);
    expect(outcomeOf(reply)).toEqual([404, -32_601]);
    // Two versions in one request are a fault of form: told before either is looked at.
    const twoVersions = good();
    metaOf(twoVersions)['io.modelcontextprotocol/protocolVersion'] = '2031-01-01';
    expect(outcomeOf(await send(twoVersions))).toEqual([400, -32_020]);
  });

  it('W107 gets the status of its error; what a handler throws rides in 200, but for -32021', async () => {
    const rows: readonly [method: string, status: number, code: number][] = [
      ['vendor/throw-32700', 200, -32_700],
      ['vendor/throw-32600', 200, -32_600],
      ['vendor/throw-32601', 200, -32_601],
      ['vendor/throw-32602', 200, -32_602],
      ['vendor/throw-32603', 200, -32_603],
      ['vendor/throw-32020', 200, -32_020],
      ['vendor/throw-32022', 200, -32_022],
      ['vendor/throw-32021', 400, -32_021],
      ['vendor/throw7', 200, 7],
      ['vendor/none', 404, -32_601],
      ['ping', 404, -32_601],
    ];
    for (const responseMode of ['auto', 'json', 'sse'] as const) {
      const own = createMcpHandler(make(), { responseMode });
      for (const [method, status, code] of rows) {
        const reply = await post(own, { jsonrpc: '2.0', id: 'x', method, params: modern() });
        // An open stream has its status already.
        const expected = responseMode === 'sse' ? 200 : status;
        expect([responseMode, method, ...outcomeOf(reply), reply.message['id']]).toEqual([
          responseMode,
          method,
          expected,
          code,
          'x',
        ]);
      }
      const before: readonly [body: unknown, status: number, code: number, id: unknown][] = [
        ['{"jsonrpc":', 400, -32_700, undefined],
        [{ jsonrpc: '2.0', id: 9, method: 7 }, 400, -32_600, 9],
        [
          { jsonrpc: '2.0', id: 9, method: 'tools/list', params: modern({}, { capabilities: null }) },
          400,
          -32_602,
          9,
        ],
        [
          { jsonrpc: '2.0', id: 9, method: 'tools/list', params: modern({}, { version: '2031-01-01' }) },
          400,
          -32_022,
          9,
        ],
      ];
      for (const [body, status, code, id] of before) {
        const reply = await post(own, body);
        expect([...outcomeOf(reply), reply.message['id']]).toEqual([status, code, id]);
      }
      const mismatched = { headers: { 'mcp-method': 'tools/list' } };
      const ask = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: modern({ name: 'asks' }) };
      expect(outcomeOf(await post(own, ask, mismatched))).toEqual([400, -32_020]);
      expect(outcomeOf(await post(own, ask))).toEqual([responseMode === 'sse' ? 200 : 400, -32_021]);
    }
    const late = { jsonrpc: '2.0', id: 1, method: 'vendor/late', params: modern() };
    expect(outcomeOf(await post(createMcpHandler(make()), late))).toEqual([200, -32_600]);
  });
});
