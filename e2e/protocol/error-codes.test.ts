import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ProtocolError, ResourceNotFoundError } from '@portico/client';
import {
  McpServer,
  createMcpHandler,
  hostHeaderValidationResponse,
  originValidationResponse,
} from '@portico/server';
import { receivedError } from '@portico/spec';
import { describe, expect, it } from 'vitest';
import { readReply } from '../../testing/mcp-http.ts';
import { modern, openWire } from '../../testing/mcp-wire.ts';
import { checkModernAnswer, isModernCode } from '../../testing/modern-error-codes.ts';
import { SERVER_ROUTES } from './server-routes.ts';

const PACKAGES = join(import.meta.dirname, '../../packages');

/** Where numbers that JSON-RPC reserves may be written, beyond the five of JSON-RPC itself, and which. */
const WRITTEN: Readonly<Record<string, readonly number[]>> = {
  'spec/src/protocol-errors.ts': [-32_002, -32_020, -32_021, -32_022, -32_042],
  // Bodies of legacy refusals: see refusalCode.
  'server/src/http/error-answers.ts': [-32_000, -32_001],
  // The bounds of the range itself.
  'server/src/wire-error.ts': [-32_000, -32_768],
};
const JSON_RPC = [-32_700, -32_603, -32_602, -32_601, -32_600];

/** The reserved numbers in a source, comments left out. */
function reservedNumbers(text: string): number[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  return [...code.matchAll(/-\s*32_?\d{3}\b/g)].map(([number]) => Number(number.replaceAll(/[_\s]/g, '')));
}

/** Throws the code that its method names. */
function throwingServer(): McpServer {
  const server = new McpServer({ name: 'codes', version: '1' }, { tasks: {} });
  server.server.fallbackRequestHandler = ({ method }) => {
    throw new ProtocolError(Number(method.split('/').at(-1)), 'on purpose', { kept: true });
  };
  server.registerTool(
    'later',
    {},
    (context) => context.tasks?.start(() => Promise.reject(new ProtocolError(-32_002, 'gone'))) as never,
  );
  return server;
}

/** All that the specification speaks of, and its neighbours. */
const RESERVED = Array.from({ length: 102 }, (_, at) => -32_101 + at);
const OWN = [-32_769, -31_999, -1, 0, 1, 400];

function onModernWires(code: number): number {
  if (code === -32_002) return -32_602;
  return isModernCode(code) ? code : -32_603;
}

