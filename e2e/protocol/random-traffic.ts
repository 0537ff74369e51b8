import process from 'node:process';
import v8 from 'node:v8';
import vm from 'node:vm';
import fc from 'fast-check';
import { modern } from '../../testing/mcp-wire.ts';

/** Messages of one run; `npm run nightly` sends many more. */
export const MESSAGES = Number(process.env['PORTICO_FUZZ_MESSAGES'] ?? 5_000);
/** A minute for five thousand messages, where a run takes seconds. */
export const TIME_LIMIT_MS = MESSAGES * 12;
const SEED = 20_260_728;

const ids = fc.oneof(
  fc.constantFrom<unknown>(0, '', '0', 1, '1', null, undefined, 1.5, true, [], {}),
  fc.nat(50),
  fc.string({ maxLength: 3 }),
);
const methods = fc.oneof(
  fc.constantFrom<unknown>(
    'tools/call',
    'tools/list',
    'ping',
    'server/discover',
    'initialize',
    'logging/setLevel',
  ),
  fc.constantFrom<unknown>('notifications/cancelled', 'notifications/progress', 'notifications/initialized'),
  fc.constantFrom<unknown>(
    'sampling/createMessage',
    'roots/list',
    'notifications/message',
    '__proto__',
    'toString',
  ),
  fc.jsonValue({ maxDepth: 1 }),
);
const params = fc.oneof(
  fc.constant(undefined),
  fc.record({ name: fc.constantFrom('echo', 'wait', 'throw', '__proto__'), arguments: fc.jsonValue() }),
  fc.record({ requestId: ids, reason: fc.jsonValue({ maxDepth: 1 }) }),
  fc.record({ progressToken: ids, progress: fc.jsonValue({ maxDepth: 1 }) }),
  fc.record({ _meta: fc.oneof(fc.record({ progressToken: ids }), fc.jsonValue()) }),
  fc.jsonValue({ maxDepth: 2 }),
);
const version = fc.oneof(
  { weight: 20, arbitrary: fc.constant<unknown>('2.0') },
  fc.jsonValue({ maxDepth: 1 }),
);
const bodies: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ jsonrpc: version, id: ids, method: methods, params }) },
  { weight: 2, arbitrary: fc.record({ jsonrpc: version, method: methods, params }) },
  fc.record({ jsonrpc: version, id: ids, result: fc.jsonValue() }),
  fc.record({ jsonrpc: version, id: ids, error: fc.jsonValue({ maxDepth: 2 }) }),
  fc.jsonValue(),
);

function withEnvelope(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('params' in body)) return body;
  const inner: unknown = body.params;
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return body;
  return { ...body, params: modern(inner as Record<string, unknown>) };
}

/** One message as text: as it is, cut short, or with one character changed. */
const texts = fc
  .record({
    body: bodies,
    enveloped: fc.boolean(),
    mutation: fc.constantFrom('none', 'none', 'none', 'none', 'cut', 'change'),
    at: fc.nat(),
  })
  .map(({ body, enveloped, mutation, at }) => {
    const given = enveloped ? withEnvelope(body) : body;
    const text = JSON.stringify(given) ?? 'null';
    const place = at % (text.length + 1);
    if (mutation === 'cut') return text.slice(0, place);
    return mutation === 'change' ? `${text.slice(0, place)}\u00e9${text.slice(place + 1)}` : text;
  });

/** The value of a text; undefined when it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Random messages, each a text: the same for the same run. */
export function randomTexts(run: number, count = MESSAGES): string[] {
  return fc.sample(texts, { seed: SEED + run, numRuns: count });
}

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What nobody handled while something ran. */
export async function unhandledDuring(run: () => Promise<void>): Promise<unknown[]> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    await run();
    await turn();
  } finally {
    process.off('unhandledRejection', note);
  }
  return unhandled;
}

/** Bytes in use, buffers included, after everything that can be let go was let go. */
export async function heldBytes(): Promise<number> {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) {
    await turn();
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** How much more may be held after a run than halfway through it. */
export const HELD_LIMIT_BYTES = 4 * 1_048_576;