describe('error numbers', () => {
  it('W10 that are reserved are written in two places only, and sent by those that define them', () => {
    const files = ['rpc', 'spec', 'oauth', 'client', 'server'].flatMap((name) =>
      readdirSync(join(PACKAGES, name, 'src'), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(file))
        .map((file) => join(name, 'src', file).replaceAll('\\', '/')),
    );
    expect(files.length).toBeGreaterThan(200);
    const found = files.map((file) => {
      const numbers = reservedNumbers(readFileSync(join(PACKAGES, file), 'utf8'));
      return [file, numbers.filter((number) => !JSON_RPC.includes(number))] as const;
    });
    const elsewhere = Object.fromEntries(found.filter(([, numbers]) => numbers.length > 0));
    const sorted = (numbers: readonly number[]): number[] => [...new Set(numbers)].toSorted((a, b) => b - a);
    expect(Object.fromEntries(Object.entries(elsewhere).map(([file, all]) => [file, sorted(all)]))).toEqual(
      WRITTEN,
    );
  });

  it.each(SERVER_ROUTES.filter(({ era }) => era === 'modern'))(
    'W10 of handlers reach a client over $name only where modern wires have them',
    async (route) => {
      const client = await route.open(throwingServer);
      const seen: Record<number, unknown> = {};
      for (const code of [
        ...RESERVED,
        -32_768,
        -32_500,
        -32_700,
        -32_603,
        -32_602,
        -32_601,
        -32_600,
        ...OWN,
      ]) {
        const answer = await client.request(code, `vendor/throw/${String(code)}`);
        seen[code] = answer['error'];
        checkModernAnswer({ params: client.params() }, [answer]);
      }
      for (const [code, error] of Object.entries(seen)) {
        const text = Number(code) === -32_042 ? {} : { message: 'on purpose', data: { kept: true } };
        expect([code, error]).toMatchObject([code, { code: onModernWires(Number(code)), ...text }]);
      }
      await client.close();
    },
  );

  it.each(SERVER_ROUTES.filter(({ era }) => era === 'legacy'))(
    'W10 of handlers stay what they are over $name, whose clients know them',
    async (route) => {
      const client = await route.open(throwingServer);
      for (const code of [-32_000, -32_002, -32_042, -32_099]) {
        const answer = await client.request(code, `vendor/throw/${String(code)}`);
        expect(answer['error']).toMatchObject({ code, message: 'on purpose' });
      }
      await client.close();
    },
  );

  it('W10 of tasks are those of modern wires', async () => {
    const wire = await openWire((transport) => throwingServer().connect(transport));
    const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    const { taskId } = await wire.result('tools/call', modern({ name: 'later' }, { capabilities }));
    const task = await wire.result('tasks/get', modern({ taskId }, { capabilities }));
    expect(task).toMatchObject({ status: 'failed', error: { code: -32_602, message: 'gone' } });
    await wire.close();
  });

  const REFUSED: readonly [
    what: string,
    init: { method: string; headers: Record<string, string>; body?: string },
    status: number,
  ][] = [
    ['another content type', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' }, 415],
    [
      'an encoded body',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body: '{}',
      },
      415,
    ],
    ['GET', { method: 'GET', headers: {} }, 405],
    ['a foreign host', { method: 'GET', headers: { host: 'evil.example' } }, 403],
  ];

  it.each(REFUSED)(
    'W10 in refusals of %s are the old one for legacy clients alone',
    async (_what, init, status) => {
      const handler = createMcpHandler(throwingServer);
      const code = async (version: string): Promise<unknown> => {
        const headers = { host: 'localhost', ...init.headers, 'mcp-protocol-version': version };
        const reply = await readReply(
          await handler.fetch(new Request('http://localhost/', { ...init, headers })),
        );
        expect(reply.status).toBe(status);
        return (reply.message['error'] as { code: number }).code;
      };
      expect(await code('2026-07-28')).toBe(-32_600);
      // Nothing is known of the era where a host is refused, so nobody gets the old number there.
      expect(await code('2025-11-25')).toBe(status === 403 ? -32_600 : -32_000);
    },
  );

  it('W10 in refusals by the checks of headers follow the header that tells the era', async () => {
    for (const [version, code] of [
      ['2026-07-28', -32_600],
      ['2025-11-25', -32_000],
    ] as const) {
      const headers = {
        host: 'evil.example',
        origin: 'http://evil.example',
        'mcp-protocol-version': version,
      };
      const request = new Request('http://localhost/', { headers });
      for (const refusal of [
        hostHeaderValidationResponse(request, []),
        originValidationResponse(request, []),
      ]) {
        expect(await refusal?.json()).toMatchObject({ error: { code } });
      }
    }
  });

  it('W10 from -32000 to -32019 mean nothing when they are received, but for a missing resource', () => {
    const kinds = Array.from({ length: 20 }, (_, at) => -32_000 - at).map((code) => {
      const { name, constructor } = receivedError({
        code,
        message: 'm',
        data: { uri: 'x:y', elicitations: [] },
      });
      return [code, name, constructor === ProtocolError] as const;
    });
    expect(
      kinds
        .filter(([code]) => code !== -32_002)
        .every(([, name, plain]) => plain && name === 'ProtocolError'),
    ).toBe(true);
    expect(receivedError({ code: -32_002, message: 'm', data: { uri: 'x:y' } })).toBeInstanceOf(
      ResourceNotFoundError,
    );
  });
});
